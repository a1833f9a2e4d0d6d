package daifugo_test

import (
	"testing"

	"sakusen/engines/arena"
	"sakusen/engines/arena/arenatest"
	"sakusen/engines/param"
	"sakusen/strategies"
)

func game(t *testing.T, name string) *arena.Game {
	g, err := strategies.Catalogue().Game(name)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestConformance(t *testing.T) {
	for _, c := range []struct {
		name  string
		rules param.Values
	}{
		{"four", nil},
		{"three_even", param.Values{{Name: "players", Text: "3"}, {Name: "deal", Text: "even"}, {Name: "hand", Text: "4"}}},
		{"six_two_ranks", param.Values{{Name: "players", Text: "6"}, {Name: "cards", Text: "8"}, {Name: "ranks", Text: "2"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			arenatest.Run(t, game(t, "daifugo"), arenatest.Options{
				Rules:    c.rules,
				Entrants: []string{"rankset(nodes=300)", "greedy-out", "lowest-first", "random", "rankset(nodes=50,then=random)"},
				Golden:   "testdata/" + c.name + ".txt",
			})
		})
	}
}

func TestSolvingConformance(t *testing.T) {
	arenatest.Run(t, game(t, "daifugo-solve"), arenatest.Options{
		Most:     800, // there are 843 openings for a phase
		Entrants: []string{"tree", "tree(deepen=true,key=canonical,interior=true)", "tree(remember=false)"},
		Golden:   "testdata/solve.txt",
	})
}

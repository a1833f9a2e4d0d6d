package lifeboats_test

import (
	"testing"

	"sakusen/engines/arena/arenatest"
	"sakusen/engines/param"
	"sakusen/engines/suite"
	"sakusen/strategies"
)

func TestConformance(t *testing.T) {
	game, err := strategies.Catalogue().Game("lifeboats")
	if err != nil {
		t.Fatal(err)
	}
	rule := func(pairs ...string) (v param.Values) {
		for i := 0; i < len(pairs); i += 2 {
			v = append(v, param.Value{Name: pairs[i], Text: pairs[i+1]})
		}
		return v
	}
	for _, c := range []struct {
		name  string
		rules param.Values
	}{
		{"five", nil},
		{"three", rule("players", "3")},
		{"four", rule("players", "4", "vote_tie", "start_player")},
		{"six", rule("players", "6", "vote_tie", "lowest")},
	} {
		if suite.Few() && c.name != "five" && c.name != "four" {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			arenatest.Run(t, game, arenatest.Options{
				Rules: c.rules,
				Entrants: []string{
					"level0", "level1", "random", "adaptive(early=tie,behind=level0)", "level0(X=2.37,full_boat=expected)",
					"level1(alive=tie,predict=own)", "level1(alive=expected)", "level0(full_boat=optimistic)",
				},
				Golden: "testdata/" + c.name + ".txt",
			})
		})
	}
}

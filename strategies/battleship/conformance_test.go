package battleship_test

import (
	"testing"

	"sakusen/engines/arena/arenatest"
	"sakusen/engines/param"
	"sakusen/strategies"
)

func TestConformance(t *testing.T) {
	game, err := strategies.Catalogue().Game("battleship")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		rules param.Values
	}{
		{"classic", nil},
		{"wide", param.Values{{Name: "width", Text: "12"}, {Name: "height", Text: "8"}, {Name: "cruiser.ships", Text: "2"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			arenatest.Run(t, game, arenatest.Options{
				Rules:    c.rules,
				Entrants: []string{"MP40", "RNB", "CB", "R/ED1", "MP30/ED2SP", "CB/PK3X7SP", "RNB/RSP", "EX/ED2SP", "exact(ties=turned)", "EX+", "OM/ED1SP"},
				Golden:   "testdata/" + c.name + ".txt",
			})
		})
	}
}

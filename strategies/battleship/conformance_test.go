package battleship_test

import (
	"testing"

	"sakusen/engines/arena/arenatest"
	"sakusen/engines/param"
	"sakusen/engines/suite"
	"sakusen/strategies"
)

func TestConformance(t *testing.T) {
	game, err := strategies.Catalogue().Game("battleship")
	if err != nil {
		t.Fatal(err)
	}
	all := []string{
		"MP40", "RNB", "CB", "R/ED1", "MP30/ED2SP", "CB/PK3X7SP", "RNB/RSP", "LA2.3.40/PK2X10",
		"mp(start_squares=20,open_hits=board,ties=random,hunt=classes,neighbours=random,place.draw=joint)",
		"checkerboard(sinking=late,place.kind=edge1,place.separated=true,place.off_corners=true)",
	}
	for _, c := range []struct {
		name     string
		rules    param.Values
		entrants []string
		blocks   int64 // 0: the battery's own number
	}{
		{"classic", nil, all, 0},
		{"wide", param.Values{{Name: "width", Text: "12"}, {Name: "height", Text: "8"}, {Name: "cruiser.ships", Text: "2"}}, all, 0},
		{"exact", nil, []string{"EX/ED2SP", "exact(ties=turned)", "EX+", "OM/ED1SP", "MP40"}, 3}, // counting from the first shot takes time
	} {
		if suite.Few() && c.name != "classic" {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			arenatest.Run(t, game, arenatest.Options{
				Rules:    c.rules,
				Entrants: c.entrants,
				Golden:   "testdata/" + c.name + ".txt",
				Blocks:   c.blocks,
			})
		})
	}
}

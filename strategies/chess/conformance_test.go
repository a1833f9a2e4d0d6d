package chess_test

import (
	"testing"

	"sakusen/engines/arena/arenatest"
	"sakusen/engines/param"
	"sakusen/strategies"
)

func TestConformance(t *testing.T) {
	game, err := strategies.Catalogue().Game("chess")
	if err != nil {
		t.Fatal(err)
	}
	book := "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1|rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1|" +
		"rnbqkbnr/pppppppp/8/8/2P5/8/PP1PPPPP/RNBQKBNR b KQkq - 0 1"
	for _, c := range []struct {
		name  string
		rules param.Values
	}{
		{"own", nil},
		{"book", param.Values{{Name: "book", Text: book}, {Name: "most_plies", Text: "80"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			arenatest.Run(t, game, arenatest.Options{
				Rules:    c.rules,
				Entrants: []string{"random"},
				Golden:   "testdata/" + c.name + ".txt",
				Most:     200,
				// Random moves come without scores and without a search.
				Quiet: []string{"limit", "resign", "resign_moves", "resign_both", "draw", "draw_moves", "draw_from", "openings", "most_plies"},
			})
		})
	}
}

package service

import (
	"strings"
	"testing"

	"sakusen/tuner/stats"
)

// A cell is coloured only where the games tell it from one half, and neighbours are
// compared by their own games.
func TestCellsAndDifferences(t *testing.T) {
	seat := func(name string, score, half float64) TournamentSeat {
		return TournamentSeat{Entrant: name, Score: stats.Known(score), CI95: stats.Interval{Lo: stats.Known(score - half), Hi: stats.Known(score + half)}}
	}
	report := func(half float64) *TournamentReport {
		return &TournamentReport{
			Entrants: []TournamentEntrant{{Name: "A"}, {Name: "B"}},
			Table:    [][]stats.Number{{{}, stats.Known(0.6)}, {stats.Known(0.4), {}}},
			Pairings: []TournamentPairing{{Entrants: []string{"A", "B"}, Orders: []TournamentOrder{
				{Games: 50, Seats: []TournamentSeat{seat("A", 0.7, half), seat("B", 0.3, half)}},
				{Games: 50, Seats: []TournamentSeat{seat("B", 0.5, half), seat("A", 0.5, half)}},
			}}},
		}
	}
	sure, not := report(0.05), report(0.15)
	if c := sure.cell(0, 1); c.Shade != "x3" || c.Half != "0.05" || c.Games != 100 || !strings.Contains(c.Hint(), "0.60 ± 0.05 of the points in 100 games") {
		t.Errorf("%+v", c)
	}
	if c := sure.cell(1, 0); c.Shade != "x1" {
		t.Errorf("%+v", c)
	}
	if c := not.cell(0, 1); c.Shade != "x2" {
		t.Errorf("%+v", c)
	}
	if c := sure.cell(0, 0); c.Shade != "" || c.Hint() != "" {
		t.Errorf("%+v", c)
	}
	if d := sure.differences([]int{0, 1}); len(d) != 1 || !d[0].Sure || d[0].Text != "+70 Elo (+30 to +110)" {
		t.Errorf("%+v", d)
	}
	if d := not.differences([]int{0, 1}); len(d) != 1 || d[0].Sure {
		t.Errorf("%+v", d)
	}
	sure.Pairings[0].Orders = nil
	if d := sure.differences([]int{0, 1}); len(d) != 0 {
		t.Errorf("no games, and %+v", d)
	}
}

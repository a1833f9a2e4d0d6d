package view

import (
	"strings"
	"testing"

	"sakusen/tuner/contest"
	"sakusen/tuner/entry"
	"sakusen/tuner/stats"
)

// A cell is coloured only where the games tell it from one half, and neighbours are
// compared by their own games.
func TestCellsAndDifferences(t *testing.T) {
	seat := func(name string, score, half float64) contest.TournamentSeat {
		return contest.TournamentSeat{Entrant: name, Score: stats.Known(score), CI95: stats.Interval{Lo: stats.Known(score - half), Hi: stats.Known(score + half)}}
	}
	report := func(half float64) crosstable {
		return crosstable{&contest.TournamentReport{
			Entrants: []contest.TournamentEntrant{{Name: "A"}, {Name: "B"}},
			Table:    [][]stats.Number{{{}, stats.Known(0.6)}, {stats.Known(0.4), {}}},
			Pairings: []contest.TournamentPairing{{Entrants: []string{"A", "B"}, Orders: []contest.TournamentOrder{
				{Games: 50, Seats: []contest.TournamentSeat{seat("A", 0.7, half), seat("B", 0.3, half)}},
				{Games: 50, Seats: []contest.TournamentSeat{seat("B", 0.5, half), seat("A", 0.5, half)}},
			}}},
		}, []int{0, 1}}
	}
	sure, not := report(0.05), report(0.15)
	if c := sure.cell(0, 1); c.Class != "x3" || c.Interval.Half != "0.050" || c.Note != "0.600 +- 0.050 of the points in 100 games" {
		t.Errorf("%+v", c)
	}
	if c := sure.cell(1, 0); c.Class != "x1" {
		t.Errorf("%+v", c)
	}
	if c := not.cell(0, 1); c.Class != "x2" {
		t.Errorf("%+v", c)
	}
	if c := sure.cell(0, 0); c.Class != "" || c.Note != "" {
		t.Errorf("%+v", c)
	}
	if d := sure.neighbours().Lines; len(d) != 1 || d[0].Note != "" || d[0].Short() != "+70 Elo [35, 108] at 95 %" {
		t.Errorf("%+v", d)
	}
	if d := not.neighbours().Lines; len(d) != 1 || d[0].Note != "not sure" {
		t.Errorf("%+v", d)
	}
	sure.Pairings[0].Orders = nil
	if d := sure.neighbours().Lines; len(d) != 0 {
		t.Errorf("no games, and %+v", d)
	}
}

// Of more than two seats the first place is sure only where the intervals of the first two lie apart.
func TestPodiumOfManySeats(t *testing.T) {
	around := func(x, half float64) stats.Interval {
		return stats.Interval{Lo: stats.Known(x - half), Hi: stats.Known(x + half)}
	}
	r := &contest.TournamentReport{Entrants: []contest.TournamentEntrant{{Name: "A", Elo: stats.Known(148), EloCI95: around(148, 25)}, {Name: "B", Elo: stats.Known(126), EloCI95: around(126, 26)}, {Name: "C", Elo: stats.Known(0)}},
		Pairings: []contest.TournamentPairing{{Entrants: []string{"A", "B", "C"}}}}
	if got := Podium(r, true); got != "A is first, B is second, which is not sure." {
		t.Error(got)
	}
	r.Entrants[1].Elo, r.Entrants[1].EloCI95 = stats.Known(26), around(26, 26)
	if got := Podium(r, true); got != "A is first, B is second." {
		t.Error(got)
	}
}

// A test of a patch ends with a verdict in a word and what can be done.
func TestPatchAnswer(t *testing.T) {
	for verdict, want := range map[string]string{contest.PatchPasses: "Passed", contest.PatchFails: "Failed", contest.PatchInconclusive: "Undecided"} {
		if a := PatchAnswer(&contest.PatchReport{Verdict: verdict, Reason: "so"}); a.Word != want || a.Next == "" || a.Tone == "plain" {
			t.Errorf("%s: %+v", verdict, a)
		}
	}
	if a := PatchAnswer(&contest.PatchReport{Verdict: contest.PatchInconclusive, Reason: "too late: play " + entry.TimeCure}); strings.Contains(a.Next, "more games") || !strings.Contains(a.Next, entry.TimeCure) {
		t.Errorf("%+v", a)
	}
}

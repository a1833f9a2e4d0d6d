package lifeboats

import (
	"fmt"
	"testing"

	"sakusen/engines/arena"
	"sakusen/engines/arena/arenatest"
	"sakusen/engines/arena/film"
	"sakusen/engines/lifeboats"
)

// game returns the game with the strategies that these tests film.
func game() *arena.Game {
	return arena.Enter(lifeboats.Game(), Level0(), Level1(), Random())
}

// rescue returns a position with boats afloat, home and lost.
func rescue(t *testing.T, phase lifeboats.Phase) lifeboats.Position {
	t.Helper()
	p, err := lifeboats.NewPosition([]lifeboats.Boat{
		{State: lifeboats.Afloat, Steps: 1, Leaks: 3, Crew: []int{1, 1, 0, 0}},
		{State: lifeboats.Afloat, Steps: 3, Leaks: 1, Crew: []int{0, 2, 3, 0}},
		{State: lifeboats.Home, Leaks: 2, Crew: []int{3, 0, 0, 1}},
		{State: lifeboats.Lost, Steps: 2, Leaks: 4, Crew: []int{0, 0, 0, 0}},
		{State: lifeboats.Afloat, Steps: 2, Leaks: 0, Crew: []int{1, 1, 1, 2}},
	}, phase, 1)
	if err != nil {
		t.Fatal(err)
	}
	return *p
}

func TestLifeboatsFrames(t *testing.T) {
	before := rescue(t, lifeboats.Leak)
	lost := before
	lost.Flood(0)
	full := rescue(t, lifeboats.Expel)
	off := full
	off.Remove(1, 2)
	ashore := rescue(t, lifeboats.Advance)
	ashore.Move(0)
	last := rescue(t, lifeboats.Advance)
	for _, boat := range []int{0, 1, 4} {
		for last.Afloat.Has(boat) {
			last.Move(boat)
		}
	}
	frames := arenatest.Shown(t, Scene(), ruleset(t, "players=4 vote_tie=start_player"), []string{"a", "<b>&", "a very long name of an entrant", "d"},
		lifeboats.Dealt{Position: before},
		lifeboats.Voted{
			Position: before, Round: 7, Start: 2, Choice: [6]int8{0, 1, 1, 0, -1, -1}, Weight: [6]int8{1, 1, 1, 1},
			Leaders: lifeboats.Set(0).With(0).With(1), Winner: 1, Broken: "start_player",
		},
		lifeboats.Voted{
			Position: full, Round: 7, Start: 2, Choice: [6]int8{-1, 2, 1, -1, -1, -1}, Weight: [6]int8{0, 2, 3, 0},
			Leaders: lifeboats.Set(0).With(1), Winner: 1,
		},
		lifeboats.Expelled{Position: off, Round: 7, Boat: 1, Player: 2},
		lifeboats.Leaked{Position: lost, Round: 8, Boat: 0, Drowned: before.Crew[0]},
		lifeboats.Moved{Position: ashore, Round: 8, Boat: 0},
		lifeboats.Refused{Position: before, Round: 9, Seat: 3, Option: 77},
		lifeboats.Ended{Position: last, Scores: [6]int64{6, 6, 0, 0}, Scale: 12, Fault: -1},
	)
	want := []struct {
		seat         int
		text, golden string
	}{
		{film.Nobody, "4 players have 7 crew each in 5 boats. Most crew brought home wins.", ""},
		{film.Nobody, "Round 7, vote on which boat leaks: boat 1 with 2 votes, of 2 that are tied the first voted for from seat 2 on. Votes: seats 0, 3 for boat 0; seats 1, 2 for boat 1.", "vote"},
		{film.Nobody, "Round 7, vote on who leaves boat 1, by crew aboard: seat 1 with 3 votes. Votes: seat 2 (3 votes) for seat 1; seat 1 (2 votes) for seat 2.", "expulsion"},
		{2, "Round 7: a crew member of seat 2 (a very long name of an entrant) is put off boat 1.", ""},
		{film.Nobody, "Round 8: boat 0 leaks for the fourth time and is lost with 2 crew.", "lost"},
		{film.Nobody, "Round 8: boat 0 comes home with 2 crew.", ""},
		{3, "Round 9: seat 3 (d) votes for 77, which is no option. The game ends.", ""},
		{film.Nobody, "Seats 0, 1 win together. Crew saved: seat 0 (a) 5, seat 1 (<b>&) 4, seat 2 (a very long name of an entrant) 4, seat 3 (d) 3.", "end"},
	}
	if len(frames) != len(want) {
		t.Fatalf("%d frames, want %d", len(frames), len(want))
	}
	for i, w := range want {
		f := frames[i]
		if f.Seat != w.seat || f.Text != w.text {
			t.Errorf("frame %d is of seat %d: %s\nwant seat %d: %s", i, f.Seat, f.Text, w.seat, w.text)
		}
		arenatest.WellFormed(t, f.SVG)
		if w.golden != "" {
			arenatest.Golden(t, w.golden, f.SVG)
		}
	}
}

func ruleset(t *testing.T, rules string) *arena.Ruleset {
	t.Helper()
	return arenatest.Series(t, game(), rules, "random").Ruleset
}

// Whole games of every number of players and every rule for ties are drawn, the
// same again, and each drawing is sound and of bounded size.
func TestLifeboatsGames(t *testing.T) {
	ties := []string{"random", "start_player", "lowest"}
	for players := lifeboats.MinPlayers; players <= lifeboats.MaxPlayers; players++ {
		tie := ties[players%len(ties)]
		t.Run(fmt.Sprint(players, " ", tie), func(t *testing.T) {
			one := arenatest.Sound(t, Scene(), arenatest.Series(t, game(), fmt.Sprintf("players=%d vote_tie=%s", players, tie), "random", "level1", "level0"))
			if n := len(one.Frames); n < 10 {
				t.Errorf("%d frames", n)
			}
		})
	}
}

// BenchmarkLifeboatsFrame draws one frame.
func BenchmarkLifeboatsFrame(b *testing.B) {
	arenatest.BenchmarkFrames(b, Scene(), arenatest.Series(b, game(), "", "random"))
}

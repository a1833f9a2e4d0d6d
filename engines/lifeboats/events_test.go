package lifeboats

import (
	"fmt"
	"testing"

	"sakusen/engines/arena"
)

// drawer votes at random.
type drawer struct{ wrong int }

func (drawer) Model() Model { return nil }
func (d drawer) Vote(v *View) int {
	if d.wrong != 0 && v.Round > 2 {
		return d.wrong
	}
	return v.Draw(v.Options())
}

func watchedTable(t testing.TB, players int, tie string, wrong int) (*referee, []Player, *arena.Outcome) {
	t.Helper()
	r := &Rules{players: players, voteTie: tie, gameTie: "share"}
	if err := r.check(); err != nil {
		t.Fatal(err)
	}
	seats := make([]Player, players)
	for i := range seats {
		seats[i] = drawer{}
	}
	if wrong != 0 {
		seats[players-1] = drawer{wrong}
	}
	return newReferee(r), seats, arena.NewOutcome(players, 1)
}

// Events are copies: what a watcher keeps does not change as this game and the
// next go on; each follows from the one before.
func TestEvents(t *testing.T) {
	for _, tie := range []string{"random", "start_player", "lowest"} {
		for players := MinPlayers; players <= MaxPlayers; players++ {
			ref, seats, out := watchedTable(t, players, tie, 0)
			var kept []any
			var then []string
			for block := range int64(5) {
				from := len(kept)
				fx := arena.Fixture{Seed: 3, Block: block, Watch: func(event any) {
					kept, then = append(kept, event), append(then, fmt.Sprintf("%+v", event))
				}}
				if err := ref.Play(&fx, seats, out); err != nil {
					t.Fatal(err)
				}
				followEvents(t, kept[from:], tie, out)
			}
			for i, event := range kept {
				if now := fmt.Sprintf("%+v", event); now != then[i] {
					t.Fatalf("event %d was %s and is now %s", i, then[i], now)
				}
			}
		}
	}
}

// followEvents checks that the events are one game, by the position's own
// methods.
func followEvents(t *testing.T, events []any, tie string, out *arena.Outcome) {
	t.Helper()
	dealt, ok := events[0].(Dealt)
	if !ok {
		t.Fatalf("the first event is %T", events[0])
	}
	p := dealt.Position
	for i, event := range events[1:] {
		var shown Position
		switch e := event.(type) {
		case Voted:
			p.Phase, p.Boat, shown = e.Position.Phase, e.Position.Boat, e.Position
			if !e.Leaders.Has(e.Winner) || !p.Options().Has(e.Winner) || (e.Broken == tie) != (e.Leaders.Len() > 1) {
				t.Errorf("event %d: %+v", i+1, e)
			}
			for o := p.Options(); o != 0; o = o.Rest() {
				if n := e.Count(o.First()); n > e.Count(e.Winner) || (n == e.Count(e.Winner)) != e.Leaders.Has(o.First()) {
					t.Errorf("event %d: option %d has %d votes, the winner %d has %d, leaders %b", i+1, o.First(), n, e.Winner, e.Count(e.Winner), e.Leaders)
				}
			}
		case Expelled:
			p.Remove(e.Boat, e.Player)
			shown = e.Position
		case Leaked:
			if crew := p.Crew[e.Boat]; p.Leaks[e.Boat] == Leaks-1 && crew != e.Drowned {
				t.Errorf("event %d: %v drown, aboard were %v", i+1, e.Drowned, crew)
			}
			p.Flood(e.Boat)
			shown = e.Position
		case Moved:
			p.Move(e.Boat)
			shown = e.Position
		case Ended:
			if shown = e.Position; i != len(events)-2 || !p.Over() || e.Fault != -1 || e.Scale != arena.Scale(p.Players) {
				t.Errorf("event %d of %d: %+v", i+1, len(events), e)
			}
			for q, n := range out.Scores {
				if e.Scores[q] != n {
					t.Errorf("seat %d has %d, the event says %d", q, n, e.Scores[q])
				}
			}
		}
		if shown != p {
			t.Fatalf("event %d, %T shows\n%v\nwant\n%v", i+1, event, &shown, &p)
		}
	}
}

// A vote for what is no option is told, and then the end.
func TestRefused(t *testing.T) {
	ref, seats, out := watchedTable(t, 4, "random", 9)
	var events []any
	fx := arena.Fixture{Watch: func(event any) { events = append(events, event) }}
	if err := ref.Play(&fx, seats, out); err != nil {
		t.Fatal(err)
	}
	n := len(events)
	if e, ok := events[n-2].(Refused); !ok || e.Seat != 3 || e.Option != 9 || e.Round != 3 {
		t.Errorf("the last but one event is %+v", events[n-2])
	}
	if e, ok := events[n-1].(Ended); !ok || e.Fault != 3 || e.Scores[3] != 0 || e.Scores[0] == 0 {
		t.Errorf("the last event is %+v", events[n-1])
	}
}

// Who does not watch pays nothing: a game allocates nothing.
func TestUnwatched(t *testing.T) {
	ref, seats, out := watchedTable(t, 5, "random", 0)
	fx := arena.Fixture{Seed: 1}
	if n := testing.AllocsPerRun(20, func() {
		fx.Block++
		if err := ref.Play(&fx, seats, out); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("a game that is not watched allocates %g times", n)
	}
}

// BenchmarkReferee plays games that are not watched, of random voters.
func BenchmarkReferee(b *testing.B) {
	ref, seats, out := watchedTable(b, 5, "random", 0)
	fx := arena.Fixture{Seed: 1}
	b.ReportAllocs()
	for b.Loop() {
		fx.Block++
		if err := ref.Play(&fx, seats, out); err != nil {
			b.Fatal(err)
		}
	}
}

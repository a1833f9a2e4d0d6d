package tubstap

import (
	"context"
	"strings"
	"testing"

	"sakusen/engines/arena"
	"sakusen/engines/param"
)

// stub plays one fixed way.
type stub struct{ act func(*State) Action }

func (stub) Declare(*param.Fields, *Options)   {}
func (s stub) Player(*Options) (Player, error) { return s, nil }
func (stub) Turn(*State, *arena.Stream)        {}
func (s stub) Act(state *State) Action         { return s.act(state) }
func strategy(name string, act func(*State) Action) Strategy {
	return Strategy{Name: name, Doc: name, Source: "ours", New: func(f *param.Fields, r *Options) arena.Maker[Player] {
		c := stub{act}
		c.Declare(f, r)
		return func() (Player, error) { return c.Player(r) }
	}}
}

func stay(s *State) Action {
	id := s.FirstUnmoved()
	u := s.Unit(id)
	return Action{Unit: int16(id), X: u.X, Y: u.Y, Target: NoUnit}
}

// TestFaults: an illegal action loses the game and is counted as a fault;
// what a player does to the state it is shown changes nothing.
func TestFaults(t *testing.T) {
	g := arena.Enter(Definition(),
		strategy("stayer", stay),
		strategy("cheat", func(s *State) Action { return Action{Unit: int16(s.FirstUnmoved()), X: 0, Y: 0, Target: NoUnit} }),
		strategy("vandal", func(s *State) Action {
			a := stay(s)
			for id := range s.units {
				s.units[id].HP = 0
			}
			s.settle()
			s.counter = 1000
			return a
		}),
	)
	rs, errs := g.Open(param.Values{{Name: "map", Text: "own02"}})
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	for _, c := range []struct {
		other  string
		score  int64 // of stayer in a block, in half points
		faults int64
		story  string
	}{{"cheat", 4, 1, "illegal: unit"}, {"vandal", 2, 0, "turnlimit after 20 half-turns, winner nobody, HP 30 to 30"}} {
		var story strings.Builder
		s := arena.Series{Ruleset: rs, Seed: 1, Phase: arena.Match, To: 1, Story: func(l string) { story.WriteString(l + "\n") }}
		for _, text := range []string{"stayer", c.other} {
			e, err := rs.Entrant(text)
			if err != nil {
				t.Fatal(err)
			}
			s.Entrants = append(s.Entrants, e)
		}
		_, err := arena.NewPool(1).Play(context.Background(), s, func(r *arena.Run) error {
			sum := r.Game(0, 0, 0)[0] + r.Game(0, 1, 1)[0]
			if faults := r.Game(0, 0, 1)[1]; sum != c.score || faults != c.faults {
				t.Errorf("%s: stayer scores %d with %d faults of the other, want %d and %d", c.other, sum, faults, c.score, c.faults)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(story.String(), c.story) {
			t.Errorf("%s: the story lacks %q:\n%s", c.other, c.story, story.String())
		}
	}
}

package arena

import (
	"context"
	"errors"
	"log/slog"
	"reflect"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// barn is a machine that has some programs.
type barn struct {
	machine
	programs []Program
}

func (b *barn) Has(needs *Needs) bool {
	return !slices.ContainsFunc(needs.Programs, func(p Program) bool { return !slices.Contains(b.programs, p) })
}

// Programs of other people play on those machines that have the very same, and at the
// pool's own slots; where their games cannot be played again, at these alone.
func TestProgramsElsewhere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, id := lotSeries(t, time.Second, 24), Identity{Hash: "1", Way: "w"}
		want, _, _ := playJoined(t, NewPool(1), s)
		for i := range s.Ruleset.Game.Strategies {
			s.Ruleset.Game.Strategies[i].Outside = i < 2
		}
		s.Ruleset.identify = func(string) (Identity, error) { return id, nil }
		programs := func(identity string) []Program {
			return []Program{{Name: "a", Identity: identity, Way: "w"}, {Name: "b", Identity: "1", Way: "w"}, {Name: "d", Identity: "1", Way: "w"}}
		}
		for _, recorded := range []string{"", "a clock"} {
			p := NewOpenPool(1)
			same, other, none := &barn{programs: programs("1")}, &barn{programs: programs("2")}, &barn{}
			for _, m := range []*barn{none, other, same} {
				m.each = time.Second / 3
				defer p.Attach(m, 2, 0)()
			}
			id.Recorded = recorded
			if got, _, _ := playJoined(t, p, s); !reflect.DeepEqual(got, want) {
				t.Error("another result")
			}
			if other.given != 0 || none.given != 0 || (same.given > 0) != (recorded == "") {
				t.Errorf("recorded %q: %d chunks for the machine with the same programs, %d for one with others, %d for one without", recorded, same.given, other.given, none.given)
			}
		}
	})
}

// Where this machine has become too slow for the clocks of a series, others play it; without others it
// fails, and soon the speed is measured again.
func TestBusyMachine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := lotSeries(t, time.Second, 24)
		for i := range s.Ruleset.Game.Strategies {
			s.Ruleset.Game.Strategies[i].Outside = i < 2
		}
		s.Ruleset.identify = func(string) (Identity, error) {
			return Identity{Hash: "1", Way: "w", Recorded: "a clock", Timed: true}, nil
		}
		s.Fix = func(Speeds) (Speeds, error) { return Speeds{"a": 1000, "b": 1000}, nil }
		p, speed := NewOpenPool(1), 200.
		NewGauge(p, func(context.Context, string, int, time.Duration) (float64, float64, error) { return speed, 0, nil }, time.Second, time.Hour, slog.New(slog.DiscardHandler))
		if _, err := p.Play(t.Context(), s, nil); !errors.Is(err, ErrBeyond) {
			t.Errorf("alone: %v", err)
		}
		m := &barn{programs: []Program{{Name: "a", Identity: "1", Way: "w"}, {Name: "b", Identity: "1", Way: "w"}, {Name: "d", Identity: "1", Way: "w"}}}
		m.each = time.Second / 3
		leave := p.Attach(m, 2, 0)
		if tally, err := p.Play(t.Context(), s, nil); err != nil || tally.Blocks != 24 || p.Played() > 0 {
			t.Errorf("with another: %d blocks, %d games here, %v", tally.Blocks, p.Played(), err)
		}
		leave()
		speed = 900
		time.Sleep(3 * time.Minute)
		if tally, err := p.Play(t.Context(), s, nil); err != nil || tally.Blocks != 24 {
			t.Errorf("when it is less busy: %d blocks, %v", tally.Blocks, err)
		}
	})
}

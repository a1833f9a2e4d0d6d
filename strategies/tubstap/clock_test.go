package tubstap

import (
	"math"
	"reflect"
	"testing"

	"sakusen/engines/tubstap"
)

// fair returns a generated map with 12 units a side.
func fair(t *testing.T) *tubstap.State {
	t.Helper()
	d := tubstap.DefaultDesign()
	d.Units = 12
	m, err := d.Map()
	if err != nil {
		t.Fatal(err)
	}
	return m.Start(tubstap.Rules{})
}

// A turn of twelve units and 9.7 seconds at 850 playouts a second leaves each
// action a twelfth of 8 245 playouts, and less than one playout at the end.
func TestClockDividesATurn(t *testing.T) {
	c := clock{Rate: 850, Seconds: 9.7, Shared: 15.6}
	s, left := fair(t), 9.7
	for _, stay := range s.Clone().StayAll() {
		p, rest := c.spend(left, 20000, s)
		if p.playouts != 687 || p.shared != 13 {
			t.Fatalf("%d units to act: %d playouts, %d of them with the same numbers; want 687 and 13", s.Unmoved(s.Mover()), p.playouts, p.shared)
		}
		left = rest
		s.Do(stay)
	}
	if left < 0 || left > 12/850.0 {
		t.Errorf("%v seconds are left", left)
	}
	// A clock that leaves time for all of them gives the simulations asked for.
	if p, rest := c.spend(9.7, 100, fair(t)); p.playouts != 100 || math.Abs(rest-(9.7-100/850.0)) > 1e-12 {
		t.Errorf("%+v, %v seconds left", p, rest)
	}
	if p, _ := c.spend(-1, 100, fair(t)); p.playouts != 1 {
		t.Errorf("no time left: %+v", p)
	}
}

// With time for everything and generators of their own for all playouts the
// timed search is the reference one; with shared numbers it is another.
func TestTimedIsReferenceWithoutHaste(t *testing.T) {
	state := fair(t)
	play := func(c clock) []child {
		s := muctSearch{MuctSettings: MuctProgram()}
		s.Simulations, s.Clock = 300, c
		if c.runs() {
			s.pace, _ = c.spend(c.Seconds, s.Simulations, state)
		}
		s.runFrom(state, 7)
		return s.rootChildren()
	}
	reference := play(clock{})
	if timed := play(clock{Rate: 850, Seconds: 1000}); !reflect.DeepEqual(timed, reference) {
		t.Error("a clock without haste changes the search")
	}
	shared := play(clock{Rate: 850, Seconds: 1000, Shared: 15.6})
	if reflect.DeepEqual(shared, reference) {
		t.Error("shared numbers change nothing")
	}
	short, visits := play(clock{Rate: 10, Seconds: 60}), 0
	for _, c := range short {
		visits += c.Visits
	}
	if visits != 50 {
		t.Errorf("%d simulations in 5 of 60 seconds at 10 a second, want 50", visits)
	}
}

package tubstap

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"sakusen/engines/suite"
)

// same compares everything a state is, scratch aside.
func same(a, b *State) bool {
	x, y := *a, *b
	x.reach, y.reach = reach{}, reach{}
	return reflect.DeepEqual(x, y)
}

// equal does what same does, without reflection, for the long runs.
func equal(a, b *State) bool {
	if a.mover != b.mover || a.counter != b.counter || a.alive != b.alive || a.unmoved != b.unmoved || a.hp != b.hp || a.resigned != b.resigned {
		return false
	}
	for i := range a.units {
		if a.units[i] != b.units[i] {
			return false
		}
	}
	for i := range a.at {
		if a.at[i] != b.at[i] {
			return false
		}
	}
	return true
}

// TestMillionActions plays a million random actions on all maps; the sums
// kept by Do equal those counted afresh. By default it plays fifty
// thousand.
func TestMillionActions(t *testing.T) {
	want := 1_000_000
	if suite.Few() {
		want = 50_000
	}
	rng := rand.New(rand.NewPCG(5, 108))
	var list []Action
	done := 0
	names := MapNames()
	for game := 0; done < want; game++ {
		s := mustMap(t, names[game%len(names)]).Start(Rules{})
		fresh := s.Clone()
		for !s.Over() {
			for !s.TurnDone() {
				id := s.FirstUnmoved()
				for range rng.IntN(3) {
					for next := id + 1; next < s.Units(); next++ {
						if s.Movable(next) {
							id = next
							break
						}
					}
				}
				list = s.AppendAll(list[:0], id)
				a := list[rng.IntN(len(list))]
				s.Do(a)
				fresh.CopyFrom(s)
				fresh.settle()
				if !equal(s, fresh) {
					t.Fatalf("game %d: after %v the sums are wrong", game, a)
				}
				done++
			}
			s.EndTurn()
		}
		if !same(s, s.Clone()) {
			t.Fatal("a clone differs")
		}
	}
	t.Logf("%d actions", done)
}

// TestCheckAgreesWithLists tries every destination and target of every unit
// against the lists.
func TestCheckAgreesWithLists(t *testing.T) {
	for _, name := range []string{"own01", "own05", "own17"} {
		s := mustMap(t, name).Start(Rules{})
		for id := range s.Units() {
			legal := map[Action]bool{}
			if s.Movable(id) {
				for _, a := range s.AppendAll(nil, id) {
					legal[a] = true
				}
			}
			for x := -1; x <= s.m.SizeX; x++ {
				for y := -1; y <= s.m.SizeY; y++ {
					for target := NoUnit; target <= s.Units(); target++ {
						a := Action{Unit: int16(id), X: int8(x), Y: int8(y), Target: int16(target)}
						if err := s.Check(a); (err == nil) != legal[a] {
							t.Fatalf("%s: %v: %v, listed %v", name, a, err, legal[a])
						}
					}
				}
			}
		}
	}
}

func TestNoAllocation(t *testing.T) {
	start := mustMap(t, "paper12b").Start(Rules{})
	s := start.Clone()
	list := make([]Action, 0, 256)
	if n := testing.AllocsPerRun(100, func() {
		s.CopyFrom(start)
		for id := 0; id < s.Units(); id++ {
			if s.Movable(id) {
				list = s.AppendAll(list[:0], id)
				s.Do(list[len(list)-1])
			}
		}
		s.EndTurn()
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

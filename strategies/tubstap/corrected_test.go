package tubstap

import (
	"testing"

	"sakusen/engines/suite"
	"sakusen/engines/tubstap"
)

// TestBoardsSearchAlike runs whole searches on the fast boards and on the
// plain one.
func TestBoardsSearchAlike(t *testing.T) {
	names := []string{"own00", "own02", "own05", "own17", "paper10a"}
	if suite.Few() {
		names = names[:3]
	}
	for _, name := range names {
		for _, mode := range []string{reference, corrected} {
			m, err := tubstap.EmbeddedMap(name)
			if err != nil {
				t.Fatal(err)
			}
			set := MuctSettings{Simulations: 250, Expansion: 1, C: 0.3, Attack: 90, Mode: mode, Reuse: true}
			fast, plain := muctSearch{MuctSettings: set}, muctSearch{MuctSettings: set, plain: true}
			state := m.Start(tubstap.Rules{})
			for seed := uint64(1); !state.TurnDone(); seed++ {
				a, b := fast.goOn(state, seed), plain.goOn(state, seed)
				if a != b || fast.generator() != plain.generator() || fast.deepest() != plain.deepest() {
					t.Fatalf("%s %s seed %d: %v and %v", name, mode, seed, a, b)
				}
				x, y := fast.rootChildren(), plain.rootChildren()
				for i := range x {
					if x[i] != y[i] {
						t.Fatalf("%s %s seed %d: child %d %v and %v", name, mode, seed, i, x[i], y[i])
					}
				}
				if err := state.Check(a); err != nil {
					t.Fatal(err)
				}
				state.Do(a)
			}
		}
	}
}

// duel is a map on which the first to strike wins: the search must see it.
const duel = `SIZEX[7];SIZEY[3];TURNLIMIT[10];HPTHRESHOLD[0];UNITNUMRED[2];UNITNUMBLUE[1];
UNIT[1,1,antiair,0,10,0];UNIT[4,1,infantry,1,10,0];UNIT[5,1,cannon,0,10,1];
MAP[0,0,0,0,0,0,0];MAP[0,5,5,5,5,5,0];MAP[0,0,0,0,0,0,0];`

func TestCorrectedStrikesFirst(t *testing.T) {
	m, _, err := tubstap.ParseMap([]byte(duel))
	if err != nil {
		t.Fatal(err)
	}
	s := muctSearch{MuctSettings: MuctSettings{Simulations: 300, Expansion: 5, C: 0.5, Attack: 80, Mode: corrected}}
	if a := s.runFrom(m.Start(tubstap.Rules{}), 1); a != (tubstap.Action{Unit: 0, X: 3, Y: 1, Target: 1}) {
		t.Errorf("chose %v", a)
	}
	for _, c := range s.rootChildren() {
		if c.Action.Target == 1 && c.Halves != 2*c.Visits {
			t.Errorf("%v: a won game is scored %d halves in %d visits", c.Action, c.Halves, c.Visits)
		}
	}
}

// TestReuseKeepsTree: the visits of the chosen child's children are there
// when the next search begins.
func TestReuseKeepsTree(t *testing.T) {
	m, err := tubstap.EmbeddedMap("own02")
	if err != nil {
		t.Fatal(err)
	}
	visits := func(reuse bool) int {
		s := muctSearch{MuctSettings: MuctSettings{Simulations: 2000, Expansion: 5, C: 0.15, Attack: 80, Mode: corrected, Reuse: reuse}}
		state := m.Start(tubstap.Rules{})
		state.Do(s.goOn(state, 1))
		s.goOn(state, 2)
		sum := 0
		for _, c := range s.rootChildren() {
			sum += c.Visits
		}
		return sum
	}
	if kept, fresh := visits(true), visits(false); fresh != 2000 || kept <= fresh {
		t.Errorf("%d visits with reuse, %d without", kept, fresh)
	}
}

func TestSearchAllocatesLittle(t *testing.T) {
	m, err := tubstap.EmbeddedMap("paper12b")
	if err != nil {
		t.Fatal(err)
	}
	s := muctSearch{MuctSettings: MuctProgram()}
	s.Simulations = 500
	state := m.Start(tubstap.Rules{})
	s.runFrom(state, 1)
	if n := testing.AllocsPerRun(20, func() { s.runFrom(state, 1) }); n > 0 {
		t.Errorf("%v allocations in a repeated search", n)
	}
}

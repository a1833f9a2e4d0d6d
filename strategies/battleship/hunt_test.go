package battleship

import (
	"strings"
	"testing"

	"sakusen/engines/arena"
	"sakusen/engines/battleship"
)

// TestFigure4 compares the unshifted pattern with the paper's figure.
func TestFigure4(t *testing.T) {
	board, err := battleship.NewBoard(8, 4)
	if err != nil {
		t.Fatal(err)
	}
	h := newHunt(huntRule{Hunt: "classes"}, board)
	h.classes = &h.shifts[0][0]
	want := strings.Fields(".A.C.A.C D.B.D.B. .C.A.C.A B.D.B.D.")
	for s := range board.All().All() {
		got := byte('.')
		for class, set := range h.classes {
			if set.Has(s) {
				got = "ABCD"[class]
			}
		}
		if got != want[board.Row(s)][board.Column(s)] {
			t.Errorf("%s: %c, want %c", board.Name(s), got, want[board.Row(s)][board.Column(s)])
		}
	}
}

// TestHunt plays out the hunt on an empty sea: no two shots side by side while
// the pattern lasts, no ship of two squares left when it ends, and the order
// that the rule asks for.
func TestHunt(t *testing.T) {
	board, _ := battleship.NewBoard(10, 10)
	fleet, err := battleship.NewNameless(2)
	if err != nil {
		t.Fatal(err)
	}
	for _, rule := range []string{"fewest_neighbours", "classes"} {
		h := newHunt(huntRule{Hunt: rule}, board)
		firsts := map[battleship.Square]bool{}
		for game := range uint64(100) {
			v := &battleship.View{Knowledge: battleship.NewKnowledge(board, fleet), Chance: arena.NewStream(game, 0)}
			h.Aim(v)
			last, n := 0, 0
			for ; !v.Unknown().Empty(); n++ {
				at := h.shoot(v)
				if n == 0 {
					firsts[at] = true
				}
				if board.Neighbours(at).Meets(v.Shots()) {
					t.Fatalf("%s: shot %d lies beside another", rule, n+1)
				}
				for class, set := range h.classes {
					if set.Has(at) {
						if class < last {
							t.Fatalf("%s: class %d after %d", rule, class, last)
						}
						last = class
					}
				}
				v.Record(at, battleship.Miss)
			}
			if n != 50 {
				t.Fatalf("%s: %d shots until a ship of two squares is found", rule, n)
			}
		}
		if len(firsts) < 50 {
			t.Errorf("%s: only %d first shots in 100 games", rule, len(firsts))
		}
	}
}

// TestHuntKeepsOff: of the pattern's squares those with the fewest attacked
// neighbours come first, whatever their class; off the pattern comes last.
func TestHuntKeepsOff(t *testing.T) {
	board, _ := battleship.NewBoard(10, 10)
	fleet, _ := battleship.NewNameless(2, 3)
	v := &battleship.View{Knowledge: battleship.NewKnowledge(board, fleet)}
	at := func(names string) (set battleship.Set) {
		for _, name := range strings.Fields(names) {
			s, err := board.Parse(name)
			if err != nil {
				t.Fatal(err)
			}
			set.Add(s)
		}
		return set
	}
	// Unshifted, a1 b2 c3 are off the pattern, a2 b1 c2 b3 d3 on it.
	for s := range at("b2 c1 b4").All() {
		v.Record(s, battleship.Miss)
	}
	for _, c := range []struct{ rule, among, want string }{
		{"fewest_neighbours", "b1 a2 c2 b3 a1", "a2"}, // 2, 1, 2, 2 attacked neighbours
		{"fewest_neighbours", "b1 c2 b3 a1", "b1"},    // all 2: class A
		{"classes", "b1 a2 c2 b3 a1", "b1"},           // A D B C
		{"classes", "a2 b3 a1", "b3"},                 // C before D
		{"fewest_neighbours", "a1 c3", "a1 c3"},       // none on the pattern
		{"fewest_neighbours", "h9 j9 a1 b1", "j9"},    // A before C, no neighbour attacked
	} {
		h := newHunt(huntRule{Hunt: c.rule}, board)
		h.classes = &h.shifts[0][0]
		if got := h.first(v, at(c.among)); got != at(c.want) {
			t.Errorf("%s of %s: got %v, want %s", c.rule, c.among, got, c.want)
		}
	}
}

package battleship

import (
	"fmt"
	"math/big"
	"testing"

	"sakusen/engines/battleship"
)

// small are boards on which everything is tried.
var small = []struct {
	width, height int
	lengths       []int // ships of one length are announced alike
}{
	{4, 1, []int{2}}, {3, 3, []int{2}}, {5, 2, []int{3}}, {6, 1, []int{2, 2}}, {6, 1, []int{3, 2}}, {3, 2, []int{2, 2}}, {3, 2, []int{2, 3}}, {2, 2, []int{1, 1}},
	{5, 1, []int{2, 1}}, {3, 2, []int{2, 1}},
}

// The dynamic programme finds what trying all shots after all answers finds, and the
// bound is not above it.
func TestAgainstTryingAll(t *testing.T) {
	for _, c := range small {
		board, fleet := boardOf(t, c.width, c.height, c.lengths)
		s, err := solveBoard(board, fleet, 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		all := everyFleet(c.width, c.height, c.lengths)
		want := tryAll(all, map[int]bool{}, map[string]int{}, c.width*c.height)
		if s.Placements != len(all) || s.Total != int64(want) {
			t.Errorf("%v: %d shots over %d placements, want %d over %d", c, s.Total, s.Placements, want, len(all))
		}
		if s.Greedy < s.Total {
			t.Errorf("%v: the likeliest square needs %d shots, the best attack %d", c, s.Greedy, s.Total)
		}
		b, err := newBound(board, fleet)
		if err != nil {
			t.Fatal(err)
		}
		if b.Shots.Cmp(s.shots()) > 0 || b.Placements.Cmp(big.NewInt(int64(len(all)))) != 0 {
			t.Errorf("%v: bound %s over %s placements, the best attack needs %s", c, b.Shots.FloatString(4), b.Placements, s.shots().FloatString(4))
		}
	}
}

// A ship of one square on n squares is found after (n + 1) / 2 shots, and the bound
// knows that.
func TestBoundOfOneSquare(t *testing.T) {
	board, fleet := boardOf(t, 5, 3, []int{1})
	b, err := newBound(board, fleet)
	if err != nil || b.Shots.Cmp(big.NewRat(8, 1)) != 0 {
		t.Errorf("%v, %v, want 8", b, err)
	}
}

func TestTooLarge(t *testing.T) {
	board, fleet := boardOf(t, 4, 4, []int{3, 2})
	if _, err := solveBoard(board, fleet, 10); err != errLarge {
		t.Errorf("%v", err)
	}
	board, err := battleship.NewBoard(10, 10)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := solveBoard(board, battleship.Classic(), 10); err == nil {
		t.Error("the paper's fleet has few placements")
	}
}

func boardOf(t *testing.T, width, height int, lengths []int) (*battleship.Board, *battleship.Fleet) {
	t.Helper()
	board, err := battleship.NewBoard(width, height)
	if err != nil {
		t.Fatal(err)
	}
	fleet, err := battleship.NewNameless(lengths...)
	if err != nil {
		t.Fatal(err)
	}
	return board, fleet
}

// everyFleet returns a list of fleets, each a list of ships, each a list of squares.
func everyFleet(width, height int, lengths []int) [][][]int {
	fleets := [][][]int{nil}
	for _, n := range lengths {
		var more [][][]int
		for _, f := range fleets {
			taken := map[int]bool{}
			for _, ship := range f {
				for _, s := range ship {
					taken[s] = true
				}
			}
			for s := range width * height {
				for _, step := range []int{1, width} {
					if n == 1 && step != 1 || n > 1 && step == width && width == 1 {
						continue
					}
					if step == 1 && s%width+n > width || step == width && s/width+n > height {
						continue
					}
					var ship []int
					free := true
					for i := range n {
						ship = append(ship, s+i*step)
						free = free && !taken[s+i*step]
					}
					if free {
						more = append(more, append(append([][]int{}, f...), ship))
					}
				}
			}
		}
		fleets = more
	}
	return fleets
}

// tryAll returns the least shots over the fleets left: every square, every answer.
func tryAll(left [][][]int, shot map[int]bool, known map[string]int, squares int) int {
	name := fmt.Sprint(left, shot) // fmt sorts maps
	if v, ok := known[name]; ok {
		return v
	}
	over := true
	for _, ship := range left[0] {
		for _, s := range ship {
			over = over && shot[s]
		}
	}
	if over {
		return 0
	}
	best := 1 << 30
	for x := range squares {
		if shot[x] {
			continue
		}
		shot[x] = true
		parts := map[string][][][]int{}
		for _, f := range left {
			answer := "miss"
			for _, ship := range f {
				has, sunk := false, true
				for _, s := range ship {
					has, sunk = has || s == x, sunk && shot[s]
				}
				if has {
					answer = "hit"
				}
				if has && sunk {
					answer = fmt.Sprint("sunk ", len(ship))
				}
			}
			parts[answer] = append(parts[answer], f)
		}
		sum := len(left)
		for _, part := range parts {
			sum += tryAll(part, shot, known, squares)
		}
		delete(shot, x)
		best = min(best, sum)
	}
	known[name] = best
	return best
}

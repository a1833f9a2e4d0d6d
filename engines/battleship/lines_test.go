package battleship

import (
	"math/rand/v2"
	"testing"
)

// TestLinesSlowly compares whole-board operations with square by square ones.
func TestLinesSlowly(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, dim := range [][2]int{{10, 10}, {8, 8}, {12, 10}, {16, 8}, {16, 16}, {13, 15}, {1, 7}, {7, 1}, {2, 2}, {1, 1}} {
		b, err := NewBoard(dim[0], dim[1])
		if err != nil {
			t.Fatal(err)
		}
		for range 200 {
			var set Set
			for s := range b.Squares() {
				if r.IntN(3) == 0 {
					set.Add(Square(s))
				}
			}
			var ends Set
			var more [4]Set
			for s := range b.Squares() {
				at, touching := Square(s), 0
				arms := b.Arms(at, set)
				for d := range Direction(4) {
					next, ok := b.Step(at, d)
					if !ok {
						if arms[d] != 0 {
							t.Fatalf("%v: an arm of %d squares across the border", dim, arms[d])
						}
						continue
					}
					if set.Has(next) {
						touching++
						if after, ok := b.Step(next, d); ok && set.Has(after) && !set.Has(at) {
							ends.Add(at)
						}
					}
					n := 0
					for on := true; on && !set.Has(next); n++ {
						next, on = b.Step(next, d)
					}
					if arms[d] != n {
						t.Fatalf("%v: arm of %s in direction %d is %d, want %d", dim, b.Name(at), d, arms[d], n)
					}
				}
				for n := range touching {
					more[n].Add(at)
				}
			}
			if got := b.Ends(set); got != ends {
				t.Fatalf("%v: ends of %v are %v, want %v", dim, set, got, ends)
			}
			if got := b.Touching(set); got != more {
				t.Fatalf("%v: touching %v are %v, want %v", dim, set, got, more)
			}
		}
	}
}

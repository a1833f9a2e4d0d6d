package battleship

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The chance is that of games played on at random, and of cases that can be counted.
func TestChance(t *testing.T) {
	for _, c := range []struct {
		left, open [2]int
		want       float64
	}{
		{[2]int{1, 1}, [2]int{2, 2}, 0.75}, // one of two squares: not later than the other one
		{[2]int{1, 1}, [2]int{1, 1}, 1},
		{[2]int{0, 5}, [2]int{7, 9}, 1},
		{[2]int{3, 0}, [2]int{9, 4}, 0},
		{[2]int{2, 1}, [2]int{2, 2}, 0.5}, // its second shot against a first or second one
	} {
		if got := chance(c.left, c.open); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%v of %v: %g, want %g", c.left, c.open, got, c.want)
		}
	}
	draw := rand.New(rand.NewPCG(1, 2))
	last := func(m, u int) int { // the shot with which the last of m is hit
		n := 0
		for _, square := range draw.Perm(u)[:m] {
			n = max(n, square+1)
		}
		return n
	}
	const games = 20_000
	won := 0
	for range games {
		if last(9, 60) <= last(6, 40) {
			won++
		}
	}
	if got, want := chance([2]int{9, 6}, [2]int{60, 40}), float64(won)/games; math.Abs(got-want) > 0.015 {
		t.Errorf("%g, but %g of the games", got, want)
	}
}

package tournament

import (
	"maps"
	"math"
	"slices"

	"sakusen/engines/arena"
	"sakusen/tuner/stats"
)

// Sides estimates who wins from the sides taken singly, for a race: a game of
// two seats in which each side takes a number of turns that does not depend on
// the other, and seat 0 wins if it takes no more than seat 1. Then the chance of
// a win is P(X <= Y) of two independent numbers, and every X met with every Y
// says more than each with the one it happened to meet.
//
// The variance is that of Hoeffding's projection (1948): with F and G the shares
// X <= y and Y >= x, that of G(X) + F(Y), where X and Y are taken together if
// they come from the same seat of a block and so share its chance.
type Sides struct {
	component int
	mirror    bool
	// joint counts the pairs of numbers that both entrants have in the same seat of a
	// block. A mirror has one game a block; its numbers stand alone, as {x, 0}.
	joint  map[[2]int64]int64
	counts [2]map[int64]int64 // by entrant
	n      int64              // of each entrant
}

func newSides(component int, mirror bool) *Sides {
	s := &Sides{component: component, mirror: mirror, joint: map[[2]int64]int64{}}
	for i := range s.counts {
		s.counts[i] = map[int64]int64{}
	}
	return s
}

// add counts a run; nil counts nothing.
func (s *Sides) add(r *arena.Run) {
	if s == nil {
		return
	}
	at := 2 + s.component
	for b := range r.Blocks {
		for seat := range 2 {
			x := r.Game(b, 0, seat)[at]
			s.n++
			if s.mirror {
				s.counts[0][x]++
				s.joint[[2]int64{x, 0}]++
				continue
			}
			// Entrant 0 has seat 0 in rotation 0 and seat 1 in rotation 1.
			y := r.Game(b, 1, seat)[at]
			if seat == 1 {
				x, y = y, x
			}
			s.counts[0][x]++
			s.counts[1][y]++
			s.joint[[2]int64{x, y}]++
		}
	}
}

// wins is the share of games that a seat wins in a rotation.
func (s *Sides) wins(rotation, seat int) stats.MeanInterval {
	first, second := s.counts[rotation], s.counts[1-rotation]
	if s.mirror {
		first, second = s.counts[0], s.counts[0]
	}
	if s.n < 2 {
		return stats.MeanInterval{}
	}
	n := float64(s.n)
	atMost, atLeast := cumulative(first, n), cumulative(second, n).reversed()
	p := 0.0
	for _, x := range sorted(first) {
		p += float64(first[x]) / n * atLeast.at(x)
	}
	mean, square := 0.0, 0.0
	for _, xy := range s.numbers() {
		count := s.joint[xy]
		x, y := xy[rotation], xy[1-rotation]
		if s.mirror {
			x, y = xy[0], xy[0]
		}
		v := atLeast.at(x) + atMost.at(y)
		mean += float64(count) / n * v
		square += float64(count) / n * v * v
	}
	if s.mirror {
		p = (p*n - 1) / (n - 1) // a side does not meet itself
	}
	se := math.Sqrt(max(square-mean*mean, 0) / (n - 1))
	if seat == 1 {
		p = 1 - p
	}
	return stats.Normal(p, se)
}

// numbers are the keys of joint in order, so that sums are the same to the last
// bit whenever they are made.
func (s *Sides) numbers() [][2]int64 {
	return slices.SortedFunc(maps.Keys(s.joint), func(a, b [2]int64) int { return slices.Compare(a[:], b[:]) })
}

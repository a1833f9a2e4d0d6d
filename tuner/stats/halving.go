package stats

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Standing is where a trial of a batch is when a rung is judged.
type Standing struct {
	Trial int     // number
	Score float64 // what is raced by; more is better. NaN loses to everything.
}

// Halve keeps the best part of a batch, rounded up and at least one trial:
// synchronous successive halving judges the whole batch at once, so the result
// does not depend on who finished first. Ties go to the lower trial number. It
// gives the numbers of the kept trials, ascending.
//
// This is a budget rule. It claims no error rate: it may well stop the best
// trial, and does so less often with common blocks.
// Source: Z. Karnin, T. Koren, O. Somekh (2013); K. Jamieson, A. Talwalkar
// (2016).
func Halve(batch []Standing, keep float64) ([]int, error) {
	if !(keep > 0 && keep <= 1) {
		return nil, fmt.Errorf("keep: expected a number in (0, 1], got %v", keep)
	}
	order := slices.Clone(batch)
	slices.SortFunc(order, func(a, b Standing) int {
		// NaN is below every number in the order of cmp.
		if c := cmp.Compare(b.Score, a.Score); c != 0 {
			return c
		}
		return cmp.Compare(a.Trial, b.Trial)
	})
	kept := make([]int, kept(len(order), keep))
	for i := range kept {
		kept[i] = order[i].Trial
	}
	slices.Sort(kept)
	return kept, nil
}

// kept is how many of n are: n keep, rounded up whatever the last bit of the
// product says.
func kept(n int, keep float64) int {
	return min(n, max(min(n, 1), int(math.Ceil(float64(n)*keep-1e-9))))
}

// HalvingBlocks is the number of blocks that a batch plays in all: everybody to
// the first rung, those kept from it to the second, and so on.
func HalvingBlocks(trials int, rungs []int64, keep float64) int64 {
	blocks, before := int64(0), int64(0)
	for _, r := range rungs {
		blocks += int64(trials) * (r - before)
		before = r
		trials = kept(trials, keep)
	}
	return blocks
}

package bench

import (
	"cmp"
	"math"
	"slices"
)

// correct fills in q: the smallest false discovery rate at which the change would be
// reported among all series that were tested. The family is every paired series, except
// those of a unit that is assumed exact: their p is 0 by definition and not by a test.
//
// Source: Benjamini and Hochberg 1995, "Controlling the False Discovery Rate", section 3.
func correct(rows []Row) {
	var family []*Row
	for i := range rows {
		switch r := &rows[i]; {
		case !r.Paired():
		case r.P == 0:
			r.Q = 0
		default:
			family = append(family, r)
		}
	}
	slices.SortStableFunc(family, func(a, b *Row) int { return cmp.Compare(b.P, a.P) })
	least := 1.0
	for i, r := range family {
		rank := len(family) - i
		least = math.Min(least, r.P*float64(len(family))/float64(rank))
		r.Q = math.Max(least, r.P)
	}
}

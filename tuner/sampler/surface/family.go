package surface

import (
	"math"
	"slices"
)

const (
	// mostSpread is the most points at which bumps stand, and uncovered
	// the share of the variance that they may leave unknown at a point that was played.
	mostSpread = 96
	uncovered  = 0.02
	// lowland, in Elo, is how far below the best a point counts 1/e, and leastPoint what any
	// point counts at least.
	lowland    = 100
	leastPoint = 0.05
)

// rivalFit is a family that was tried, and the logarithm of its evidence.
type rivalFit struct {
	bumps bumps // nil of the quadratic alone
	proof float64
}

// family is a kind of bumps that is tried: how far they reach, and how rough they are.
type family struct {
	length   float64
	rough    bool
	additive bool // a curve a number
}

// families returns those that are compared by their evidence: surfaces of all numbers together,
// shortest first, then curves of each number.
func (b *basis) families() []family {
	f := math.Sqrt(math.Max(1, float64(len(b.numbers))) / 2)
	var all []family
	for _, length := range [4]float64{0.1, 0.2, 0.3, 0.5} {
		all = append(all, family{length: length * f})
	}
	for _, length := range [2]float64{0.3, 0.6} {
		all = append(all, family{length: length * f, rough: true})
	}
	if len(b.numbers) > 1 {
		all = append(all, family{length: 0.1, additive: true}, family{length: 0.25, additive: true}, family{length: 0.3, rough: true, additive: true})
	}
	return all
}

// bumps are the family's, nil where they cannot be made.
func (f family) bumps(b *basis, points [][]float64, height []float64) bumps {
	if f.additive {
		if u := newAdditive(b, f.length, f.rough); u != nil {
			return u
		}
	} else if u := spreadBumps(b, points, height, f); u != nil {
		return u
	}
	return nil
}

// spreadBumps chooses the points at which bumps stand by a pivoted Cholesky factor of
// their covariance at all points that were played (S. Fine, K. Scheinberg, Efficient SVM
// training using low-rank kernel representations, 2001): each time the point whose
// height the points before it leave least known, those far below the best counting less.
func spreadBumps(b *basis, points [][]float64, height []float64, f family) *field {
	u := &field{length: f.length, rough: f.rough}
	points, height = distinct(points, height)
	best := slices.Max(height)
	worthy := make([]pivot, len(points)) // those that may still be chosen
	for i, h := range height {
		worthy[i] = pivot{at: points[i], left: 1, counts: math.Max(leastPoint, math.Exp((h-best)/lowland))}
	}
	for len(u.at) < mostSpread {
		at, most, n := 0, 0.0, 0
		for i := range worthy {
			worth := float64(worthy[i].left * worthy[i].counts)
			if worth < uncovered || worthy[i].left < 1e-9 {
				continue // what is left falls, so that it is never chosen
			}
			if worth > most {
				at, most = n, worth
			}
			worthy[n], worthy[i] = worthy[i], worthy[n]
			n++
		}
		if worthy = worthy[:n]; n == 0 {
			break
		}
		p := worthy[at]
		u.at = append(u.at, p.at)
		scale := 1 / math.Sqrt(p.left)
		for i := range worthy {
			q := &worthy[i]
			c := u.covariance(b, q.at, p.at)
			for k, x := range p.column {
				c -= float64(q.column[k] * x)
			}
			x := float64(c * scale)
			q.column = append(q.column, x)
			q.left -= float64(x * x)
		}
		worthy[at].left = 0
	}
	if len(u.at) == 0 || !u.whiten(b) {
		return nil
	}
	return u
}

// pivot is a point at which a bump may stand.
type pivot struct {
	at           []float64
	column       []float64 // its row of the factor so far
	left, counts float64   // variance that is left unknown, and how much the point counts
}

// distinct leaves out points that come again.
func distinct(points [][]float64, height []float64) ([][]float64, []float64) {
	order := make([]int, len(points))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return slices.Compare(points[i], points[j]) })
	var at [][]float64
	var h []float64
	for k, i := range order {
		if k == 0 || !slices.Equal(points[i], at[len(at)-1]) {
			at, h = append(at, points[i]), append(h, height[i])
		}
	}
	return at, h
}

package surface

import (
	"math"
	"slices"
)

const (
	// mostSpread is the most points at which bumps stand from edition 5 on, and uncovered
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
	bumps *bumps // nil of the quadratic alone
	proof float64
}

// family is a kind of bumps that is tried: how far they reach, and how rough they are.
type family struct {
	length float64
	rough  bool
}

// families are those that edition 5 compares by their evidence, shortest first.
func (b *basis) families() []family {
	f := math.Sqrt(math.Max(1, float64(len(b.numbers))) / 2)
	var all []family
	for _, length := range [4]float64{0.1, 0.2, 0.3, 0.5} {
		all = append(all, family{length * f, false})
	}
	for _, length := range [2]float64{0.3, 0.6} {
		all = append(all, family{length * f, true})
	}
	return all
}

// spreadBumps chooses the points at which bumps stand by a pivoted Cholesky factor of
// their covariance at all points that were played (S. Fine, K. Scheinberg, Efficient SVM
// training using low-rank kernel representations, 2001): each time the point whose
// height the points before it leave least known, those far below the best counting less.
func spreadBumps(b *basis, points [][]float64, height []float64, f family) *bumps {
	u := &bumps{length: f.length, rough: f.rough}
	points, height = distinct(points, height)
	best := slices.Max(height)
	left, counts := make([]float64, len(points)), make([]float64, len(points))
	for i, h := range height {
		left[i] = 1
		counts[i] = math.Max(leastPoint, math.Exp((h-best)/lowland))
	}
	var columns [][]float64
	for len(u.at) < mostSpread {
		at, most := 0, 0.0
		for i := range points {
			if worth := float64(left[i] * counts[i]); worth > most {
				at, most = i, worth
			}
		}
		if most < uncovered {
			break
		}
		u.at = append(u.at, points[at])
		column := make([]float64, len(points))
		scale := 1 / math.Sqrt(left[at])
		for i, x := range points {
			if left[i] < 1e-9 {
				continue
			}
			c := u.covariance(b, x, points[at])
			for _, before := range columns {
				c -= float64(before[i] * before[at])
			}
			column[i] = float64(c * scale)
		}
		for i := range points {
			left[i] -= float64(column[i] * column[i])
		}
		left[at] = 0
		columns = append(columns, column)
	}
	if len(u.at) == 0 || !u.whiten(b) {
		return nil
	}
	return u
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

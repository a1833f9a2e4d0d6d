package members

import (
	"math"

	"sakusen/tuner/sampler/dense"
)

// elsewhere is the covariance of a parameter's places with that of not being active.
const elsewhere = 0.3

// kind is a covariance of the members' heights.
type kind struct {
	length float64 // over which heights are alike, a share of a number's range
	choice float64 // covariance of two values of a choice
	sum    float64 // part of the mean of the parameters' covariances; the rest is their product's
	alone  float64 // variance of a member's own part
	trend  float64 // part of heights that rise or fall in a straight line

	inverse *dense.Symmetric // of the covariance; nil until it is asked for
	logdet  float64          // of the covariance
}

// kindsOf are the kinds that are compared by their evidence.
func kindsOf(s *space) []kind {
	choices, sums, trends := []float64{0}, []float64{0}, []float64{0, 0.8}
	if len(s.nominal) > 1 {
		sums = []float64{0, 0.7}
	}
	for i, nominal := range s.nominal {
		if nominal || s.conditional[i] {
			trends = []float64{0} // it may not be active
		}
		if nominal {
			choices = []float64{0.3, 0.8}
		}
	}
	var all []kind
	for _, length := range [3]float64{0.2, 0.5, 1.5} {
		for _, alone := range [3]float64{0.01, 0.1, 0.5} {
			for _, choice := range choices {
				for _, sum := range sums {
					for _, trend := range trends {
						all = append(all, kind{length: length, choice: choice, sum: sum, alone: alone, trend: trend})
					}
				}
			}
		}
	}
	return all
}

// covariance is that of two members' heights, but for their own parts.
func (k *kind) covariance(s *space, a, b int) float64 {
	sum, product := 0.0, 1.0
	for i := range s.nominal {
		c := k.alike(s, i, s.places[a][i], s.places[b][i])
		sum += c / float64(len(s.nominal))
		product *= c
	}
	bent := float64(k.sum*sum) + float64((1-k.sum)*product)
	if k.trend == 0 {
		return bent
	}
	line := 0.0
	for i := range s.nominal {
		// Of variance 1 in the mean over the range.
		line += float64(12*(s.places[a][i]-0.5)*(s.places[b][i]-0.5)) / float64(len(s.nominal))
	}
	return float64(k.trend*line) + float64((1-k.trend)*bent)
}

// alike is a parameter's part of it, at two places of which NaN stands for not being active.
func (k *kind) alike(s *space, i int, x, y float64) float64 {
	c := 1.0
	switch off := math.IsNaN(x); {
	case off && math.IsNaN(y):
		return 1
	case off || math.IsNaN(y):
		return elsewhere
	case !s.nominal[i]:
		r := math.Sqrt(3) * math.Abs(x-y) / k.length
		c = float64((1 + r) * math.Exp(-r)) // Matern's of 3/2
	case x != y:
		c = k.choice
	}
	if s.conditional[i] {
		// At least elsewhere, as each has that much in common with not being active.
		c = elsewhere + float64((1-elsewhere)*c)
	}
	return c
}

// prepare inverts the covariance; false where it cannot.
func (k *kind) prepare(s *space) bool {
	if k.inverse != nil {
		return true
	}
	n := len(s.values)
	root := dense.New(n)
	for i := range n {
		row := root.Row(i)
		for j := range i + 1 {
			row[j] = k.covariance(s, i, j)
		}
		row[i] += k.alone
	}
	logdet, ok := root.Factor()
	if !ok {
		return false
	}
	k.inverse, k.logdet = dense.New(n), logdet
	columns := make([][]float64, n)
	for j := range n {
		columns[j] = make([]float64, n)
		columns[j][j] = 1
	}
	root.ForwardAll(columns)
	for j := range n {
		root.Backward(columns[j])
		for i := j; i < n; i++ {
			k.inverse.Row(i)[j] = columns[j][i]
		}
	}
	return true
}

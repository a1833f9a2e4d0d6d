package plot

import (
	"fmt"
	"math"
	"sort"
)

// Importance is what one parameter alone does to trials' values.
type Importance struct {
	Name    string
	Share   float64 // of the variance, 0 to 1
	Percent string
}

// importanceBins is the number of bins into which a parameter is divided.
const importanceBins = 12

// importance is the share of the variance of trials' values that each parameter explains
// alone (its main effect): the variance between bins, less what as many random bins would
// show (the adjusted correlation ratio; Kelley, "An unbiased correlation ratio measure",
// 1935). luck is the share that is due to the chance of the games, known from the trials'
// standard errors; NaN if they are not known. Shares overlap if the search has moved
// parameters together. Subtracting luck from the shares was tried; it made each of four
// parameters explain everything.
func (t *terrain) importance() (all []Importance, luck float64) {
	noise, known := 0.0, 0
	mean, squares := 0.0, 0.0
	for i := range t.log.Trials {
		line := &t.log.Trials[i]
		if math.IsNaN(line.Value) {
			continue
		}
		mean += line.Value / float64(t.n)
		if !math.IsNaN(line.Error) {
			noise, known = noise+line.Error*line.Error, known+1
		}
	}
	for i := range t.log.Trials {
		if v := t.log.Trials[i].Value; !math.IsNaN(v) {
			squares += (v - mean) * (v - mean)
		}
	}
	if t.n < importanceTrials || !(squares > 0) {
		return nil, math.NaN()
	}
	total := squares / float64(t.n-1)
	luck = math.NaN()
	if known > 0 {
		luck = min(1, noise/float64(known)/total)
	}
	for k := range t.space {
		a := t.axis(k)
		p := newChart("", a, axis{low: 0, top: 1}) // settles the axis
		bins := t.bins(k, importanceBins)
		sums, counts := make([]float64, bins), make([]float64, bins)
		n, sum, sumSquares := 0.0, 0.0, 0.0
		for i := range t.log.Trials {
			x, v := t.log.Place(i, k), t.log.Trials[i].Value-mean
			if math.IsNaN(x) || math.IsNaN(v) {
				continue
			}
			b := bin(&p.x, x, bins)
			sums[b], counts[b] = sums[b]+v, counts[b]+1
			n, sum, sumSquares = n+1, sum+v, sumSquares+v*v
		}
		within, used := sumSquares, 0.0
		for b := range bins {
			if counts[b] > 0 {
				within -= sums[b] * sums[b] / counts[b]
				used++
			}
		}
		one := Importance{Name: t.space[k].Name}
		if spread := sumSquares - sum*sum/max(1, n); n > used && used > 1 && spread > 0 {
			one.Share = max(0, 1-within/(n-used)/(spread/(n-1)))
		}
		one.Percent = fmt.Sprintf("%.0f %%", 100*one.Share)
		all = append(all, one)
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].Share > all[j].Share })
	return all, luck
}

package chart

import (
	"fmt"
	"html/template"
	"math"
	"sort"
)

// Importance is what one parameter does to trials' values.
type Importance struct {
	Name    string
	Share   float64 // of the variance that is not luck, 0 to 1
	Percent string
	Bar     template.HTML
}

const (
	// importanceBins is the number of bins into which a parameter is divided.
	importanceBins = 8
	// importanceRounds is the number of rounds of backfitting.
	importanceRounds = 30
	// mostLuck is the share of luck above which nothing is said of the rest.
	mostLuck = 0.95
)

// importance is the share of the variance of trials' values, without the luck of
// their games, that each parameter explains: an additive model is fitted, the sum
// of a step function of each parameter (backfitting: Hastie and Tibshirani,
// "Generalized Additive Models", 1990, section 4.4), and a parameter's share is the
// covariance of its function with the values. Such shares add up to what the model
// explains (Pratt, 1987), and never to more than all. Trials count by their blocks:
// those that were stopped early are mostly luck.
func (t *terrain) importance() (all []Importance, luck string) {
	var rows []int
	total, mean, noise := 0.0, 0.0, 0.0
	weight := func(i int) float64 { return float64(max(1, t.log.Trials[i].Blocks)) }
	for i := range t.log.Trials {
		if line := &t.log.Trials[i]; !math.IsNaN(line.Value) {
			rows = append(rows, i)
			total += weight(i)
			mean += weight(i) * line.Value
			if !math.IsNaN(line.Error) {
				noise += weight(i) * line.Error * line.Error
			}
		}
	}
	if len(rows) < importanceTrials {
		return nil, ""
	}
	mean /= total
	values, spread := make([]float64, len(rows)), 0.0
	for n, i := range rows {
		values[n] = t.log.Trials[i].Value - mean
		spread += weight(i) * values[n] * values[n]
	}
	if !(spread > 0) {
		return nil, ""
	}
	chance := min(1, noise/spread)
	if chance > mostLuck {
		return nil, ""
	}
	parts, used := t.backfit(rows, values, weight)
	shares, explained := make([]float64, len(t.space)), 0.0
	for k := range parts {
		c := 0.0
		for n, i := range rows {
			c += weight(i) * parts[k][n] * values[n]
		}
		// As many random bins would explain some of it as well.
		shares[k] = max(0, c/spread-float64(used[k]-1)/float64(len(rows))*(1-min(1, c/spread)))
		explained += shares[k]
	}
	whole := math.Max(explained, 1-chance) // of what is not luck
	for k := range shares {
		if whole > 0 {
			shares[k] /= whole
		}
		all = append(all, Importance{t.space[k].Name, shares[k], fmt.Sprintf("%.0f %%", 100*shares[k]), Bar(shares[k])})
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].Share > all[j].Share })
	return all, fmt.Sprintf("Of the differences between trials' values %.0f %% are luck of the games. What is missing to 100 %% is what parameters do together, or too little to tell.", 100*chance)
}

// backfit fits a step function of each parameter to values, all of them together,
// and gives each function at each row, with the number of its steps.
func (t *terrain) backfit(rows []int, values []float64, weight func(int) float64) (parts [][]float64, used []int) {
	bins := make([][]int, len(t.space))
	parts, used = make([][]float64, len(t.space)), make([]int, len(t.space))
	for k := range t.space {
		p := newChart("", t.axis(k), axis{low: 0, top: 1}) // settles the axis
		n := t.bins(k, importanceBins)
		bins[k], parts[k] = make([]int, len(rows)), make([]float64, len(rows))
		seen := map[int]bool{}
		for r, i := range rows {
			bins[k][r] = n // where it is not active
			if x := t.log.Place(i, k); !math.IsNaN(x) {
				bins[k][r] = bin(&p.x, x, n)
			}
			seen[bins[k][r]] = true
		}
		used[k] = max(1, len(seen))
	}
	rest := append([]float64(nil), values...)
	for range importanceRounds {
		for k := range t.space {
			sums, weights := map[int]float64{}, map[int]float64{}
			for r, i := range rows {
				rest[r] += parts[k][r]
				sums[bins[k][r]] += weight(i) * rest[r]
				weights[bins[k][r]] += weight(i)
			}
			for r := range rows {
				parts[k][r] = sums[bins[k][r]] / weights[bins[k][r]]
				rest[r] -= parts[k][r]
			}
		}
	}
	return parts, used
}

package web

import (
	"fmt"
	"html/template"
	"maps"
	"math"
	"slices"
	"strconv"

	"sakusen/engines/param"
	"sakusen/tuner"
)

// sortedKeys are a map's keys in order.
func sortedKeys(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }

// coordinates are the trials' places along a parameter, NaN where it is not
// active: numbers as they are, or their logarithm, choices by their order.
func coordinates(d *tuner.Dimension, trials []Trial) []float64 {
	order := map[string]int{}
	out := make([]float64, len(trials))
	for i := range trials {
		out[i] = math.NaN()
		text, ok := trials[i].Params[d.Name]
		if !ok {
			continue
		}
		if d.Kind == param.Int || d.Kind == param.Float {
			if x, err := strconv.ParseFloat(text, 64); err == nil {
				out[i] = x
				if d.Domain.Log {
					out[i] = math.Log10(x)
				}
			}
			continue
		}
		if _, ok := order[text]; !ok {
			order[text] = len(order)
		}
		out[i] = float64(order[text])
	}
	return out
}

// slicePlot draws the trials by one parameter.
func slicePlot(d *tuner.Dimension, trials []Trial, ys []float64, lo, hi float64) (slice, bool) {
	xs := coordinates(d, trials)
	x0, x1 := span(xs)
	p := newPlot("value by "+d.Name, x0, x1, lo, hi)
	n := 0
	for i := range trials {
		if !math.IsNaN(xs[i]) && !math.IsNaN(ys[i]) {
			p.dot(xs[i], ys[i], class(&trials[i]), fmt.Sprintf("%s = %s: %s", d.Name, trials[i].Params[d.Name], show(ys[i])))
			n++
		}
	}
	s := slice{Name: d.Name, Plot: p.svg()}
	if share := explained(xs, ys); n >= 20 && !math.IsNaN(share) {
		s.Share = fmt.Sprintf("%.0f %%", 100*share)
	}
	return s, n > 0
}

// explained is the share of the variance that bins of x explain, less what as
// many random bins would (the adjusted correlation ratio).
func explained(xs, ys []float64) float64 {
	const bins = 8
	x0, x1 := span(xs)
	var n, sum, squares float64
	var count, sums [bins]float64
	for i := range xs {
		if math.IsNaN(xs[i]) || math.IsNaN(ys[i]) {
			continue
		}
		b := 0
		if x1 > x0 {
			b = min(bins-1, int(bins*(xs[i]-x0)/(x1-x0)))
		}
		n, sum, squares = n+1, sum+ys[i], squares+ys[i]*ys[i]
		count[b], sums[b] = count[b]+1, sums[b]+ys[i]
	}
	total := squares - sum*sum/n
	between, used := -sum*sum/n, 0.0
	for b := range bins {
		if count[b] > 0 {
			between += sums[b] * sums[b] / count[b]
			used++
		}
	}
	if !(total > 0) || n <= used {
		return math.NaN()
	}
	return max(0, 1-(total-between)/(n-used)*(n-1)/total)
}

// parallelPlot draws a line a trial over all parameters.
func parallelPlot(space tuner.Space, trials []Trial, ys []float64, maximize bool) template.HTML {
	p := newPlot("parallel coordinates", 0, float64(len(space)-1), 0, 1)
	lo, hi := span(ys)
	lines := make([][]float64, len(trials))
	for k := range space {
		xs := coordinates(&space[k], trials)
		x0, x1 := span(xs)
		for i := range trials {
			at := 0.5
			if x1 > x0 {
				at = (xs[i] - x0) / (x1 - x0)
			}
			lines[i] = append(lines[i], at)
		}
		fmt.Fprintf(&p.b, `<text x="%.1f" y="14" text-anchor="middle">%s</text>`, p.x(float64(k)), template.HTMLEscapeString(space[k].Name))
	}
	places := make([]float64, len(space))
	for k := range places {
		places[k] = float64(k)
	}
	for i := range trials {
		if math.IsNaN(ys[i]) {
			continue
		}
		good := 0.5
		if hi > lo {
			good = (ys[i] - lo) / (hi - lo)
		}
		if !maximize {
			good = 1 - good
		}
		p.line("path", 0.05+0.75*good*good, places, lines[i])
	}
	return p.svg()
}

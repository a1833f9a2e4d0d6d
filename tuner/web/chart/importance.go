package chart

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"sakusen/tuner"
	"sakusen/tuner/numeral"
	"sakusen/tuner/stats"
)

// known returns what the search has learnt of each parameter by its own model, those that
// matter most first: "23 ± 4 Elo", and the values that are as good.
func known(all []tuner.Known) (rows []Bar) {
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b tuner.Known) int { return cmp.Compare(b.Importance, a.Importance) })
	for i := range all {
		k := &all[i]
		var notes []string
		switch {
		case k.Idle:
			notes = append(notes, "counts only with "+k.When+", which the answer does not have")
		case len(k.Same) > 1:
			notes = append(notes, strings.Join(k.Same, ", "))
		case k.From != "" && k.From != k.To:
			notes = append(notes, brief(k.From)+" to "+brief(k.To))
		}
		if k.When != "" && !k.Idle {
			notes = append(notes, "counts only with "+k.When)
		}
		if k.With != "" {
			notes = append(notes, "depends on "+k.With)
		}
		r := Bar{Name: k.Name, Text: numeral.Typeset(k.Importance, stats.Deviate95*k.Error) + " Elo", Note: strings.Join(notes, "; ")}
		if most := all[0].Importance; most > 0 {
			r.Share = k.Importance / most
		}
		rows = append(rows, r)
	}
	return rows
}

// brief returns a number with three digits, any other text as it is.
func brief(text string) string {
	var x float64
	if n, err := fmt.Sscan(text, &x); n == 1 && err == nil && len(text) > 5 {
		return numeral.Page(fmt.Sprintf("%.3g", x))
	}
	return text
}

const (
	// importanceTrials is the number of trials below which nothing is said about
	// what parameters do.
	importanceTrials = 20
	// mostLuck is the share of luck above which nothing is said of the rest.
	mostLuck = 0.95
)

// importance returns the share of the variance of trials' values, without the luck of
// their games, that each parameter explains: a model of the effects of each is fitted by
// least squares, and a parameter's share is the covariance of its effect with the values.
// Such shares add up to what the model explains (Pratt, 1987), and never to more than all.
// Trials count by their blocks: those that were stopped early are mostly luck.
func (t *trials) importance() (all []Bar, luck string) {
	rows, total, mean, noise := []stats.Row{}, 0.0, 0.0, 0.0
	terms := []term{{-1, func([]float64) float64 { return 1 }}}
	for k := range t.space.params {
		terms = append(terms, t.space.effects(k)...)
	}
	for i := range t.log.Trials {
		if line := &t.log.Trials[i]; !math.IsNaN(line.Value) {
			w := float64(max(1, line.Blocks))
			rows = append(rows, stats.Row{Value: line.Value, Error: 1 / math.Sqrt(w), Terms: evaluate(terms, t.space.point(i))})
			total, mean = total+w, mean+w*line.Value
			if !math.IsNaN(line.Error) {
				noise += w * line.Error * line.Error
			}
		}
	}
	sum, spread := stats.NewNormals(len(terms)), 0.0
	for j := range terms { // what no row tells is taken to be nothing, and keeps nothing else from being told
		row := stats.Row{Error: 1, Terms: make([]float64, len(terms))}
		row.Terms[j] = 1
		sum.Add(row)
	}
	for i := range rows {
		r := &rows[i]
		r.Value -= mean / total
		spread += r.Value * r.Value / (r.Error * r.Error)
		sum.Add(*r)
	}
	chance := min(1, noise/spread)
	fit, ok := sum.Fit()
	if !ok || len(rows) < importanceTrials || !(spread > 0) || chance > mostLuck {
		return nil, ""
	}
	explained := 0.0
	for k := range t.space.params {
		c, n := 0.0, 0.0
		for j, term := range terms {
			if term.k == k {
				n++
				for _, r := range rows {
					c += fit.Coefficients[j] * r.Terms[j] * r.Value / (r.Error * r.Error) / spread
				}
			}
		}
		// As many random terms would explain some of it as well.
		share := max(0, c-n/float64(len(rows))*(1-min(1, c)))
		explained += share
		all = append(all, Bar{Name: t.space.params[k].Name, Share: share})
	}
	for k := range all {
		all[k].Share /= max(explained, 1-chance) // of what is not luck
	}
	return ranked(all), fmt.Sprintf("Of the differences between trials' values %.0f %% are luck of the games. What is missing to 100 %% is what parameters do together, or too little to tell.", 100*chance)
}

package plot

import (
	"fmt"
	"html/template"
	"math"

	"sakusen/tuner/chronicle"
	"sakusen/tuner/entry"
	"sakusen/tuner/numeral"
	"sakusen/tuner/rating"
)

// TrialHistory is a study's trials in columns: one trial each where they fit, and
// else Step of them, of which the least, the greatest and the best are kept.
// Numbers that do not exist are null.
type TrialHistory struct {
	Study    string `json:"study"`
	Entries  int    `json:"entries"` // of the log that were read
	Name     string `json:"objective"`
	Maximize bool   `json:"maximize"`
	Total    int    `json:"trials"` // of the study
	From     int    `json:"from"`
	To       int    `json:"to"` // behind the last one
	Step     int    `json:"step"`

	Number []int `json:"number"` // of each column's first trial
	// Low and Top are the extremes of complete trials, StoppedLow and StoppedTop
	// of stopped and running ones.
	Low        []*float64 `json:"low"`
	Top        []*float64 `json:"top"`
	StoppedLow []*float64 `json:"stopped_low"`
	StoppedTop []*float64 `json:"stopped_top"`
	// Best is the best complete trial of a column, with its standard error.
	Best      []*float64 `json:"best"`
	BestTrial []*int     `json:"best_trial"`
	BestError []*float64 `json:"best_standard_error"`
	// Incumbent is the incumbent's value by then.
	Incumbent []*float64 `json:"incumbent"`
}

// historyColumns is the number of columns of a drawing.
const historyColumns = 350

// Columns puts the trials from..to into at most so many columns.
func Columns(log *chronicle.Chronicle, from, to, columns int) *TrialHistory {
	names, up := log.Goals()
	h := &TrialHistory{Study: log.Spec.Name, Entries: log.Entries, Name: names[0], Maximize: up[0], Total: len(log.Trials),
		Number: []int{}, Low: []*float64{}, Top: []*float64{}, StoppedLow: []*float64{}, StoppedTop: []*float64{},
		Best: []*float64{}, BestTrial: []*int{}, BestError: []*float64{}, Incumbent: []*float64{}}
	h.To = min(to, len(log.Trials))
	h.From = min(max(0, from), h.To)
	h.Step = max(1, (h.To-h.From+columns-1)/columns)
	incumbents, nan := log.Incumbents, math.NaN()
	incumbent := nan
	for first := h.From; first < h.To; first += h.Step {
		low, top, stoppedLow, stoppedTop, best, bestError := nan, nan, nan, nan, nan, nan
		at := -1
		last := min(h.To, first+h.Step)
		for i := first; i < last; i++ {
			t := &log.Trials[i]
			switch {
			case math.IsNaN(t.Value):
			case t.End != entry.Whole || !t.Feasible:
				stoppedLow, stoppedTop = least(stoppedLow, t.Value), most(stoppedTop, t.Value)
			default:
				low, top = least(low, t.Value), most(top, t.Value)
				if at < 0 || t.Value != best && (t.Value > best) == h.Maximize {
					best, bestError, at = t.Value, t.Error, i
				}
			}
		}
		for len(incumbents) > 0 && incumbents[0].Trials <= last {
			incumbent, incumbents = incumbents[0].Value, incumbents[1:]
		}
		h.Number = append(h.Number, first)
		h.Low, h.Top = append(h.Low, numeral.Finite(low)), append(h.Top, numeral.Finite(top))
		h.StoppedLow, h.StoppedTop = append(h.StoppedLow, numeral.Finite(stoppedLow)), append(h.StoppedTop, numeral.Finite(stoppedTop))
		h.Best, h.BestError = append(h.Best, numeral.Finite(best)), append(h.BestError, numeral.Finite(bestError))
		h.Incumbent = append(h.Incumbent, numeral.Finite(incumbent))
		var trial *int
		if at >= 0 {
			trial = &at
		}
		h.BestTrial = append(h.BestTrial, trial)
	}
	return h
}

// plot draws the history.
func (h *TrialHistory) plot() template.HTML {
	lo, hi := math.NaN(), math.NaN()
	for i := range h.Number {
		for _, x := range []*float64{h.Low[i], h.Top[i], h.StoppedLow[i], h.StoppedTop[i], h.Incumbent[i]} {
			if x != nil {
				lo, hi = least(lo, *x), most(hi, *x)
			}
		}
		if e := h.BestError[i]; h.Step == 1 && e != nil {
			lo, hi = least(lo, *h.Best[i]-rating.Deviate95**e), most(hi, *h.Best[i]+rating.Deviate95**e)
		}
	}
	if math.IsNaN(lo) {
		return ""
	}
	p := newChart(fmt.Sprintf("%s of trials %d to %d", h.Name, h.From, h.To-1),
		axis{name: "trial", low: float64(h.From), top: float64(h.To - 1), whole: true, wide: true}, axis{name: h.Name, low: lo, top: hi, wide: true})
	middle := float64(h.Step-1) / 2
	var xs, incumbent []float64
	for i, n := range h.Number {
		x := float64(n) + middle
		xs, incumbent = append(xs, x), append(incumbent, numeral.OrNaN(h.Incumbent[i]))
		if low, top := h.StoppedLow[i], h.StoppedTop[i]; low != nil {
			if h.Step == 1 {
				p.dot(x, *low, "hollow", fmt.Sprintf("trial %d, stopped or running: %s", n, numeral.Text(*low)))
			} else {
				p.stroke(x, *low, *top, "pale")
			}
		}
		if h.Step > 1 && h.Low[i] != nil {
			p.stroke(x, *h.Low[i], *h.Top[i], "full")
		}
		if h.Best[i] == nil {
			continue
		}
		half := rating.Deviate95 * numeral.OrNaN(h.BestError[i])
		text := fmt.Sprintf("trial %d: %s", *h.BestTrial[i], numeral.Typeset(*h.Best[i], half))
		if h.Step == 1 && !math.IsNaN(half) {
			p.stroke(x, *h.Best[i]-half, *h.Best[i]+half, "bar")
		}
		p.dot(x, *h.Best[i], "dot", text)
	}
	p.line("best", xs, incumbent)
	return p.svg()
}

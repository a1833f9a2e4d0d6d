package chart

import (
	"fmt"
	"html/template"
	"math"
	"slices"

	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/insight/chronicle"
	"sakusen/tuner/numeral"
	"sakusen/tuner/stats"
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
	// Outside are the best trials of a column that are outside a limit.
	Outside []*float64 `json:"outside"`
	// Best is the best complete trial of a column, with its standard error.
	Best      []*float64 `json:"best"`
	BestTrial []*int     `json:"best_trial"`
	BestError []*float64 `json:"best_standard_error"`
	// BestLow and BestHigh are the ends of its 95 % interval.
	BestLow  []*float64 `json:"best_low"`
	BestHigh []*float64 `json:"best_high"`
	// Incumbent is the incumbent's value by then.
	Incumbent []*float64 `json:"incumbent"`
	// Unit is "Elo above the baseline" where the values were put into that; Baseline
	// is the baseline's value and Validated what the validation found of the answer,
	// its value and the ends of its interval, where they are known.
	Unit      string      `json:"unit,omitempty"`
	Baseline  *float64    `json:"baseline,omitempty"`
	Validated *[3]float64 `json:"validated,omitempty"`
	// Verdict is what the validation decided: pass, fail or inconclusive.
	Verdict string `json:"verdict,omitempty"`
}

// Tone is the class of the colour of what a verdict decided.
func Tone(verdict string) string {
	switch verdict {
	case "pass":
		return "good"
	case "fail":
		return "bad"
	}
	return "warn"
}

// Tone is the class of the colour of what the validation found.
func (h *TrialHistory) Tone() string { return Tone(h.Verdict) }

// Decided says what the validation found, for a legend.
func (h *TrialHistory) Decided() string {
	return map[string]string{"good": "what the validation proved", "bad": "what the validation found: not better", "warn": "what the validation found: undecided"}[h.Tone()]
}

// Staircase tells whether there is a line of what the search thought best.
func (h *TrialHistory) Staircase() bool { return some(h.Incumbent[:max(0, len(h.Incumbent)-1)]) }

// Excluded tells whether a trial is outside the limits.
func (h *TrialHistory) Excluded() bool { return some(h.Outside) }

func some(all []*float64) bool {
	return slices.ContainsFunc(all, func(x *float64) bool { return x != nil })
}

// historyColumns is the number of columns of a drawing, historyHeight its height.
const historyColumns, historyHeight = 350, 260.0

// Columns puts the trials from..to into at most so many columns.
func Columns(log *chronicle.Chronicle, from, to, columns int) *TrialHistory {
	names, up := log.Goals()
	h := &TrialHistory{Study: log.Spec.Name, Entries: log.Entries, Name: names[0], Maximize: up[0], Total: len(log.Trials),
		Number: []int{}, Low: []*float64{}, Top: []*float64{}, StoppedLow: []*float64{}, StoppedTop: []*float64{}, Outside: []*float64{},
		Best: []*float64{}, BestTrial: []*int{}, BestError: []*float64{}, BestLow: []*float64{}, BestHigh: []*float64{}, Incumbent: []*float64{}}
	h.To = min(to, len(log.Trials))
	h.From = min(max(0, from), h.To)
	h.Step = max(1, (h.To-h.From+columns-1)/columns)
	incumbents, nan := log.Incumbents, math.NaN()
	incumbent := nan
	for first := h.From; first < h.To; first += h.Step {
		low, top, stoppedLow, stoppedTop, best, bestError, outside := nan, nan, nan, nan, nan, nan, nan
		at := -1
		last := min(h.To, first+h.Step)
		for i := first; i < last; i++ {
			t := &log.Trials[i]
			switch {
			case math.IsNaN(t.Value):
			case !t.Feasible || t.End == entry.Beyond:
				if Better(t.Value, outside, h.Maximize) {
					outside = t.Value
				}
				stoppedLow, stoppedTop = least(stoppedLow, t.Value), most(stoppedTop, t.Value)
			case t.End != entry.Whole:
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
		h.Outside = append(h.Outside, numeral.Finite(outside))
		h.Best, h.BestError = append(h.Best, numeral.Finite(best)), append(h.BestError, numeral.Finite(bestError))
		h.Incumbent = append(h.Incumbent, numeral.Finite(incumbent))
		bestLow, bestHigh := nan, nan
		if at >= 0 {
			bestLow, bestHigh = log.Interval(best, bestError, int64(log.Trials[at].Blocks))
		}
		h.BestLow, h.BestHigh = append(h.BestLow, numeral.Finite(bestLow)), append(h.BestHigh, numeral.Finite(bestHigh))
		var trial *int
		if at >= 0 {
			trial = &at
		}
		h.BestTrial = append(h.BestTrial, trial)
	}
	return h
}

// mostElo bounds the Elo that is drawn: the score of a trial that won all of few
// games has none.
const mostElo = 400

// ToElo puts a history of scores against a baseline into Elo above it; other ones
// stay as they are.
func (h *TrialHistory) ToElo(log *chronicle.Chronicle, result *tuner.Result) {
	if result != nil && result.Validation != nil {
		h.Verdict = result.Validation.Verdict
	}
	if !Elo(log) {
		if result != nil && result.Validation != nil && result.Validation.Metric != nil {
			m := result.Validation.Metric
			if h.Baseline = m.Baseline; m.Winner != nil && m.GainCI != nil {
				half := (m.GainCI[1] - m.GainCI[0]) / 2
				h.Validated = &[3]float64{*m.Winner, *m.Winner - half, *m.Winner + half}
			}
		}
		return
	}
	for _, all := range [][]*float64{h.Low, h.Top, h.StoppedLow, h.StoppedTop, h.Outside, h.Best, h.BestLow, h.BestHigh, h.Incumbent} {
		for i, x := range all {
			if x != nil {
				all[i] = numeral.Finite(EloOf(log, *x))
			}
		}
	}
	h.BestError = make([]*float64, len(h.Best))
	h.Unit, h.Baseline = "Elo above the baseline", new(float64)
	if result != nil && result.Validation != nil && result.Validation.Elo != nil && result.Validation.CI95 != nil {
		v := result.Validation
		h.Validated = &[3]float64{*v.Elo, v.CI95[0], v.CI95[1]}
	}
}

// Elo tells whether values are scores against the baseline alone, which have an Elo
// above it.
func Elo(log *chronicle.Chronicle) bool {
	names, _ := log.Goals() // of several objectives, the first is a trial's value
	return log.Spec.Ruleset != nil && names[0] == "score" && len(log.Spec.Pool) == 0 && log.Spec.Evaluate == nil && !log.Spec.Duels
}

// EloOf is the Elo of a score as it is shown, between -400 and 400.
func EloOf(log *chronicle.Chronicle, score float64) float64 {
	if math.IsNaN(score) {
		return score
	}
	return min(mostElo, max(-mostElo, stats.Elo(score, log.Spec.Ruleset.Seats)))
}

// Bounded writes Elo that EloOf has bounded by a rule for numbers: what has reached a
// bound lies beyond it, nobody knows how far.
func Bounded(write func(x, half float64) string) func(x, half float64) string {
	return func(x, half float64) string {
		switch {
		case x <= -mostElo:
			return "below " + numeral.Short(-mostElo, 0)
		case x >= mostElo:
			return "above " + numeral.Signed(mostElo, 0)
		}
		return write(x, half)
	}
}

// plot draws the history.
func (h *TrialHistory) plot(width float64, class string) template.HTML {
	lo, hi := math.NaN(), math.NaN()
	for i := range h.Number {
		for _, x := range []*float64{h.Low[i], h.Top[i], h.StoppedLow[i], h.StoppedTop[i], h.Incumbent[i]} {
			if x != nil {
				lo, hi = least(lo, *x), most(hi, *x)
			}
		}
		if h.Step == 1 && h.BestLow[i] != nil {
			lo, hi = least(lo, *h.BestLow[i]), most(hi, *h.BestHigh[i])
		}
	}
	if math.IsNaN(lo) {
		return ""
	}
	if h.Baseline != nil {
		lo, hi = least(lo, *h.Baseline), most(hi, *h.Baseline)
	}
	if h.Validated != nil {
		lo, hi = least(lo, h.Validated[1]), most(hi, h.Validated[2])
	}
	name := h.Name
	if h.Unit != "" {
		name = h.Unit
	}
	p := sizedChart(fmt.Sprintf("%s of trials %d to %d", name, h.From, h.To-1),
		axis{name: "trial", low: float64(h.From), top: float64(h.To - 1), whole: true, wide: true}, axis{name: name, low: lo, top: hi, wide: true}, width, historyHeight)
	p.class = class
	if h.Validated != nil {
		p.area(h.Validated[1], h.Validated[2], "val "+h.Tone())
		p.level(h.Validated[0], "valline "+h.Tone())
	}
	if h.Baseline != nil {
		p.level(*h.Baseline, "base")
		p.add(`<text x="%g" y="%.1f" class="end lab">baseline</text>`, p.width-chartRight, p.py(*h.Baseline)-4)
	}
	middle := float64(h.Step-1) / 2
	var xs, incumbent []float64
	for i, n := range h.Number {
		x := float64(n) + middle
		xs, incumbent = append(xs, x), append(incumbent, numeral.OrNaN(h.Incumbent[i]))
		if low, top := h.StoppedLow[i], h.StoppedTop[i]; low != nil {
			switch {
			case h.Step == 1 && h.Outside[i] != nil:
				p.add(`<path class="cross" d="M%.1f %.1fl6 6m0 -6l-6 6"><title>trial %d: outside a limit</title></path>`, p.px(x)-3, p.py(*low)-3, n)
			case h.Step == 1:
				p.add(`<circle class="st" cx="%.1f" cy="%.1f" r="2"/>`, p.px(x), p.py(*low))
			default:
				p.stroke(x, *low, *top, "pale")
			}
		}
		if h.Step > 1 && h.Low[i] != nil {
			p.stroke(x, *h.Low[i], *h.Top[i], "full")
		}
		if h.Best[i] == nil {
			continue
		}
		text := fmt.Sprintf("trial %d: %s", *h.BestTrial[i], numeral.Page(numeral.Text(*h.Best[i])))
		if h.BestLow[i] != nil {
			half := (*h.BestHigh[i] - *h.BestLow[i]) / 2
			text = fmt.Sprintf("trial %d: %s (%s to %s)", *h.BestTrial[i], numeral.Short(*h.Best[i], half), numeral.Short(*h.BestLow[i], half), numeral.Short(*h.BestHigh[i], half))
			if h.Step == 1 {
				p.stroke(x, *h.BestLow[i], *h.BestHigh[i], "bar")
			}
		}
		p.dot(x, *h.Best[i], "dot", text)
	}
	p.line("thoughtline", xs, incumbent)
	return p.svg()
}

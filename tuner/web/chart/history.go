package chart

import (
	"cmp"
	"fmt"
	"html/template"
	"math"
	"slices"
	"strconv"

	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/insight"
	"sakusen/tuner/numeral"
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

	answer int // the trial that is the answer, -1 where there is none
}

// Staircase reports whether the history has the search's best estimate by trial.
func (h *TrialHistory) Staircase() bool { return some(h.Incumbent[:max(0, len(h.Incumbent)-1)]) }

// Last returns the number of the last trial that is drawn, Part whether others are left out.
func (h *TrialHistory) Last() int  { return h.To - 1 }
func (h *TrialHistory) Part() bool { return h.From > 0 || h.To < h.Total }

// Excluded reports whether a trial is outside the limits.
func (h *TrialHistory) Excluded() bool { return some(h.Outside) }

func some(all []*float64) bool {
	return slices.ContainsFunc(all, func(x *float64) bool { return x != nil })
}

// historyColumns is the number of columns of a drawing.
const historyColumns = 350

// Columns puts the trials from..to into at most so many columns.
func Columns(log *insight.Log, from, to, columns int) *TrialHistory {
	names, up := log.Goals()
	h := &TrialHistory{Study: log.Spec.Name, Entries: log.Entries, Name: names[0], Maximize: up[0], Total: len(log.Trials)}
	h.To, h.answer = min(to, len(log.Trials)), -1
	h.From = min(max(0, from), h.To)
	h.Step = max(1, (h.To-h.From+columns-1)/columns)
	n := (h.To - h.From + h.Step - 1) / h.Step
	h.Number, h.BestTrial, h.BestError = make([]int, n), make([]*int, n), make([]*float64, n)
	for _, all := range append(h.values(), &h.Outside) {
		*all = make([]*float64, n)
	}
	incumbents, incumbent := log.Incumbents, math.NaN()
	for i := range n {
		h.Number[i] = h.From + i*h.Step
		last := min(h.To, h.Number[i]+h.Step)
		whole, stopped, outside, best := over(""), over(""), math.NaN(), -1
		for k := h.Number[i]; k < last; k++ {
			switch t := &log.Trials[k]; {
			case math.IsNaN(t.Value):
			case !t.Feasible || t.End == entry.Beyond:
				if insight.Order(t.Value, outside, h.Maximize, 0) < 0 {
					outside = t.Value
				}
				stopped.reach(t.Value)
			case t.End != entry.Whole:
				stopped.reach(t.Value)
			default:
				whole.reach(t.Value)
				if best < 0 || insight.Order(t.Value, log.Trials[best].Value, h.Maximize, 0) < 0 {
					best = k
				}
			}
		}
		for len(incumbents) > 0 && incumbents[0].Trials <= last {
			incumbent, incumbents = incumbents[0].Value, incumbents[1:]
		}
		h.Low[i], h.Top[i] = numeral.Finite(whole.low), numeral.Finite(whole.top)
		h.StoppedLow[i], h.StoppedTop[i] = numeral.Finite(stopped.low), numeral.Finite(stopped.top)
		h.Outside[i], h.Incumbent[i] = numeral.Finite(outside), numeral.Finite(incumbent)
		if best >= 0 {
			t := &log.Trials[best]
			low, high := log.Interval(t.Value, t.Error, int64(t.Blocks))
			h.BestTrial[i], h.Best[i], h.BestError[i] = &best, numeral.Finite(t.Value), numeral.Finite(t.Error)
			h.BestLow[i], h.BestHigh[i] = numeral.Finite(low), numeral.Finite(high)
		}
	}
	return h
}

// values returns the columns that are drawn, but for the trials outside a limit, whose
// values are among those of the stopped ones.
func (h *TrialHistory) values() []*[]*float64 {
	return []*[]*float64{&h.Low, &h.Top, &h.StoppedLow, &h.StoppedTop, &h.Incumbent, &h.Best, &h.BestLow, &h.BestHigh}
}

// ToElo puts a history of scores against a baseline into Elo above it; other ones
// stay as they are.
func (h *TrialHistory) ToElo(log *insight.Log, result *tuner.Result) {
	scale := log.Scale()
	var v *tuner.ValidationReport
	if result != nil && result.Best != nil {
		h.answer = result.Best.Trial
	}
	if result != nil && result.Validation != nil {
		v = result.Validation
		h.Verdict = v.Verdict
	}
	if !scale.Elo {
		if v != nil && v.Metric != nil {
			m := v.Metric
			if h.Baseline = m.Baseline; m.Winner != nil && m.GainCI != nil {
				half := (m.GainCI[1] - m.GainCI[0]) / 2
				h.Validated = &[3]float64{*m.Winner, *m.Winner - half, *m.Winner + half}
			}
		}
		return
	}
	for _, all := range append(h.values(), &h.Outside) {
		for i, x := range *all {
			(*all)[i] = numeral.Finite(scale.Of(numeral.OrNaN(x)))
		}
	}
	h.BestError = make([]*float64, len(h.Best))
	h.Unit, h.Baseline = scale.Unit, new(float64)
	if v != nil && v.Elo != nil && v.CI95 != nil {
		h.Validated = &[3]float64{*v.Elo, v.CI95[0], v.CI95[1]}
	}
}

// draw draws the history: of one trial a column its mark, of several the range of the stopped
// and of the complete ones, and the best.
func (h *TrialHistory) draw() template.HTML {
	shown := h.values()[:5]
	if h.Step == 1 {
		shown = h.values()
	}
	y := over(cmp.Or(h.Unit, h.Name))
	for _, all := range shown {
		for _, x := range *all {
			y.reach(numeral.OrNaN(x))
		}
	}
	if y.empty() {
		return ""
	}
	y.reach(numeral.OrNaN(h.Baseline))
	if h.Validated != nil {
		y.reach(h.Validated[1:]...)
	}
	columns := func(class string, ys, low, high []*float64) []point {
		all := make([]point, len(h.Number))
		for i, n := range h.Number {
			all[i] = point{x: float64(n) + float64(h.Step-1)/2, y: numeral.OrNaN(ys[i]), low: numeral.OrNaN(low[i]), high: numeral.OrNaN(high[i]), class: class, n: i}
			if class == "st" {
				all[i].of = strconv.Itoa(n)
			} else if class == "dot" && h.BestTrial[i] != nil {
				all[i].of = strconv.Itoa(*h.BestTrial[i])
			}
		}
		return all
	}
	best, stopped := columns("dot", h.Best, h.BestLow, h.BestHigh), columns("st", h.StoppedLow, h.StoppedLow, h.StoppedTop)
	x := axis{name: "trial", low: float64(h.From), top: float64(h.To - 1), whole: true, wide: true}
	return draw(fmt.Sprintf("%s of trials %d to %d", y.name, h.From, h.To-1), x, y, page, func(p *plot) {
		p.step = h.Step
		p.validated(h.Validated, Tone(h.Verdict))
		p.baseline(numeral.OrNaN(h.Baseline))
		if h.Step > 1 {
			p.bars("pale", stopped...)
			p.bars("full", columns("", h.Low, h.Low, h.Top)...)
		} else {
			p.bars("bar", best...)
			for i, d := range stopped {
				if h.Outside[i] != nil {
					stopped[i].y = math.NaN()
					p.add(`<path class="cross" d="M%.1f %.1fl6 6m0 -6l-6 6"%s><title>trial %d: outside a limit</title></path>`, p.px(d.x)-3, p.py(d.low)-3, p.told(&point{x: d.x, y: d.low, low: math.NaN(), of: d.of}), h.Number[i])
				}
			}
			p.dots(stopped, func(d *point) string { return fmt.Sprintf("trial %d, stopped early", h.Number[d.n]) })
		}
		p.dots(best, func(d *point) string {
			return fmt.Sprintf("trial %d: %s", *h.BestTrial[d.n], interval(h.Unit != "", d))
		})
		for _, d := range best {
			if d.of == strconv.Itoa(h.answer) {
				p.ring(d)
			}
		}
		incumbents := columns("", h.Incumbent, h.Incumbent, h.Incumbent)
		var stairs []point // it holds until another comes
		for i, d := range incumbents {
			if i > 0 && !math.IsNaN(incumbents[i-1].y) {
				stairs = append(stairs, point{x: d.x, y: incumbents[i-1].y})
			}
			stairs = append(stairs, d)
		}
		p.line("thoughtline", stairs)
		for i := len(incumbents) - 1; i > 0; i-- { // told where it changes
			if incumbents[i].y == incumbents[i-1].y {
				incumbents[i].y = math.NaN()
			}
		}
		p.along(incumbents, func(d *point) string {
			return fmt.Sprintf("what the search thought best by trial %d: %s", h.Number[d.n], amount(h.Unit != "", d.y, 0))
		})
	})
}

// interval writes a value, of a gain in Elo or another one, and, where they are known, the ends of its
// interval.
func interval(gain bool, d *point) string {
	text := amount(gain, d.y, (d.high-d.low)/2)
	if !math.IsNaN(d.high - d.low) {
		text += " (" + fromTo(gain, d.low, d.high) + ")"
	}
	return text
}

// amount writes a gain in Elo, or another value with the half-width of its interval.
func amount(gain bool, x, half float64) string {
	if gain {
		return numeral.Page(numeral.Elo(x))
	}
	return numeral.Short(x, half)
}

// fromTo writes the ends of an interval.
func fromTo(gain bool, low, high float64) string {
	half := (high - low) / 2
	from, to := numeral.Short(low, half), numeral.Short(high, half)
	if gain {
		from, to = numeral.EloEnds(low, high)
	}
	return numeral.Page(from) + " to " + numeral.Page(to)
}

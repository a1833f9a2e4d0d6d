package chart

import (
	"cmp"
	"fmt"
	"html/template"
	"math"
	"slices"
	"strconv"

	"sakusen/tuner/entry"
	"sakusen/tuner/insight"
	"sakusen/tuner/numeral"
)

// history is the trials of a study in columns: one trial each where they fit, and else Step of
// them, of which the extremes and the best are drawn.
type history struct {
	Head             string // what is drawn
	Unit             string // "Elo above the baseline", empty where values are the objective's
	From, Last, Step int
	Total            int  // trials of the study
	Part             bool // others are not drawn
	Excluded         bool // a trial is outside the limits
	Staircase        bool // the search's best estimate by trial is known
	Validated        bool
	Plot             template.HTML

	best           []point // complete trials, with the ends of their intervals
	whole, stopped []point // the extremes of complete trials, and of others
	outside        []point
	incumbent      []point // the search's best estimate
}

// historyColumns is the number of columns of a drawing.
const historyColumns = 350

// history puts the wanted trials into columns and draws them; nil if none has a value.
func (t *trials) history() *history {
	log, columns := t.log, cmp.Or(t.want.Columns, historyColumns)
	to := min(cmp.Or(t.want.To, len(log.Trials)), len(log.Trials))
	h := &history{Total: len(log.Trials), From: min(max(0, t.want.From), to), Last: to - 1}
	h.Step = max(1, (to-h.From+columns-1)/columns)
	h.Part = h.From > 0 || to < h.Total || t.want.Only != nil
	if h.Head = "Strength of trials"; t.scale.Elo {
		h.Unit, h.Head = t.scale.Unit, h.Head+", "+t.scale.Unit
	} else if t.scale.Unit != "score" {
		h.Head = "Trials by " + t.scale.Axis + map[bool]string{false: ", less is better"}[t.up]
	}
	incumbents, incumbent := log.Incumbents, math.NaN()
	for from := h.From; from < to; from += h.Step {
		whole, stopped, best, end := over(""), over(""), -1, min(to, from+h.Step)
		at := point{x: float64(from) + float64(h.Step-1)/2, low: math.NaN(), high: math.NaN(), of: strconv.Itoa(from)}
		for k := from; k < end; k++ {
			line := &log.Trials[k]
			v := t.value(k)
			switch {
			case math.IsNaN(v):
			case !line.Feasible || line.End == entry.Beyond:
				h.Excluded = true
				if at.y = v; h.Step == 1 {
					h.outside = append(h.outside, at)
					continue
				}
				stopped.reach(v)
			case line.End != entry.Whole:
				stopped.reach(v)
			default:
				if whole.reach(v); best < 0 || t.order(k, best) < 0 {
					best = k
				}
			}
		}
		for len(incumbents) > 0 && incumbents[0].Trials <= end {
			incumbent, incumbents = t.scale.Of(incumbents[0].Value), incumbents[1:]
		}
		at.y = incumbent
		h.incumbent = append(h.incumbent, at)
		h.Staircase = h.Staircase || end < to && !math.IsNaN(incumbent)
		at.class, at.y, at.low, at.high = "st", stopped.low, stopped.low, stopped.top
		h.stopped = append(h.stopped, at)
		at.low, at.high = whole.low, whole.top
		h.whole = append(h.whole, at)
		if best >= 0 {
			line := &log.Trials[best]
			e := t.scale.Estimate(line.Value, line.Error, int64(line.Blocks))
			h.best = append(h.best, point{x: at.x, y: e.Value, low: e.Low, high: e.High, class: "dot", n: best, of: strconv.Itoa(best)})
		}
	}
	if h.draw(t); h.Plot == "" {
		return nil
	}
	return h
}

// draw draws the history: of one trial a column its mark, of several the range of the stopped
// and of the complete ones, and the best.
func (h *history) draw(t *trials) {
	y := over(t.scale.Axis)
	for _, d := range slices.Concat(h.whole, h.stopped) {
		y.reach(d.low, d.high)
	}
	for _, d := range slices.Concat(h.outside, h.incumbent) {
		y.reach(d.y)
	}
	if y.empty() {
		return
	}
	if y.reach(t.base); h.Step == 1 {
		y = y.span(h.best)
	}
	found, tone := t.validated()
	if h.Validated = found != nil; h.Validated {
		y.reach(found[1:]...)
	}
	x := axis{name: "trial", low: float64(h.From), top: float64(h.Last), whole: true, wide: true}
	h.Plot = draw(fmt.Sprintf("%s of trials %d to %d", y.name, h.From, h.Last), x, y, page, func(p *plot) {
		p.step, p.last = h.Step, h.Last
		p.validated(found, tone)
		if p.level(t.base, "base"); h.Step > 1 {
			p.bars("pale", h.stopped...)
			p.bars("full", h.whole...)
		} else {
			p.bars("bar", h.best...)
			for _, d := range h.outside {
				p.add(`<path class="cross" d="M%.1f %.1fl6 6m0 -6l-6 6"%s><title>trial %s: outside a limit</title></path>`, p.px(d.x)-3, p.py(d.y)-3, p.told(&d), d.of)
			}
			p.dots(h.stopped, func(d *point) string { return fmt.Sprintf("trial %s, stopped early", d.of) })
		}
		p.dots(h.best, func(d *point) string { return fmt.Sprintf("trial %d: %s", d.n, interval(h.Unit != "", d)) })
		for _, d := range h.best {
			if t.result != nil && t.result.Best != nil && d.n == t.trial {
				p.ring(d)
			}
		}
		var stairs []point // it holds until another comes
		for i, d := range h.incumbent {
			if i > 0 && !math.IsNaN(h.incumbent[i-1].y) {
				stairs = append(stairs, point{x: d.x, y: h.incumbent[i-1].y})
			}
			stairs = append(stairs, d)
		}
		p.line("thoughtline", stairs)
		var changes []point
		for i, d := range h.incumbent {
			if d.n = i; i == 0 || d.y != h.incumbent[i-1].y {
				d.of = ""
				changes = append(changes, d)
			}
		}
		p.along(changes, func(d *point) string {
			return fmt.Sprintf("what the search thought best by trial %d: %s", h.From+d.n*h.Step, amount(h.Unit != "", d.y, 0))
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
		return beyond(x, numeral.Page(numeral.Elo(x)))
	}
	return numeral.Short(x, half)
}

// beyond returns the text of a gain in Elo, which says so where the gain stands at the end of
// what is drawn: it may be any larger one.
func beyond(elo float64, text string) string {
	return map[float64]string{-insight.MostElo: "below ", insight.MostElo: "above "}[elo] + text
}

// fromTo writes the ends of an interval.
func fromTo(gain bool, low, high float64) string {
	half := (high - low) / 2
	from, to := numeral.Short(low, half), numeral.Short(high, half)
	if gain {
		from, to = numeral.EloEnds(low, high)
		return beyond(low, numeral.Page(from)) + " to " + beyond(high, numeral.Page(to))
	}
	return numeral.Page(from) + " to " + numeral.Page(to)
}

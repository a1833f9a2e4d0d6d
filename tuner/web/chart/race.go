package chart

import (
	"fmt"
	"html/template"
	"math"
	"slices"

	"sakusen/tuner/entry"
	"sakusen/tuner/insight"
	"sakusen/tuner/numeral"
	"sakusen/tuner/stats"
)

// rung is one rung: who came to it, and what became of them.
type rung struct {
	Rung, Blocks           int64
	Played, Went           int
	Halved, Behind, Beyond int
	Running                int
	Bar                    template.HTML
}

// rungs counts the trials by rung.
func rungs(log *insight.Chronicle) []rung {
	rows := make([]rung, len(log.Spec.Race.Rungs))
	for i := range log.Trials {
		t := &log.Trials[i]
		for r := range min(int(t.Met), len(rows)) {
			row := &rows[r]
			row.Played++
			if r+1 < int(t.Met) {
				row.Went++
				continue
			}
			switch t.End {
			case entry.Whole:
				row.Went++
			case entry.Behind:
				row.Behind++
			case entry.Beyond:
				row.Beyond++
			case entry.Playing:
				row.Running++
			default:
				row.Halved++
			}
		}
	}
	if len(rows) == 0 || rows[0].Played == 0 {
		return nil
	}
	for i := range rows {
		r := &rows[i]
		r.Rung, r.Blocks = int64(i+1), log.Spec.Race.Rungs[i]
		all := float64(rows[0].Played)
		r.Bar = bar("racebar", part{"went", float64(r.Went) / all}, part{"running", float64(r.Running) / all}, part{"behind", float64(r.Behind) / all},
			part{"beyond", float64(r.Beyond) / all}, part{"halved", float64(r.Halved) / all})
	}
	return rows
}

// levelLines is the number of trials whose way is drawn.
const levelLines = 120

// levels draws the trials' values on the way, by blocks, and the middle 80 % of
// all of them where they are many.
func (t *trials) levels() template.HTML {
	blocks := t.log.Spec.Race.Rungs
	xs, values := make([]float64, len(blocks)), make([][]float64, len(blocks))
	y := over(t.scale.Unit)
	at := func(i, r int) float64 { v, _ := t.log.Level(i, r); return t.scale.of(v) }
	for r := range blocks {
		xs[r] = float64(blocks[r])
		for i := range t.log.Trials {
			if v := at(i, r); !math.IsNaN(v) {
				values[r] = append(values[r], v)
			}
		}
		y.reach(values[r]...)
	}
	if y.empty() || len(blocks) < 2 {
		return ""
	}
	y.reach(t.base)
	var best series
	for _, i := range t.top(5) {
		for r := range blocks {
			v, e := t.log.Level(i, r)
			lo, hi := t.log.Interval(v, e, blocks[r])
			best.add(xs[r], t.scale.of(v), t.scale.of(lo), t.scale.of(hi))
		}
	}
	y.reach(append(best.low, best.top...)...)
	x := axis{name: "blocks", low: xs[0] / 1.2, top: xs[len(xs)-1] * 1.2, log: true, at: xs}
	return draw(t.scale.Unit+" by blocks played", x, y, column, func(p *plot) {
		p.baseline(t.base)
		if len(t.log.Trials) > levelLines {
			p.band("band", middles(xs, values))
		}
		for _, i := range t.chosen(levelLines) {
			line := &t.log.Trials[i]
			var ys []float64
			for r := range blocks {
				ys = append(ys, at(i, r))
			}
			if line.End == entry.Whole {
				p.line("path whole", xs, ys)
				continue
			}
			p.line("path stopped", xs, ys)
			if n := int(line.Met); n > 0 && line.End != entry.Playing && !math.IsNaN(ys[n-1]) {
				p.dot(xs[n-1], ys[n-1], "hollow small", fmt.Sprintf("trial %d, stopped at %g blocks: %s", i, xs[n-1], t.text(i)))
			}
		}
		for i, x := range best.xs {
			p.stroke(0, x, best.low[i], best.top[i], "bar")
		}
	})
}

// chosen returns about so many trials to stand for all, in ascending order: the best
// complete ones, and others at equal distances.
func (t *trials) chosen(most int) []int {
	var with []int
	for i := range t.log.Trials {
		if !math.IsNaN(t.log.Trials[i].Value) {
			with = append(with, i)
		}
	}
	if len(with) <= most {
		return with
	}
	out := t.top(most / 2)
	for k := range most - most/2 {
		out = append(out, with[k*len(with)/(most-most/2)])
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// funnel returns how many trials came how far, and says how many went the whole way.
func (t *trials) funnel() (rows []Bar, text string) {
	race := rungs(t.log)
	if len(race) == 0 {
		return nil, ""
	}
	most := race[0].Played
	add := func(name string, n int) {
		rows = append(rows, Bar{Name: name, Text: numeral.Count(int64(n)), Share: float64(n) / float64(most)})
	}
	for _, r := range race {
		add(numeral.Count(r.Blocks)+" blocks", r.Played)
	}
	if n := len(t.log.Finals); n > 0 {
		add("final, "+numeral.Count(t.log.Spec.Final.Blocks), n)
	}
	if t.result != nil && t.result.Validation != nil {
		add("validation", 1)
	}
	if len(race) == 1 {
		return rows, "No race: " + numeral.Count(race[0].Blocks) + " blocks each time a trial is proposed"
	}
	whole := 0
	for i := range t.log.Trials {
		if t.log.Trials[i].End == entry.Whole && t.log.Trials[i].Met > 0 { // the answer of a model has played no rung
			whole++
		}
	}
	return rows, fmt.Sprintf("The race: %s of %s went the whole way", numeral.Count(int64(whole)), numeral.Count(int64(most)))
}

// finals draws the final: the best few, or the hall of fame, on new seeds.
func (t *trials) finals() template.HTML {
	f := Forest{Unit: t.scale.Unit, Base: t.base, Gains: t.scale.Elo}
	for _, seen := range t.log.Finals {
		half := stats.Deviate95 * seen.Error
		v, lo, hi := t.scale.of(seen.Value), t.scale.of(seen.Value-half), t.scale.of(seen.Value+half)
		f.Add(fmt.Sprintf("trial %d", seen.Trial), numeral.Short(lo, (hi-lo)/2)+" to "+numeral.Short(hi, (hi-lo)/2), v, lo, hi, "measured")
	}
	return f.sized(size{class: "strip", width: 400})
}

// duelRow is a duel in a table.
type duelRow struct {
	A, B, Batch int
	Blocks      int64
	Score       string
}

// lastDuels returns the last duels, the latest first.
func lastDuels(log *insight.Chronicle, most int) []duelRow {
	var out []duelRow
	for i := len(log.Duels) - 1; i >= 0 && len(out) < most; i-- {
		d := &log.Duels[i]
		out = append(out, duelRow{d.A, d.B, d.Batch, d.Blocks, numeral.Typeset(d.Score, stats.Deviate95*d.Noise)})
	}
	return out
}

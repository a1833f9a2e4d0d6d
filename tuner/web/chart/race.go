package chart

import (
	"fmt"
	"html/template"
	"math"

	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/insight/chronicle"
	"sakusen/tuner/numeral"
)

// Rung is one rung: who came to it, and what became of them.
type Rung struct {
	Rung, Blocks           int64
	Played, Went           int
	Halved, Behind, Beyond int
	Running                int
	Bar                    template.HTML
}

// raceRows count the trials by rung.
func raceRows(log *chronicle.Chronicle) []Rung {
	rungs := log.Spec.Race.Rungs
	rows := make([]Rung, len(rungs))
	for i := range rows {
		rows[i].Rung, rows[i].Blocks = int64(i+1), rungs[i]
	}
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
	for i := range rows {
		if rows[0].Played == 0 {
			return nil
		}
		const width = 200.0
		scale := width / float64(rows[0].Played)
		row, b, x := &rows[i], "", 0.0
		for _, part := range []struct {
			class string
			n     int
		}{{"went", row.Went}, {"running", row.Running}, {"behind", row.Behind}, {"beyond", row.Beyond}, {"halved", row.Halved}} {
			w := float64(part.n) * scale
			if part.n > 0 {
				b += fmt.Sprintf(`<rect class="%s" x="%.2f" y="0" width="%.2f" height="12"/>`, part.class, x, w)
			}
			x += w
		}
		row.Bar = template.HTML(fmt.Sprintf(`<svg class="racebar" viewBox="0 0 %g 12" preserveAspectRatio="none" aria-hidden="true">%s</svg>`, width, b))
	}
	return rows
}

// levelLines is the number of trials whose way is drawn.
const levelLines = 120

// levels draws the trials' values on the way, by blocks, and the middle 80 % of
// all of them where they are many.
func (t *terrain) levels() template.HTML {
	rungs := t.log.Spec.Race.Rungs
	lo, hi := math.NaN(), math.NaN()
	for i := range t.log.Trials {
		for r := range rungs {
			if v, _ := t.log.Level(i, r); !math.IsNaN(v) {
				lo, hi = least(lo, v), most(hi, v)
			}
		}
	}
	if math.IsNaN(lo) || len(rungs) < 2 {
		return ""
	}
	best := t.top(5)
	for _, i := range best {
		for r := range rungs {
			if a, b := t.interval(i, r); !math.IsNaN(a) {
				lo, hi = least(lo, a), most(hi, b)
			}
		}
	}
	xs := make([]float64, len(rungs))
	for r := range rungs {
		xs[r] = float64(rungs[r])
	}
	p := newChart(t.unit+" by blocks played", axis{name: "blocks", low: float64(rungs[0]) / 1.2, top: float64(rungs[len(rungs)-1]) * 1.2, log: true, at: xs},
		t.values(lo, hi))
	t.baseline(p)
	if len(t.log.Trials) > levelLines {
		h := newHistogram(len(rungs), lo, hi)
		for i := range t.log.Trials {
			for r := range rungs {
				if v, _ := t.log.Level(i, r); !math.IsNaN(v) {
					h.add(r, v)
				}
			}
		}
		var low, top []float64
		for r := range rungs {
			low, top = append(low, t.shown(h.quantile(r, 0.1))), append(top, t.shown(h.quantile(r, 0.9)))
		}
		p.band("band", xs, low, top)
	}
	for _, i := range t.chosen(levelLines) {
		line := &t.log.Trials[i]
		var ys []float64
		for r := range rungs {
			v, _ := t.log.Level(i, r)
			ys = append(ys, t.shown(v))
		}
		class := "path stopped"
		if line.End == entry.Whole {
			class = "path whole"
		}
		p.line(class, xs, ys)
		if n := int(line.Met); n > 0 && line.End != entry.Whole && line.End != entry.Playing {
			if v, _ := t.log.Level(i, n-1); !math.IsNaN(v) {
				p.dot(xs[n-1], t.shown(v), "hollow small", fmt.Sprintf("trial %d, stopped at %g blocks: %s", i, xs[n-1], t.valueOf(line)))
			}
		}
	}
	for _, i := range best {
		for r := range rungs {
			if a, b := t.interval(i, r); !math.IsNaN(a) {
				p.stroke(xs[r], t.shown(a), t.shown(b), "bar")
			}
		}
	}
	return p.svg()
}

// interval is that of a trial's value at a rung.
func (t *terrain) interval(trial, rung int) (lo, hi float64) {
	v, e := t.log.Level(trial, rung)
	return t.log.Interval(v, e, t.log.Spec.Race.Rungs[rung])
}

// FunnelRow is a stage of a study and how many trials came to it.
type FunnelRow struct {
	Name  string
	Count string
	Bar   template.HTML
}

// funnel is how many trials came how far.
func funnel(log *chronicle.Chronicle, result *tuner.Result) (rows []FunnelRow, text string) {
	race := raceRows(log)
	if len(race) == 0 {
		return nil, ""
	}
	most := race[0].Played
	add := func(name string, n int) {
		rows = append(rows, FunnelRow{name, numeral.Count(int64(n)), Bar(float64(n) / float64(most))})
	}
	whole := 0
	for i := range log.Trials {
		if log.Trials[i].End == entry.Whole && log.Trials[i].Met > 0 { // the answer of a model has played no rung
			whole++
		}
	}
	for _, r := range race {
		add(numeral.Count(r.Blocks)+" blocks", r.Played)
	}
	if n := len(log.Finals); n > 0 {
		add("final, "+numeral.Count(log.Spec.Final.Blocks), n)
	}
	if result != nil && result.Validation != nil {
		add("validation", 1)
	}
	if len(race) == 1 {
		return rows, "No race: " + numeral.Count(race[0].Blocks) + " blocks each time a trial is proposed"
	}
	return rows, fmt.Sprintf("The race: %s of %s went the whole way", numeral.Count(int64(whole)), numeral.Count(int64(most)))
}

// Bar is a share of a whole as a bar.
func Bar(share float64) template.HTML {
	return template.HTML(fmt.Sprintf(`<svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true"><rect width="%.2f" height="10"/></svg>`, 100*min(1, max(0.004, share))))
}

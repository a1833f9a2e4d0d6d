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
	"sakusen/tuner/stats"
)

const (
	// dotsMost is the number of points up to which each has a mark; more are summarised.
	dotsMost = 400
	// sliceColumns is the largest number of columns that summarise many trials.
	sliceColumns = 40
)

// slices draws the trials by each parameter: a mark each or, of many, the median and the middle
// 80 % of each of some columns, with the best complete trial of each.
func (t *trials) slices() (out []figure) {
	for k := range t.params {
		var all []point
		for i := range t.log.Trials {
			if x, y := t.log.Place(i, k), t.value(i); !math.IsNaN(x) && !math.IsNaN(y) {
				all = append(all, point{x: x, y: y, low: math.NaN(), class: t.class(i), n: i, of: strconv.Itoa(i)})
			}
		}
		if all == nil {
			continue
		}
		name := t.params[k].Name
		out = append(out, figure{name, draw(t.scale.Unit+" by "+name, t.axis(k, false), t.values, column, func(p *plot) {
			p.level(t.base, "base")
			t.landmarks(p, k, t.found[k])
			shown := all
			for _, d := range all {
				if d.n == t.trial {
					p.ring(d)
				}
			}
			if len(all) > dotsMost {
				n := min(cmp.Or(t.params[k].Points(), sliceColumns), sliceColumns, int(math.Sqrt(float64(len(all)))/1.6))
				p.summed(all, n)
				shown = make([]point, n)
				for _, d := range all {
					if b := &shown[p.x.column(d.x, n)]; d.class == "dot" && (b.class == "" || t.order(d.n, b.n) < 0) {
						*b = d
					}
				}
				shown = slices.DeleteFunc(shown, func(d point) bool { return d.class == "" })
			}
			p.dots(shown, func(d *point) string {
				return fmt.Sprintf("trial %d, %s = %s: %s", d.n, name, t.place(k, d.x), t.text(d.n))
			})
		})})
	}
	return out
}

// Front draws the front of a study of several objectives with intervals, its tested point ringed:
// the first objective against each further one.
func Front(log *insight.Log, r *tuner.Result) (out template.HTML) {
	if log == nil || len(log.Trials) == 0 {
		return ""
	}
	for _, f := range newTrials(log, r, Wanted{}).fronts() {
		out += f.Plot
	}
	return out
}

// fronts draws the trials by the first and each further objective, and which of them are on
// the front.
func (t *trials) fronts() (out []figure) {
	names, _ := t.log.Goals()
	for g := 1; g < t.log.Several(); g++ {
		out = append(out, figure{names[g] + " against " + names[0], t.front(names[0], names[g], g)})
	}
	return out
}

func (t *trials) front(across, up string, goal int) template.HTML {
	ax, ay := over(t.scale.AxisOf(across)), over(t.scale.AxisOf(up))
	var all, on []point
	var widths [][2]float64 // of the front's points across
	tested := point{x: math.NaN()}
	for i := range t.log.Trials {
		if math.IsNaN(t.value(i)) {
			continue
		}
		d := point{x: t.log.Goal(i, 0), y: t.log.Goal(i, goal), low: math.NaN(), class: "hollow", n: i, of: strconv.Itoa(i)}
		if t.class(i) != "dot" {
			d.class = "hollow small"
		}
		all = append(all, d)
	}
	if t.result != nil {
		for i := range t.result.Front {
			f := &t.result.Front[i]
			d := point{class: "dot", n: f.Trial, of: strconv.Itoa(f.Trial)}
			values := f.Measured()
			if goal >= len(values) {
				continue
			}
			d.x, d.y = numeral.OrNaN(values[0].Value), numeral.OrNaN(values[goal].Value)
			half := stats.Deviate95 * numeral.OrNaN(values[goal].Error)
			d.low, d.high = d.y-half, d.y+half
			if on = append(on, d); f.Chosen {
				tested = d
			}
			wide := stats.Deviate95 * numeral.OrNaN(values[0].Error)
			widths = append(widths, [2]float64{d.x - wide, d.x + wide})
			ax.reach(d.x-wide, d.x+wide)
			ay.reach(d.low, d.high)
		}
	}
	for _, i := range insight.SoFar(t.log, t.result != nil) {
		on = append(on, point{x: t.log.Goal(i, 0), y: t.log.Goal(i, goal), low: math.NaN(), high: math.NaN(), class: "dot", n: i, of: strconv.Itoa(i)})
	}
	for _, d := range slices.Concat(all, on) {
		ax.reach(d.x)
		ay.reach(d.y)
	}
	level := map[string]float64{across: math.NaN(), up: math.NaN()}
	if rules := t.log.Spec.Ruleset; rules != nil && len(t.log.Spec.Pool) == 0 && t.log.Spec.Evaluate == nil {
		level["score"] = 1 / float64(rules.Seats) // of the baseline against itself
	}
	if t.result != nil && len(t.result.FrontBaseline) > goal {
		level[up] = numeral.OrNaN(t.result.FrontBaseline[goal].Value)
	}
	ax.reach(level[across])
	ay.reach(level[up])
	return draw(fmt.Sprintf("%s against %s", up, across), ax.spread(), ay.spread(), page, func(p *plot) {
		for _, name := range []string{across, up} {
			p.landmark("base dashed", level[name], name == across, "the baseline: "+name+" "+numeral.Page(numeral.Text(level[name])))
		}
		p.dots(all, func(d *point) string {
			hint := fmt.Sprintf("trial %d: %s %s, %s %s", d.n, across, numeral.Page(numeral.Text(d.x)), up, numeral.Page(numeral.Text(d.y)))
			if !t.log.Trials[d.n].Feasible {
				hint += ", outside the limits"
			}
			return hint
		})
		p.bars("bar", on...)
		for i, w := range widths {
			if !math.IsNaN(w[0]) {
				p.add(`<line class="bar" x1="%.1f" x2="%.1f" y1="%.1f" y2="%.1f"/>`, p.px(w[0]), p.px(w[1]), p.py(on[i].y), p.py(on[i].y))
			}
		}
		p.dots(on, func(d *point) string {
			return fmt.Sprintf("trial %d, on the front: %s %s, %s %s", d.n, across, numeral.Page(numeral.Text(d.x)), up, interval(false, d))
		})
		if p.ring(tested); !math.IsNaN(tested.x) {
			fmt.Fprintf(&p.above, `<text x="%.1f" y="%.1f" class="mid lab over">tested</text>`, p.px(tested.x), p.py(tested.y)-10)
		}
	})
}

// rung counts the trials at one rung, by what happened to them.
type rung struct {
	Rung, Blocks           int64
	Played, Went           int
	Halved, Behind, Beyond int
	Running                int
	Bar                    template.HTML
}

// rungs counts the trials by rung.
func rungs(log *insight.Log) []rung {
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

// finals draws the final: the best few, or the hall of fame, on new seeds.
func (t *trials) finals() template.HTML {
	f := Forest{Unit: t.scale.Axis, Base: t.base, Gains: t.scale.Elo}
	for _, seen := range t.log.Finals {
		e := t.scale.Estimate(seen.Value, seen.Error, t.log.Spec.Final.Blocks)
		f.Add(fmt.Sprintf("trial %d", seen.Trial), fromTo(f.Gains, e.Low, e.High), e.Value, e.Low, e.High, "measured")
	}
	return f.Draw()
}

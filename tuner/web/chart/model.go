package chart

import (
	"cmp"
	"fmt"
	"html/template"
	"math"
	"slices"
	"strings"

	"sakusen/tuner"
	"sakusen/tuner/insight"
	"sakusen/tuner/numeral"
	"sakusen/tuner/stats"
)

// fitted is a study's trials with a model of all games.
type fitted struct {
	*trials
	*insight.Model
	at []float64 // the answer, where values are relative to it
}

// elo returns what the model says of a point in Elo, with the ends of its 95 % interval.
func (t *fitted) elo(at []float64, look int) point {
	v, low, high := t.scale.Height(t.Model, at, look)
	return point{y: v, low: low, high: high, class: "dot"}
}

// last returns the number of the look after all games.
func (t *fitted) last() int { return len(t.Looks) - 1 }

// above names the point to which the model's values are relative.
func (t *fitted) above() string {
	if !t.log.Spec.Duels || t.Known {
		return "Elo above the baseline"
	}
	return "Elo above the middle of the space"
}

// beside makes the values of duels relative to the answer, whose gain is told once, and returns what
// they are above.
func (t *fitted) beside() string {
	if !t.log.Spec.Duels {
		return t.above()
	}
	m := *t.Model
	t.at = t.answer()
	m.Origin, t.Model = t.at, &m
	return "Elo against " + t.calls()
}

// answer returns the study's answer or, while it has none, the model's present optimum.
func (t *fitted) answer() []float64 {
	if t.at != nil {
		return slices.Clone(t.at)
	}
	if t.result == nil || t.result.Best == nil {
		return t.Peak(t.last())
	}
	at := make([]float64, len(t.params))
	for k := range at {
		at[k] = math.NaN()
		if text, ok := t.result.Best.Params[t.params[k].Name]; ok {
			at[k] = t.params[k].Number(text)
		}
	}
	return at
}

// best draws the gain of the model's optimum by trial, with the baseline and the validated gain. At
// the end of duels it is what the search claims of its answer, by its own model.
func (t *fitted) best() template.HTML {
	var all []point
	for i := range t.Looks {
		if d := t.elo(t.Peak(i), i); d.high-d.low <= insight.SaysNothing || i == t.last() {
			d.x, d.class = float64(t.Looks[i].Trials), "st"
			all = append(all, d)
		}
	}
	if r := t.result; t.log.Spec.Duels && r != nil && r.Best != nil && r.Best.Claimed.Elo != nil && len(all) > 0 {
		d := &all[len(all)-1]
		half := stats.EloError(numeral.OrNaN(r.Best.Claimed.Score), stats.Deviate95*numeral.OrNaN(r.Best.Error))
		d.y, d.low, d.high = *r.Best.Claimed.Elo, *r.Best.Claimed.Elo-half, *r.Best.Claimed.Elo+half
	}
	y := over(t.above(), 0).span(all)
	found, tone := t.validated()
	if found != nil {
		y.reach(found[1:]...)
	}
	x := axis{name: "trial", low: 0, top: float64(len(t.log.Trials)), whole: true}
	return draw("What the search thought best, "+t.above(), x, y, page, func(p *plot) {
		p.validated(found, tone)
		p.level(0, "base")
		if len(all) == 1 {
			p.bars("pale", all...)
		}
		p.band("thoughtband", all)
		p.line("thoughtline", all)
		p.dots(all, func(d *point) string {
			return fmt.Sprintf("after %s trials: %s Elo", numeral.Count(int64(d.x)), interval(true, d))
		})
	})
}

// Search is a study whose search is compared with others.
type Search struct {
	name   string
	course []point
}

// SearchOf returns the search of a study; result is nil while it has not ended. The caller
// holds the log's lock.
func SearchOf(name string, log *insight.Log, result *tuner.Result) Search {
	return Search{name, newTrials(log, result, Wanted{}).course()}
}

// BestSoFar draws the gain that each search expected by the games that it had played, in
// Elo over its baseline, and returns the numbers, from 1 on, of searches without such gains.
// Lines differ in colour, dashes and number. The drawing is empty if no search has such gains.
func BestSoFar(all []Search) (drawing template.HTML, without []int) {
	var lines [][]point
	x, y := axis{name: "games", low: 0}, over("Elo above each baseline", 0)
	for i, s := range all {
		if s.course == nil {
			without = append(without, i+1)
		}
		for _, d := range s.course {
			x.top = max(x.top, d.x)
			y.reach(d.y)
		}
		lines = append(lines, s.course)
	}
	if len(without) == len(all) {
		return "", nil
	}
	return draw("What each search thought best, by games", x, y, beside, func(p *plot) {
		p.level(0, "base")
		for i, line := range lines {
			n := len(line)
			if n == 0 {
				continue
			}
			p.line(fmt.Sprintf("course s%d", i), line)
			p.along(line, func(d *point) string {
				return fmt.Sprintf("%d. %s: %s Elo after %s games", i+1, all[i].name, numeral.Page(numeral.Elo(d.y)), numeral.Count(int64(d.x)))
			})
			fmt.Fprintf(&p.above, `<text x="%.1f" y="%.1f" class="end name over">%d</text>`, p.px(line[n-1].x)-2-float64(14*i), p.py(line[n-1].y)-5, i+1)
		}
	}), without
}

// course returns the gains that a search expected by the games that it had played; nil if
// they are not in Elo over the baseline.
func (t *trials) course() (out []point) {
	if !t.scale.Elo && !t.scale.Model || t.log.Spec.Ruleset == nil {
		return nil
	}
	games, spent := make([]float64, len(t.log.Trials)+1), 0.0
	for i := range t.log.Trials {
		spent += float64(t.log.Trials[i].Blocks) * float64(t.log.Spec.Ruleset.Seats)
		if games[i+1] = spent; t.log.Spec.Duels { // a game of a duel is one of both
			games[i+1] = spent / 2
		}
	}
	at := func(trials int, elo float64) {
		if !math.IsNaN(elo) {
			out = append(out, point{x: games[min(trials, len(t.log.Trials))], y: elo, low: math.NaN(), n: len(out)})
		}
	}
	if f := (&fitted{trials: t, Model: t.log.Model()}); f.Model != nil && t.scale.Model {
		if !strings.HasSuffix(f.above(), "baseline") {
			return nil
		}
		for i := range f.Looks {
			if d := f.elo(f.Peak(i), i); d.high-d.low <= insight.SaysNothing {
				at(f.Looks[i].Trials, d.y)
			}
		}
		return out
	}
	for _, i := range t.log.Incumbents {
		at(i.Trials, t.scale.Of(i.Value))
	}
	if len(out) > 0 {
		at(len(t.log.Trials), out[len(out)-1].y)
	}
	return out
}

// effects draws the effect of each parameter in Elo, with the others as in the answer, the
// largest effect first.
func (t *fitted) effects() (out []figure) {
	answer := t.answer()
	shares, _ := t.Importance()
	for _, share := range shares {
		k, at := share.K, slices.Clone(answer)
		x := t.axis(k, true)
		var all []point
		for i, v := range t.Ladder(k) {
			at[k] = v
			d := t.elo(at, t.last())
			d.x, d.n = v, i
			all = append(all, d)
		}
		out = append(out, figure{share.Name, draw("Elo by "+share.Name, x, over("Elo", 0).span(all), column, func(p *plot) {
			hint := func(d *point) string {
				return fmt.Sprintf("%s = %s: %s Elo", share.Name, t.place(k, d.x), interval(true, d))
			}
			if p.level(0, "base"); x.names == nil {
				p.band("band", all)
				p.line("median", all)
				p.along(all, hint)
			} else {
				p.bars("bar", all...)
				p.dots(all, hint)
			}
			t.landmarks(p, k, answer[k])
		})})
	}
	if t.result != nil { // games after the verdict are better evidence than those of the search
		lost := map[string]float64{}
		for _, b := range t.result.SetBack {
			if len(b.Parameters) == 1 {
				lost[b.Parameters[0]] = numeral.OrNaN(b.Lost)
			}
		}
		slices.SortStableFunc(out, func(a, b figure) int { return cmp.Compare(lost[b.Name], lost[a.Name]) })
	}
	return out
}

// mostLuck is the share of chance in the variance of trials' values above which nothing is
// said of the rest.
const mostLuck = 0.95

// importance returns the share of each parameter in the variance of values, the largest
// first, and for values of trials also the share of chance.
func (t *fitted) importance() (rows []Bar, text string) {
	all, luck := t.Importance()
	if !t.scale.Model {
		if luck > mostLuck {
			return nil, ""
		}
		text = fmt.Sprintf("Chance in the games makes %.0f %% of the variance between trials' values; the bars are shares of the rest. What they leave up to 100 %% is %seffects too small to measure.", 100*luck, map[bool]string{true: "joint effects of parameters, or "}[len(all) > 1])
	}
	var untold []string
	for _, s := range all {
		if s.Share > 0 {
			rows = append(rows, Bar{Name: s.Name, Share: s.Share, Text: fmt.Sprintf("%.0f %%", 100*s.Share)})
		} else if t.params[s.K].Points() != 1 {
			untold = append(untold, s.Name)
		}
	}
	if rows != nil && untold != nil {
		text = strings.TrimSpace(text + " The games do not show whether others matter: " + strings.Join(untold, ", ") + ".")
	}
	return rows, text
}

// The columns and rows of a contour plot of a model, and its largest number of levels.
const (
	contourColumns, contourRows = 72, 48
	contourLevels               = 8
)

// contour is the plot of two parameters with its form.
type contour struct {
	Names []string // that may be chosen
	X, Y  string
	Model bool // heights are a model's, in Elo
	Plot  template.HTML
	Scale []contourLevel
}

// contourLevel is a class of values in the legend.
type contourLevel struct {
	Class int
	Text  string
}

// contour draws the objective over two parameters: the heights of a model, with the other
// parameters as in the answer. If the study's answer is not from a model, it draws the mean of
// the trials in each cell, weighted by their blocks.
func (t *trials) contour(x, y string, m *fitted) *contour {
	v := &contour{Model: t.scale.Model && m != nil}
	for k := range t.params {
		v.Names = append(v.Names, t.params[k].Name)
	}
	if len(v.Names) < 2 || t.n == 0 && !v.Model {
		return nil
	}
	kx, ky := slices.Index(v.Names, x), slices.Index(v.Names, y)
	if kx < 0 || ky < 0 || kx == ky {
		if kx, ky = 0, 1; m != nil { // the parameters with the largest share
			all, _ := m.Importance()
			kx, ky = all[0].K, all[1].K
		}
	}
	v.X, v.Y = v.Names[kx], v.Names[ky]
	ax, ay := t.axis(kx, v.Model), t.axis(ky, v.Model)
	columns, rows := contourColumns, contourRows
	if !v.Model {
		columns = min(24, max(4, int(math.Sqrt(float64(t.n))/2)))
		rows = columns
	}
	for _, side := range []struct {
		a *axis
		n *int
	}{{&ax, &columns}, {&ay, &rows}} {
		if side.a.wide = false; side.a.names != nil {
			*side.n = len(side.a.names)
		}
	}
	sx, sy := ax, ay
	sx.settle()
	sy.settle()
	cells, weights := make([]float64, columns*rows), make([]float64, columns*rows)
	if v.Model {
		at := m.answer()
		for i := range cells {
			at[kx], at[ky] = sx.middle(i%columns, columns), sy.middle(i/columns, rows)
			cells[i] = m.elo(at, m.last()).y
		}
	} else {
		for i := range t.log.Trials {
			line, px, py := &t.log.Trials[i], t.log.Place(i, kx), t.log.Place(i, ky)
			if !math.IsNaN(px) && !math.IsNaN(py) && !math.IsNaN(t.value(i)) {
				at, w := sy.column(py, rows)*columns+sx.column(px, columns), float64(max(1, line.Blocks))
				cells[at], weights[at] = cells[at]+w*line.Value, weights[at]+w
			}
		}
		for i := range cells {
			cells[i] = t.scale.Of(cells[i] / weights[i])
		}
	}
	levels := levelsOf(cells, v.Model || t.up)
	levels.elo = v.Model || t.scale.Elo
	if v.Scale = levels.legend(); v.Scale == nil {
		return v
	}
	v.Plot = draw(fmt.Sprintf("%s over %s and %s", t.scale.Axis, v.X, v.Y), ax, ay, square, func(p *plot) {
		p.cells(cells, columns, levels)
		mark := func(at []float64, class, what string) {
			if sx.outside(at[kx]) || sy.outside(at[ky]) {
				return
			}
			p.dots([]point{{x: at[kx], y: at[ky], low: math.NaN(), class: class}}, func(*point) string {
				return fmt.Sprintf("%s: %s = %s, %s = %s", what, v.X, t.place(kx, at[kx]), v.Y, t.place(ky, at[ky]))
			})
		}
		if !v.Model {
			for _, i := range t.top(5) {
				mark(t.log.Point(i), "mark", fmt.Sprintf("trial %d, %s", i, t.text(i)))
			}
			mark(t.origin, "mark square", t.from)
			mark(t.found, "mark first", t.calls())
			return
		}
		if m.Known {
			mark(t.origin, "mark square", "the baseline")
		}
		mark(m.answer(), "mark first", t.calls())
	})
	return v
}

// levels divides values into bands between round numbers.
type levels struct {
	first, step float64 // of the lowest band
	n           int     // at most contourLevels; 0 where no value is known
	up, elo     bool    // more is better; values are Elo
}

// levelsOf returns bands of some values.
func levelsOf(values []float64, up bool) *levels {
	all, s := over("", values...), &levels{up: up}
	for s.step = roundStep((all.top - all.low) / contourLevels); !all.empty(); s.step = roundStep(1.01 * s.step) {
		s.first = math.Floor(all.low/s.step) * s.step
		if s.n = max(1, int(math.Ceil((all.top-s.first)/s.step-1e-9))); s.n <= contourLevels {
			break
		}
	}
	return s
}

// class returns the colour of a value, -1 where there is none: the better, the darker.
func (s *levels) class(x float64) int {
	if math.IsNaN(x) {
		return -1
	}
	band := min(s.n-1, max(0, int((x-s.first)/s.step)))
	if s.n == 1 {
		return contourLevels / 2
	}
	if !s.up {
		band = s.n - 1 - band
	}
	return band * (contourLevels - 1) / (s.n - 1)
}

// text returns the bounds of the bands of a colour.
func (s *levels) text(class int) string {
	for _, level := range s.legend() {
		if level.Class == class {
			return level.Text
		}
	}
	return ""
}

// legend returns the bands, from the lowest on, their bounds to the digit of the step.
func (s *levels) legend() (out []contourLevel) {
	for k := range s.n {
		low := s.first + float64(k)*s.step
		from, to := numeral.Short(low, 4*s.step), " to "+numeral.Short(low+s.step, 4*s.step)
		if s.elo && low+s.step >= insight.MostElo { // a gain at the end of what is drawn may be any larger one
			from, to = "above "+from, ""
		} else if s.elo && low <= -insight.MostElo {
			from, to = "below ", to[len(" to "):]
		}
		out = append(out, contourLevel{s.class(low + s.step/2), from + to})
	}
	return out
}

package chart

import (
	"fmt"
	"html/template"
	"math"
	"strings"

	"sakusen/tuner"
	"sakusen/tuner/insight/chronicle"
	"sakusen/tuner/numeral"
)

// The cells of a contour plot, and the number of its levels.
const (
	contourColumns, contourRows = 72, 48
	contourLevels               = 8
	contourWidth, contourHeight = 720.0, 440.0
)

// Contour is the plot of two parameters with its form.
type Contour struct {
	Names []string // that may be chosen
	X, Y  string
	Model bool // heights are a model's, in Elo
	Plot  template.HTML
	Scale []ContourLevel
}

// ContourLevel is a class of values in the legend.
type ContourLevel struct {
	Class int
	Text  string
}

// contour draws the objective over two parameters: the heights of a model, the others
// being as in the answer, or, without one, the mean of the trials nearby, weighted by
// their blocks (Nadaraya, 1964, and Watson, 1964, with a Gaussian kernel of 7 % of either
// range), where there are trials nearby.
func (t *terrain) contour(x, y string, m *landscape, r *tuner.Result) *Contour {
	v := &Contour{X: x, Y: y, Model: m != nil}
	kx, ky := -1, -1
	for k := range t.space {
		v.Names = append(v.Names, t.space[k].Name)
		if t.space[k].Name == x {
			kx = k
		}
		if t.space[k].Name == y {
			ky = k
		}
	}
	if len(v.Names) < 2 || m == nil && t.n < importanceTrials {
		return nil
	}
	if kx < 0 || ky < 0 || kx == ky {
		kx, ky = t.widest(m)
		v.X, v.Y = v.Names[kx], v.Names[ky]
	}
	ax, ay := t.axis(kx), t.axis(ky)
	ax.wide, ay.wide = false, false
	if v.Model {
		for a, k := range map[*axis]int{&ax: kx, &ay: ky} {
			if a.names == nil {
				a.low, a.top = t.space[k].Domain.Low, t.space[k].Domain.Top()
				a.log = t.space[k].Domain.Log && a.low > 0
			}
		}
	}
	columns, rows := contourColumns, contourRows
	if ax.names != nil {
		columns = len(ax.names)
	}
	if ay.names != nil {
		rows = len(ay.names)
	}
	title := fmt.Sprintf("%s over %s and %s", t.unit, v.X, v.Y)
	p := sizedChart(title, ax, ay, contourWidth, contourHeight)
	var cells []float64
	up := t.up
	if v.Model {
		cells, up = m.cells(kx, ky, &p.x, &p.y, columns, rows, r), true
	} else {
		cells = t.smooth(kx, ky, &p.x, &p.y, columns, rows)
		for i, x := range cells {
			cells[i] = t.shown(x)
		}
	}
	levels := levelsOf(cells, up)
	if levels.n == 0 {
		return v
	}
	draw := func(p *chart) {
		v.fill(p, cells, columns, rows, levels)
		if v.Model {
			v.marks(t, p, m, r, kx, ky)
		} else {
			v.tops(t, p, kx, ky)
		}
	}
	narrow := sizedChart(title, ax, ay, 360, 300)
	p.class, narrow.class = "wide", "narrow"
	draw(p)
	draw(narrow)
	v.Plot, v.Scale = p.svg()+narrow.svg(), levels.legend()
	return v
}

// contourScale divides values into bands between round numbers.
type contourScale struct {
	first, step float64 // of the lowest band
	n           int
	up          bool // more is better
}

// levelsOf are the bands of some values, at most contourLevels, of which none is where
// nothing is known.
func levelsOf(values []float64, up bool) contourScale {
	lo, hi := math.NaN(), math.NaN()
	for _, x := range values {
		if !math.IsNaN(x) {
			lo, hi = least(lo, x), most(hi, x)
		}
	}
	if math.IsNaN(lo) {
		return contourScale{}
	}
	s := contourScale{step: roundStep((hi - lo) / contourLevels), up: up}
	for ; ; s.step = roundStep(1.01 * s.step) {
		s.first = math.Floor(lo/s.step) * s.step
		if s.n = max(1, int(math.Ceil((hi-s.first)/s.step-1e-9))); s.n <= contourLevels {
			return s
		}
	}
}

// class is the colour of a value: the better, the darker.
func (s *contourScale) class(x float64) int {
	if math.IsNaN(x) {
		return -1
	}
	return s.colour(min(s.n-1, max(0, int((x-s.first)/s.step))))
}

func (s *contourScale) colour(band int) int {
	if s.n == 1 {
		return contourLevels / 2
	}
	if !s.up {
		band = s.n - 1 - band
	}
	return band * (contourLevels - 1) / (s.n - 1)
}

// legend are the bands, from the lowest on.
func (s *contourScale) legend() (out []ContourLevel) {
	for k := range s.n {
		low := s.first + float64(k)*s.step
		out = append(out, ContourLevel{s.colour(k), numeral.Short(low, 10*s.step) + " to " + numeral.Short(low+s.step, 10*s.step)})
	}
	return out
}

// fill draws the cells, those of a band as one shape.
func (v *Contour) fill(p *chart, cells []float64, columns, rows int, levels contourScale) {
	width, height := p.width-p.left-chartRight, p.height-chartBottom-chartTop
	var shapes [contourLevels]strings.Builder
	for r := range rows {
		top, bottom := p.height-chartBottom-float64(r+1)/float64(rows)*height, p.height-chartBottom-float64(r)/float64(rows)*height
		for c := 0; c < columns; {
			k, n := levels.class(cells[r*columns+c]), 1
			for c+n < columns && levels.class(cells[r*columns+c+n]) == k {
				n++
			}
			if k >= 0 {
				fmt.Fprintf(&shapes[k], "M%.1f %.1fH%.1fV%.1fH%.1fz", p.left+float64(c)/float64(columns)*width, top, p.left+float64(c+n)/float64(columns)*width, bottom, p.left+float64(c)/float64(columns)*width)
			}
			c += n
		}
	}
	for k := range shapes {
		if shapes[k].Len() > 0 {
			p.add(`<path class="cell c%d" d="%s"/>`, k, shapes[k].String())
		}
	}
}

// tops marks the best trials.
func (v *Contour) tops(t *terrain, p *chart, kx, ky int) {
	for place, i := range t.top(5) {
		x, y := t.log.Place(i, kx), t.log.Place(i, ky)
		if math.IsNaN(x) || math.IsNaN(y) {
			continue
		}
		mark := "mark"
		if place == 0 {
			mark = "mark first"
		}
		p.dot(x, y, mark, fmt.Sprintf("trial %d, %s = %s, %s = %s: %s", i, v.X, t.text(kx, x), v.Y, t.text(ky, y), t.valueOf(&t.log.Trials[i])))
	}
}

// marks are the answer and the baseline.
func (v *Contour) marks(t *terrain, p *chart, m *landscape, r *tuner.Result, kx, ky int) {
	mark := func(at []float64, class, what string) {
		if x, y := at[kx], at[ky]; !math.IsNaN(x) && !math.IsNaN(y) {
			p.dot(x, y, class, fmt.Sprintf("%s: %s = %s, %s = %s", what, v.X, t.text(kx, x), v.Y, t.text(ky, y)))
		}
	}
	if m.known {
		mark(m.origin, "mark", "the baseline")
	}
	mark(m.answer(r), "mark first", "the answer")
}

// widest are the two parameters that explain most, or the first two.
func (t *terrain) widest(m *landscape) (int, int) {
	all, _ := t.importance()
	if m != nil {
		all = m.shares()
	}
	if len(all) < 2 {
		return 0, 1
	}
	var at [2]int
	for n := range at {
		for k := range t.space {
			if t.space[k].Name == all[n].Name {
				at[n] = k
			}
		}
	}
	return at[0], at[1]
}

// smooth is the mean of each cell, NaN if less than half a trial is nearby. Trials are
// first counted by cell, so that the cost depends on the cells only.
func (t *terrain) smooth(kx, ky int, ax, ay *axis, columns, rows int) []float64 {
	weight, sum, near := make([]float64, columns*rows), make([]float64, columns*rows), make([]float64, columns*rows)
	for i := range t.log.Trials {
		line := &t.log.Trials[i]
		x, y := t.log.Place(i, kx), t.log.Place(i, ky)
		if math.IsNaN(x) || math.IsNaN(y) || math.IsNaN(line.Value) {
			continue
		}
		at := bin(ay, y, rows)*columns + bin(ax, x, columns)
		w := float64(max(1, line.Blocks))
		weight[at], sum[at], near[at] = weight[at]+w, sum[at]+w*line.Value, near[at]+1
	}
	for _, a := range [][]float64{weight, sum, near} {
		if ax.names == nil {
			blur(a, columns, rows, 1, columns, 0.07*float64(columns))
		}
		if ay.names == nil {
			blur(a, rows, columns, columns, 1, 0.07*float64(rows))
		}
	}
	out := make([]float64, columns*rows)
	for i := range out {
		out[i] = math.NaN()
		if near[i] >= 0.5 {
			out[i] = sum[i] / weight[i]
		}
	}
	return out
}

// blur is a Gaussian sum with the given deviation along lines of n cells; step is
// the distance of neighbours on a line, other that of lines. The kernel is 1 at
// its middle.
func blur(a []float64, n, lines, step, other int, deviation float64) {
	reach := int(3*deviation) + 1
	kernel := make([]float64, reach+1)
	for d := range kernel {
		kernel[d] = math.Exp(-0.5 * float64(d*d) / (deviation * deviation))
	}
	line := make([]float64, n)
	for l := range lines {
		for i := range n {
			line[i] = a[l*other+i*step]
		}
		for i := range n {
			s := 0.0
			for j := max(0, i-reach); j <= min(n-1, i+reach); j++ {
				s += kernel[max(i-j, j-i)] * line[j]
			}
			a[l*other+i*step] = s
		}
	}
}

// front draws the trials by two objectives, and which of them are on the front.
func front(log *chronicle.Chronicle, points []tuner.FrontPoint, gx, gy int) template.HTML {
	names, _ := log.Goals()
	var xs, ys []float64
	for i := range log.Trials {
		xs, ys = append(xs, log.Goal(i, gx)), append(ys, log.Goal(i, gy))
	}
	x0, x1 := span(append(measuredOf(points, gx), xs...))
	y0, y1 := span(append(measuredOf(points, gy), ys...))
	p := newChart(fmt.Sprintf("%s against %s", names[gy], names[gx]), spread(names[gx], x0, x1), spread(names[gy], y0, y1))
	taken := map[[2]int]bool{} // one mark a place of three units
	for i := range log.Trials {
		line := &log.Trials[i]
		if math.IsNaN(xs[i]) || math.IsNaN(ys[i]) {
			continue
		}
		at := [2]int{int(p.px(xs[i]) / 3), int(p.py(ys[i]) / 3)}
		if taken[at] {
			continue
		}
		taken[at] = true
		p.dot(xs[i], ys[i], "hollow", fmt.Sprintf("trial %d: %s %s, %s %s%s", i, names[gx], numeral.Page(numeral.Text(xs[i])), names[gy], numeral.Page(numeral.Text(ys[i])), outside(line)))
	}
	for _, f := range points {
		values := f.Measured()
		if len(values) <= max(gx, gy) || values[gx].Value == nil || values[gy].Value == nil {
			continue
		}
		class, what := "dot", "on the front"
		if f.Chosen {
			class, what = "mark first", "chosen"
		}
		p.dot(*values[gx].Value, *values[gy].Value, class, fmt.Sprintf("trial %d, %s", f.Trial, what))
	}
	return p.svg()
}

// measuredOf are the values of the front's points in one objective.
func measuredOf(points []tuner.FrontPoint, goal int) []float64 {
	var out []float64
	for i := range points {
		if values := points[i].Measured(); goal < len(values) && values[goal].Value != nil {
			out = append(out, *values[goal].Value)
		}
	}
	return out
}

// spread is the axis of values that may lie decades apart: then it shows their logarithm.
func spread(name string, low, top float64) axis {
	const decades = 1000.0
	if low > 0 && top >= decades*low {
		return axis{name: name, low: low, top: top, wide: true, log: true}
	}
	return axis{name: name, low: low, top: top, wide: true}
}

func outside(line *chronicle.Line) string {
	if !line.Feasible {
		return ", outside the limits"
	}
	return ""
}

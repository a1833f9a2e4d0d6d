package chart

import (
	"fmt"
	"html/template"
	"math"
	"strings"

	"sakusen/tuner/numeral"
)

// The cells of a contour plot, and the number of its levels.
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

// contour draws the objective over two parameters: the heights of a model, the others
// being as in the answer, or, without one, the mean of the trials nearby.
func (t *trials) contour(x, y string, m *surface) *contour {
	v := &contour{Model: m != nil}
	for k := range t.space.params {
		v.Names = append(v.Names, t.space.params[k].Name)
	}
	if len(v.Names) < 2 || m == nil && t.n < importanceTrials {
		return nil
	}
	kx, ky := t.space.index(x), t.space.index(y)
	if kx < 0 || ky < 0 || kx == ky {
		kx, ky = t.widest(m)
	}
	v.X, v.Y = v.Names[kx], v.Names[ky]
	g := &grid{x: t.space.axis(kx, v.Model), y: t.space.axis(ky, v.Model), columns: contourColumns, rows: contourRows}
	g.x.wide, g.y.wide = false, false
	ax, ay := g.x, g.y
	if ax.names != nil {
		g.columns = len(ax.names)
	}
	if ay.names != nil {
		g.rows = len(ay.names)
	}
	g.x.settle()
	g.y.settle()
	levels := levels{up: true}
	if v.Model {
		m.heights(g, kx, ky)
	} else {
		levels.up = t.up
		t.smooth(g, kx, ky)
	}
	if levels.divide(g.cells); levels.n == 0 {
		return v
	}
	v.Plot = draw(fmt.Sprintf("%s over %s and %s", t.scale.Unit, v.X, v.Y), ax, ay, square, func(p *plot) {
		p.cells(g, &levels)
		mark := func(x, y float64, class, what, value string) {
			if !math.IsNaN(x) && !math.IsNaN(y) {
				p.dot(x, y, class, fmt.Sprintf("%s: %s = %s, %s = %s%s", what, v.X, t.space.place(kx, x), v.Y, t.space.place(ky, y), value))
			}
		}
		if !v.Model {
			class := "mark first"
			for _, i := range t.top(5) {
				mark(t.log.Place(i, kx), t.log.Place(i, ky), class, fmt.Sprintf("trial %d", i), ": "+t.text(i))
				class = "mark"
			}
			return
		}
		if m.known {
			mark(m.origin[kx], m.origin[ky], "mark", "the baseline", "")
		}
		answer := m.answer()
		mark(answer[kx], answer[ky], "mark first", "the answer", "")
	})
	v.Scale = levels.legend()
	return v
}

// widest returns the two parameters that explain most, or the first two.
func (t *trials) widest(m *surface) (int, int) {
	all, _ := t.importance()
	if m != nil {
		all = m.shares()
	}
	if len(all) < 2 {
		return 0, 1
	}
	return t.space.index(all[0].Name), t.space.index(all[1].Name)
}

// grid is cells over two settled axes, row by row from the lowest.
type grid struct {
	x, y          axis
	columns, rows int
	cells         []float64 // as they are shown; NaN where nothing is known
}

// cells draws a grid, the cells of a level as one shape.
func (p *plot) cells(g *grid, of *levels) {
	width, height := p.width-p.left-p.right, p.height-p.bottom-p.top
	x := func(column int) float64 { return p.left + float64(column)/float64(g.columns)*width }
	y := func(row int) float64 { return p.height - p.bottom - float64(row)/float64(g.rows)*height }
	var shapes [contourLevels]strings.Builder
	for r := range g.rows {
		for c := 0; c < g.columns; {
			k, n := of.class(g.cells[r*g.columns+c]), 1
			for c+n < g.columns && of.class(g.cells[r*g.columns+c+n]) == k {
				n++
			}
			if k >= 0 {
				fmt.Fprintf(&shapes[k], "M%.1f %.1fH%.1fV%.1fH%.1fz", x(c), y(r+1), x(c+n), y(r), x(c))
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

// levels divides values into bands between round numbers.
type levels struct {
	first, step float64 // of the lowest band
	n           int     // at most contourLevels; 0 where no value is known
	up          bool    // more is better
}

// divide makes bands of some values.
func (s *levels) divide(values []float64) {
	all := over("", values...)
	if all.empty() {
		return
	}
	for s.step = roundStep((all.top - all.low) / contourLevels); ; s.step = roundStep(1.01 * s.step) {
		s.first = math.Floor(all.low/s.step) * s.step
		if s.n = max(1, int(math.Ceil((all.top-s.first)/s.step-1e-9))); s.n <= contourLevels {
			return
		}
	}
}

// class returns the colour of a value, -1 where there is none: the better, the darker.
func (s *levels) class(x float64) int {
	if math.IsNaN(x) {
		return -1
	}
	return s.colour(min(s.n-1, max(0, int((x-s.first)/s.step))))
}

func (s *levels) colour(band int) int {
	if s.n == 1 {
		return contourLevels / 2
	}
	if !s.up {
		band = s.n - 1 - band
	}
	return band * (contourLevels - 1) / (s.n - 1)
}

// legend returns the bands, from the lowest on.
func (s *levels) legend() (out []contourLevel) {
	for k := range s.n {
		low := s.first + float64(k)*s.step
		out = append(out, contourLevel{s.colour(k), numeral.Short(low, 10*s.step) + " to " + numeral.Short(low+s.step, 10*s.step)})
	}
	return out
}

// heights fills a grid over two parameters, in Elo, the others as in the answer.
func (m *surface) heights(g *grid, kx, ky int) {
	at := m.answer()
	for row := range g.rows {
		for c := range g.columns {
			at[kx], at[ky] = g.x.middle(c, g.columns), g.y.middle(row, g.rows)
			v, _ := m.height(at, &m.fit)
			g.cells = append(g.cells, m.elo(v))
		}
	}
}

// kernel is the deviation of the Gaussian kernel by which trials count nearby, as a share of
// either range.
const kernel = 0.07

// smooth fills a grid with the mean of the trials nearby, weighted by their blocks (Nadaraya,
// 1964, and Watson, 1964), where there is at least half a trial. Trials are first counted by
// cell, so that the cost depends on the cells only.
func (t *trials) smooth(g *grid, kx, ky int) {
	n := g.columns * g.rows
	weight, sum, near := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range t.log.Trials {
		line := &t.log.Trials[i]
		x, y := t.log.Place(i, kx), t.log.Place(i, ky)
		if math.IsNaN(x) || math.IsNaN(y) || math.IsNaN(line.Value) {
			continue
		}
		at, w := g.y.column(y, g.rows)*g.columns+g.x.column(x, g.columns), float64(max(1, line.Blocks))
		weight[at], sum[at], near[at] = weight[at]+w, sum[at]+w*line.Value, near[at]+1
	}
	for _, a := range [][]float64{weight, sum, near} {
		if g.x.names == nil {
			blur(a, g.columns, 1, g.columns)
		}
		if g.y.names == nil {
			blur(a, g.rows, g.columns, 1)
		}
	}
	for i := range near {
		if near[i] < 0.5 {
			weight[i] = math.NaN()
		}
		g.cells = append(g.cells, t.scale.of(sum[i]/weight[i]))
	}
}

// blur sums along lines of n cells with a kernel that is 1 at its middle and ends at three
// deviations; step is the distance of neighbours on a line, other that of lines.
func blur(a []float64, n, step, other int) {
	line := make([]float64, n)
	for l := range len(a) / n {
		for i := range line {
			line[i], a[l*other+i*step] = a[l*other+i*step], 0
		}
		for i := range line {
			for j, x := range line {
				if d := float64(i-j) / (kernel * float64(n)); x != 0 && math.Abs(d) <= 3 {
					a[l*other+i*step] += x * math.Exp(-d*d/2)
				}
			}
		}
	}
}

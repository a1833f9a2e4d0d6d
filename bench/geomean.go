package bench

import (
	"fmt"
	"math"
)

// geomean sums up a table, the rows of one package, machine and unit, as benchstat
// does: the geometric mean of each side's centres, and of the ratios of the rows
// that both sides have. The ratio is not that of the means where a side has rows
// that the other lacks.
//
// Source: golang.org/x/perf/cmd/benchstat, its summary row.
type geomean struct {
	Old, New float64 // in base units; NaN unless all centres are above 0
	Ratio    float64 // new/old; NaN where it is undefined, 0/0 counts as 1
	Differs  bool    // the sides have different rows
}

// summary is the table's geomean; ok is false for a table of one row, which says it
// all.
func (t *tablePart) summary() (g geomean, ok bool) { return t.geomean(), len(t.rows) > 1 }

func (t *tablePart) geomean() (g geomean) {
	var old, new, ratio logMean
	for _, r := range t.rows {
		if r.Old != nil {
			old.add(r.Old.Center)
		}
		if r.New != nil {
			new.add(r.New.Center)
		}
		switch {
		case !r.Paired():
			g.Differs = true
		case r.New.Center == r.Old.Center:
			ratio.add(1)
		default:
			ratio.add(r.New.Center / r.Old.Center)
		}
	}
	g.Old, g.New, g.Ratio = old.mean(), new.mean(), ratio.mean()
	return g
}

// printed is the change in per cent, as benchstat prints it: "?" where there is none.
func (g geomean) printed() string {
	if math.IsNaN(g.Ratio) {
		return "?"
	}
	return fmt.Sprintf("%+.2f%%", (g.Ratio-1)*100)
}

// cells are the geomean's old, new and change for people.
func (g geomean) cells(unit string) [3]string {
	show := func(x float64) string {
		if math.IsNaN(x) {
			return "-"
		}
		return Show(x, unit)
	}
	return [3]string{show(g.Old), show(g.New), g.printed()}
}

// note says what to know about the means.
func (g geomean) note() string {
	if g.Differs {
		return "geomean: the sides have different benchmarks; the change is of those that both have"
	}
	return ""
}

// logMean is a geometric mean under way: NaN unless all numbers are finite and above 0.
type logMean struct {
	sum float64
	n   int
	bad bool
}

func (m *logMean) add(x float64) {
	if !(x > 0) || math.IsInf(x, 0) {
		m.bad = true
		return
	}
	m.sum += math.Log(x)
	m.n++
}

func (m *logMean) mean() float64 {
	if m.bad || m.n == 0 {
		return math.NaN()
	}
	return math.Exp(m.sum / float64(m.n))
}

package bench

import (
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"
)

// WriteText writes the comparison for people: a table for each package and
// unit, and under it what to know about its lines.
func (c *Comparison) WriteText(w io.Writer) error {
	var b strings.Builder
	for _, t := range c.tables() {
		fmt.Fprintln(&b, t.title())
		columns := tabwriter.NewWriter(&b, 0, 4, 2, ' ', 0)
		fmt.Fprintf(columns, "%s\told\tnew\tchange\tq\tverdict\n", t.unit)
		for _, r := range t.rows {
			fmt.Fprintf(columns, "%s\t%s\t%s\t%s\t%s\t%s\n",
				r.Series.Name, r.Old.text(r.Series.Unit, r.Exact), r.New.text(r.Series.Unit, r.Exact), r.change(), r.level(), r.Verdict)
		}
		if g, ok := t.summary(); ok {
			cells := g.cells(t.unit)
			fmt.Fprintf(columns, "geomean\t%s\t%s\t%s\t\t\n", cells[0], cells[1], cells[2])
		}
		if err := columns.Flush(); err != nil {
			return err
		}
		for _, note := range t.notes() {
			fmt.Fprintln(&b, "  "+note)
		}
		b.WriteByte('\n')
	}
	for _, warning := range c.Warnings {
		fmt.Fprintln(&b, "warning: "+warning)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// tablePart is the rows of one package, machine and unit.
type tablePart struct {
	where Series // without name
	unit  string
	rows  []*Row
}

func (c *Comparison) tables() []*tablePart {
	var tables []*tablePart
	index := map[Series]*tablePart{}
	for i := range c.Rows {
		where := c.Rows[i].Series
		where.Name = ""
		if index[where] == nil {
			index[where] = &tablePart{where: where, unit: where.Unit}
			tables = append(tables, index[where])
		}
		index[where].rows = append(index[where].rows, &c.Rows[i])
	}
	return tables
}

func (t *tablePart) title() string {
	var parts []string
	for _, part := range []string{t.where.Pkg, strings.Trim(t.where.GOOS+"/"+t.where.GOARCH, "/"), t.where.Machine} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	if len(parts) == 0 {
		return "benchmarks"
	}
	return strings.Join(parts, ", ")
}

// mostNamed is how many benchmarks a note names.
const mostNamed = 20

// notes returns the warnings of the rows, each once with the names it is about.
func (t *tablePart) notes() []string {
	var order []string
	names := map[string][]string{}
	for _, r := range t.rows {
		if r.Exact && (r.Verdict == Same || r.Verdict == ExactChanged) {
			continue // one value says it all
		}
		for _, w := range r.Warnings {
			if names[w] == nil {
				order = append(order, w)
			}
			names[w] = append(names[w], r.Series.Name)
		}
	}
	for i, w := range order {
		who := names[w]
		switch more := len(who) - mostNamed; {
		case len(who) == len(t.rows) && len(who) > 1:
			order[i] = "all: " + w
		case more > 0:
			order[i] = fmt.Sprintf("%s and %d more: %s", strings.Join(who[:mostNamed], ", "), more, w)
		default:
			order[i] = strings.Join(who, ", ") + ": " + w
		}
	}
	if g, ok := t.summary(); ok && g.Differs {
		order = append(order, "geomean: the sides have different benchmarks; the change is of those that both have")
	}
	return order
}

// text returns a summary for people; "-" of nil.
func (s *Summary) text(unit string, exact bool) string {
	if s == nil {
		return "-"
	}
	if exact && s.Min == s.Max {
		return fmt.Sprintf("%.12g", s.Center)
	}
	return Show(s.Center, unit) + " ± " + s.Range
}

// change returns the change as benchstat prints it, with its test.
func (r *Row) change() string {
	if !r.Paired() {
		return "-"
	}
	return r.Printed + " (" + r.Test + ")"
}

func (r *Row) level() string {
	if !r.Paired() {
		return "-"
	}
	return fmt.Sprintf("%.3g", r.Q)
}

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

// summary returns the table's geomean; ok is false for a table of one row, which says it
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

// printed returns the change in per cent, as benchstat prints it: "?" where there is none.
func (g geomean) printed() string {
	if math.IsNaN(g.Ratio) {
		return "?"
	}
	return fmt.Sprintf("%+.2f%%", (g.Ratio-1)*100)
}

// cells returns the geomean's old, new and change for people.
func (g geomean) cells(unit string) [3]string {
	show := func(x float64) string {
		if math.IsNaN(x) {
			return "-"
		}
		return Show(x, unit)
	}
	return [3]string{show(g.Old), show(g.New), g.printed()}
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

package bench

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"sakusen/engines/plain"
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
				r.Series.Name, r.side(r.Old), r.side(r.New), r.change(), r.level(), r.Verdict)
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

// WriteMarkdown writes the comparison as Markdown tables.
func (c *Comparison) WriteMarkdown(w io.Writer) error {
	var b strings.Builder
	for _, t := range c.tables() {
		fmt.Fprintf(&b, "**%s**\n\n| %s | old | new | change | q | verdict |\n|---|---|---|---|---|---|\n", markdown(t.title()), markdown(t.unit))
		for _, r := range t.rows {
			fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s |\n",
				markdown(r.Series.Name), r.side(r.Old), r.side(r.New), markdown(r.change()), r.level(), r.Verdict)
		}
		if g, ok := t.summary(); ok {
			cells := g.cells(t.unit)
			fmt.Fprintf(&b, "| geomean | %s | %s | %s | | |\n", cells[0], cells[1], markdown(cells[2]))
		}
		b.WriteByte('\n')
		for _, note := range t.notes() {
			fmt.Fprintln(&b, "- "+markdown(note))
		}
		if len(t.notes()) > 0 {
			b.WriteByte('\n')
		}
	}
	for _, warning := range c.Warnings {
		fmt.Fprintf(&b, "> warning: %s\n", markdown(warning))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// markdown escapes what would end a cell or begin markup.
func markdown(text string) string {
	return strings.NewReplacer("|", `\|`, "<", "&lt;", "~", `\~`, "*", `\*`, "_", `\_`).Replace(plain.Text(text))
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

// notes are the warnings of the rows, each once with the names it is about.
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
		if len(who) == len(t.rows) && len(who) > 1 {
			order[i] = "all: " + w
		} else {
			order[i] = strings.Join(who, ", ") + ": " + w
		}
	}
	if g, ok := t.summary(); ok && g.note() != "" {
		order = append(order, g.note())
	}
	return order
}

// side is a summary for people.
func (r *Row) side(s *Summary) string {
	if s == nil {
		return "-"
	}
	if r.Exact && s.Min == s.Max {
		return fmt.Sprintf("%.12g", s.Center)
	}
	return Show(s.Center, r.Series.Unit) + " ± " + s.Range
}

// change is the change as benchstat prints it, with its test.
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

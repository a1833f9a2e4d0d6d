package bench

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"sakusen/engines/plain"
)

// MostMarkdown is the most bytes of a comparison or of a gate in Markdown. GitHub drops a
// step's summary whole above 1 MiB, and a step may write several.
const MostMarkdown = 240_000

// WriteMarkdown writes the comparison as Markdown tables, of at most [MostMarkdown] bytes.
func (c *Comparison) WriteMarkdown(w io.Writer) error {
	_, err := io.WriteString(w, c.Markdown(MostMarkdown))
	return err
}

// Markdown returns the comparison as Markdown tables of about so many bytes at most: where
// that is too few for all series, those that matter most, and how many were left out.
func (c *Comparison) Markdown(most int) string {
	var warnings strings.Builder
	for i, warning := range c.Warnings {
		if i == mostNamed {
			fmt.Fprintf(&warnings, "> and %d warnings more\n", len(c.Warnings)-mostNamed)
			break
		}
		fmt.Fprintf(&warnings, "> warning: %s\n", markdown(warning))
	}
	kept, out := c.fitting(most - warnings.Len() - 300) // 300 for the sentence on what was left out
	var b strings.Builder
	for _, t := range c.tables() {
		rows := slices.DeleteFunc(slices.Clone(t.rows), func(r *Row) bool { return !kept[r] })
		if len(rows) == 0 {
			continue
		}
		if len(rows) < len(t.rows) {
			slices.SortStableFunc(rows, mattersMore)
		}
		b.WriteString(t.markdownHead())
		for _, r := range rows {
			b.WriteString(r.markdown())
		}
		b.WriteString(t.markdownFoot())
	}
	return b.String() + out + warnings.String()
}

// fitting chooses the rows that fit into so many bytes, what matters most first, and says
// which do not.
func (c *Comparison) fitting(room int) (kept map[*Row]bool, out string) {
	of := map[*Row]*tablePart{}
	var all []*Row
	for _, t := range c.tables() {
		for _, r := range t.rows {
			of[r] = t
		}
		all = append(all, t.rows...)
	}
	slices.SortStableFunc(all, mattersMore)
	kept = map[*Row]bool{}
	begun, left := map[*tablePart]bool{}, map[Verdict]int{}
	for _, r := range all {
		t, need := of[r], math.MaxInt
		if room > 0 {
			if need = len(r.markdown()); !begun[t] {
				need += len(t.markdownHead()) + len(t.markdownFoot())
			}
		}
		if need > room {
			left[r.Decided()]++
			room = 0 // nothing that matters less takes the place of what does not fit
			continue
		}
		room -= need
		kept[r], begun[t] = true, true
	}
	var parts []string
	for _, v := range byWeight() {
		if n := left[v]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, v))
		}
	}
	if len(parts) > 0 {
		out = fmt.Sprintf("%d of %d series do not fit in here (%s); JSON and CSV have all.\n\n", len(all)-len(kept), len(all), strings.Join(parts, ", "))
	}
	return kept, out
}

// byWeight returns the verdicts of comparisons, what matters most first.
func byWeight() []Verdict {
	return []Verdict{Worse, ExactChanged, Missing, Inconclusive, Better, New, Same}
}

// mattersMore orders rows by their verdicts, and those of one by how far they changed.
func mattersMore(a, b *Row) int {
	weight := func(r *Row) int { return slices.Index(byWeight(), r.Decided()) }
	far := func(r *Row) float64 {
		if !r.Paired() || math.IsNaN(r.Delta) {
			return -1
		}
		return math.Abs(r.Delta)
	}
	return cmp.Or(cmp.Compare(weight(a), weight(b)), cmp.Compare(far(b), far(a)))
}

// markdown returns the row as a line of a table.
func (r *Row) markdown() string {
	return fmt.Sprintf("| %s | %s | %s | %s | %s | %s |\n",
		markdown(r.Series.Name), r.Old.text(r.Series.Unit, r.Exact), r.New.text(r.Series.Unit, r.Exact), markdown(r.change()), r.level(), r.Verdict)
}

func (t *tablePart) markdownHead() string {
	return fmt.Sprintf("**%s**\n\n| %s | old | new | change | q | verdict |\n|---|---|---|---|---|---|\n", markdown(t.title()), markdown(t.unit))
}

// markdownFoot returns what stands below the rows: the geomean and the notes.
func (t *tablePart) markdownFoot() string {
	var b strings.Builder
	if g, ok := t.summary(); ok {
		cells := g.cells(t.unit)
		fmt.Fprintf(&b, "| geomean | %s | %s | %s | | |\n", cells[0], cells[1], markdown(cells[2]))
	}
	b.WriteByte('\n')
	notes := t.notes()
	for _, note := range notes {
		fmt.Fprintln(&b, "- "+markdown(note))
	}
	if len(notes) > 0 {
		b.WriteByte('\n')
	}
	return b.String()
}

// Markdown returns the gate as Markdown of about so many bytes at most: where that is too
// few for all findings, those that matter most, and how many were left out.
func (g Gate) Markdown(c *Comparison, most int) string {
	last := g.last(c)
	if power := g.Power.String(); power != "" {
		last = "\n" + markdown(power) + "\n" + last
	}
	room := most - len(last) - 300 // 300 for the sentences on what was left out
	var why strings.Builder
	for _, text := range g.whys(c) {
		if text = "\n```text\n" + text + "```\n"; why.Len()+len(text) <= room/4 {
			why.WriteString(text)
		}
	}
	room -= why.Len()
	var b, out strings.Builder
	list := func(label, what string, texts []string) {
		for i, text := range texts {
			line := "- **" + label + "** " + markdown(text) + "\n"
			if len(line) > room {
				fmt.Fprintf(&out, "- and %d %s that do not fit in here; JSON has all\n", len(texts)-i, what)
				room = 0 // nothing that matters less takes the place of what does not fit
				return
			}
			room -= len(line)
			b.WriteString(line)
		}
	}
	for _, part := range g.parts() {
		texts := make([]string, len(part.list))
		for i, f := range part.list {
			texts[i] = f.String()
		}
		list(part.label, part.what, texts)
	}
	list("warning:", "warnings", c.Warnings)
	return b.String() + out.String() + why.String() + last
}

// mostCharacters is how many characters a text may have before it is cut.
const mostCharacters = 700

// markdown escapes what would end a cell or begin markup, and cuts what is too long.
func markdown(text string) string {
	if runes := []rune(text); len(runes) > mostCharacters {
		text = string(runes[:mostCharacters-1]) + "…"
	}
	return strings.NewReplacer("|", `\|`, "<", "&lt;", "~", `\~`, "*", `\*`, "_", `\_`).Replace(plain.Text(text))
}

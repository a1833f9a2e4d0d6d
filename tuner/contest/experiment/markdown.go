package experiment

import "strings"

// Markdown is a report as a table of a page: printed, measured with its 95 % interval,
// verdict in words, note.
func (r *Report) Markdown() string {
	var b strings.Builder
	b.WriteString("| row | metric | printed | measured | verdict | note |\n|---|---|---|---|---|---|\n")
	for i := range r.Rows {
		row := &r.Rows[i]
		printed, measured := row.Texts()
		cells := []string{row.Label, row.Metric, printed, measured, row.words(), row.Note}
		b.WriteString("| " + strings.Join(cells, " | ") + " |\n")
	}
	return b.String()
}

// words is the verdict as a page has it.
func (r *Row) words() string {
	switch r.Verdict() {
	case "yes":
		return "holds"
	case "no":
		return "does not hold"
	}
	return r.Verdict()
}

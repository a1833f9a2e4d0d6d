package view

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"
	"unicode"
	"unicode/utf8"

	"sakusen/engines/plain"
	"sakusen/tuner/insight"
	"sakusen/tuner/numeral"
	"sakusen/tuner/stats"
)

// Section is one part of a result: lines of a label, a value, its interval and a note, or,
// where it has columns, a table. Numbers in it are texts that are rounded already, so that
// terminal, page and JSON show the same digits.
type Section struct {
	Key     string   `json:"key"`             // names the part, such as "proof" or "standings"
	Title   string   `json:"title,omitempty"` // a heading; in the terminal a line of its own
	Columns []Column `json:"columns,omitempty"`
	Lines   []Line   `json:"lines,omitempty"`
	// More is the number of lines that were left out; see [Section.First].
	More int `json:"more,omitempty"`
	// Note is said below the lines.
	Note string `json:"note,omitempty"`

	// brackets has lines written as "label value [low, high] at 95 %, note", unwrapped.
	brackets bool
	// silent is not written in the terminal, which says the same in more sentences.
	silent bool
	// tight has no empty line before it in the terminal.
	tight bool
	// names is the column whose cells name their rows.
	names int
}

// Column is a column of a table; the first one is that of the labels.
type Column struct {
	Name  string `json:"name"`
	Shows Shows  `json:"shows,omitempty"`
}

// Shows says what a column shows of the intervals of its cells.
type Shows string

// What a column shows: nothing of intervals (empty), both ends in a column of their own, the
// half-width behind the value, or the half-width behind the value on pages alone.
const (
	Ends     Shows = "ends"
	Half     Shows = "half"
	PageHalf Shows = "page half"
)

// Line is a label with its text; in a table, a row.
type Line struct {
	Label string `json:"label,omitempty"`
	Cell         // where the section has no columns; in a table only the note of the label
	Cells []Cell `json:"cells,omitempty"`
}

// Cell is a value with its interval and a note.
type Cell struct {
	Value    string    `json:"value,omitempty"`
	Interval *Interval `json:"interval,omitempty"`
	Note     string    `json:"note,omitempty"`

	Class string `json:"-"` // style class on pages
	Link  string `json:"-"` // address on pages, empty for none
}

// Interval is a confidence interval, rounded like its value.
type Interval struct {
	Low   string `json:"low"`
	High  string `json:"high"`
	Half  string `json:"half"`           // half its width
	Level string `json:"level"`          // per cent, such as "95"
	Unit  string `json:"unit,omitempty"` // of both ends, empty for that of the value
}

// between returns a 95 % interval, nil where the ends are not known or equal.
func between(low, high float64) *Interval {
	if !(high > low) || !numeral.IsFinite(high-low) {
		return nil
	}
	from, to := numeral.Interval(low, high)
	_, half := numeral.Pair(0, (high-low)/2)
	return &Interval{Low: from, High: to, Half: half, Level: "95"}
}

// betweenElo formats a study's gain in Elo as between does, up to a score of .999.
func betweenElo(low, high float64) *Interval {
	i := between(low, high)
	if i != nil {
		i.Low, i.High = numeral.EloEnds(low, high)
		_, i.Half = numeral.EloEnds(0, (high-low)/2)
		i.Low, i.High = i.Low+beyond(low), i.High+beyond(high)
	}
	return i
}

// beyond returns what is said behind a difference in Elo: " or more" where it stands at the
// end of what is told, as after games that were all won or of a model, and nothing elsewhere.
func beyond(elo float64) string {
	switch elo {
	case insight.MostElo:
		return " or more"
	case -insight.MostElo:
		return " or less"
	}
	return stats.Beyond(elo)
}

// at returns the interval with another level, in per cent.
func (i *Interval) at(level float64) *Interval {
	if i != nil {
		i.Level = numeral.Text(min(math.Round(10*level)/10, max(99.9, math.Floor(100*level)/100))) // never 100
	}
	return i
}

// Ends returns "0.49 to 0.51".
func (i *Interval) Ends() string { return strings.TrimSpace(i.Low + " to " + i.High + " " + i.Unit) }

// brackets returns "[0.49, 0.51]".
func (i *Interval) brackets() string { return "[" + i.Low + ", " + i.High + "]" }

// measured returns a number with its 95 % interval, with so many digits behind the point
// where there is no interval; "-" where the number is undefined.
func measured(n stats.Number, ci stats.Interval, digits int) Cell {
	c := Cell{Value: n.Fixed(digits)}
	if !n.Defined || !ci.Defined() {
		return c
	}
	if c.Interval = between(ci.Lo.Value, ci.Hi.Value); c.Interval != nil {
		c.Value = numeral.Rounded(n.Value, ci.Half())
	} else {
		c.Interval = &Interval{Low: ci.Lo.Fixed(digits), High: ci.Hi.Fixed(digits), Half: "0", Level: "95"}
	}
	return c
}

// measuredElo returns measured for a difference in Elo, with a sign before numbers above 0.
func measuredElo(n stats.Number, ci stats.Interval) Cell {
	c := measured(n, ci, 1)
	if !n.Defined {
		return c
	}
	if n.Value >= 0 {
		c.Value = "+" + c.Value
	}
	if c.Value += beyond(n.Value); c.Interval != nil {
		c.Interval.Low, c.Interval.High = c.Interval.Low+beyond(ci.Lo.Value), c.Interval.High+beyond(ci.Hi.Value)
	}
	return c
}

// cells returns plain values as cells.
func cells(values ...any) []Cell {
	out := make([]Cell, len(values))
	for i, v := range values {
		out[i].Value = fmt.Sprint(v)
	}
	return out
}

// columns returns columns that show no intervals.
func columns(names ...string) []Column {
	out := make([]Column, len(names))
	for i, name := range names {
		out[i].Name = name
	}
	return out
}

// First returns the section with at most n lines.
func (s Section) First(n int) Section {
	if left := len(s.Lines) - n; left > 0 {
		s.Lines, s.More = s.Lines[:n], s.More+left
	}
	return s
}

// Find returns the section with a key, an empty one where there is none.
func Find(all []Section, key string) Section {
	for _, s := range all {
		if s.Key == key {
			return s
		}
	}
	return Section{Key: key}
}

// Without returns the sections but the one with a key.
func Without(all []Section, key string) []Section {
	return slices.DeleteFunc(slices.Clone(all), func(s Section) bool { return s.Key == key })
}

// add appends a line unless its value is empty.
func (s *Section) add(label, value string) { s.put(Line{Label: label, Cell: Cell{Value: value}}) }

func (s *Section) put(l Line) {
	if l.Value != "" {
		s.Lines = append(s.Lines, l)
	}
}

// Head returns the heads of a table's columns as they stand side by side.
func (s Section) Head() []string {
	var out []string
	for _, c := range s.Columns {
		if out = append(out, c.Name); c.Shows == Ends {
			out = append(out, "95 %")
		}
	}
	return out
}

// shown returns a cell as the cells that stand side by side. It keeps its interval only where
// pages show that below the value.
func shown(c Cell, shows Shows) []Cell {
	i := c.Interval
	if shows != PageHalf {
		c.Interval = nil
	}
	switch {
	case shows == Half && i != nil:
		c.Value += " +- " + i.Half
	case shows == Ends && i != nil:
		return []Cell{c, {Value: i.brackets()}}
	case shows == Ends:
		return []Cell{c, {Value: "-"}}
	}
	return []Cell{c}
}

// Text returns the line as a text: the value, its interval and the note.
func (l Line) Text() string {
	text := l.Value
	if i := l.Interval; i != nil {
		text += fmt.Sprintf(", and with %s %% confidence between %s and %s.", i.Level, i.Low, i.High)
	}
	if l.Note != "" {
		text += " " + l.Note
	}
	return text
}

// Alone returns the text for a place where the label does not stand beside it: a text that
// goes on from its label begins with it.
func (l Line) Alone() string {
	text := l.Text()
	if r, _ := utf8.DecodeRuneInString(text); unicode.IsLower(r) {
		return l.Label + ": " + text
	}
	return text
}

// Short returns the line with its interval in brackets.
func (l Line) Short() string {
	text := l.Value
	if l.Interval != nil {
		text += " " + l.Interval.brackets() + " at " + l.Interval.Level + " %"
	}
	if l.Note != "" {
		text += ", " + l.Note
	}
	return text
}

// The widths of the column of labels: beside wrapped texts, and beside texts of one line.
const (
	labelled = 14
	lineup   = 11
)

// Text writes sections for the terminal: lines beside their labels, tables in columns. A
// table, and what follows one, stands behind an empty line.
func Text(w io.Writer, sections ...Section) error {
	begun, table := false, false
	for i := range sections {
		s := &sections[i]
		if s.silent || len(s.Lines) == 0 && s.Title == "" && s.Below() == "" {
			continue
		}
		apart := s.Columns != nil || s.Title != ""
		if begun && (apart || table) && !s.tight {
			fmt.Fprintln(w)
		}
		begun, table = true, apart
		if err := s.write(w); err != nil {
			return err
		}
		if below := s.Below(); below != "" {
			fmt.Fprintln(w, plain.Wrap(below, "", plain.Width))
		}
	}
	return nil
}

// Below returns the text below the lines: how many were left out, and the note.
func (s Section) Below() string {
	text := s.Note
	if s.More > 0 {
		text = strings.TrimSpace(fmt.Sprintf("And %d more, which the JSON has. %s", s.More, text))
	}
	return text
}

// write writes one section.
func (s *Section) write(w io.Writer) error {
	if s.Title != "" {
		fmt.Fprintln(w, s.Title)
	}
	if s.Columns == nil || len(s.Lines) == 0 {
		return s.writeLines(w)
	}
	return Table(w, func(line func(...any)) {
		line(anys(s.Head())...)
		for i := range s.Lines {
			l := &s.Lines[i]
			values := []any{l.Label}
			for k, cell := range l.Cells {
				for _, c := range shown(cell, s.Columns[k+1].Shows) {
					values = append(values, c.Value)
				}
			}
			line(values...)
		}
	})
}

// writeLines writes lines, each with its label.
func (s *Section) writeLines(w io.Writer) error {
	var b strings.Builder
	width := lineup
	for _, l := range s.Lines {
		width = max(width, utf8.RuneCountInString(l.Label)+1)
	}
	for _, l := range s.Lines {
		switch {
		case s.brackets && l.Label == "":
			b.WriteString(l.Short() + "\n")
		case s.brackets:
			fmt.Fprintf(&b, "%-*s%s\n", width, l.Label, l.Short())
		default:
			fmt.Fprintf(&b, "%-*s%s\n", labelled, l.Label, plain.Wrap(l.Text(), strings.Repeat(" ", labelled), plain.Width))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func anys(texts []string) []any {
	out := make([]any, len(texts))
	for i, t := range texts {
		out[i] = t
	}
	return out
}

// grouped returns a whole number with spaces between groups of three digits.
func grouped(n int64) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + " " + text[i:]
	}
	return text
}

// about returns a number of games or blocks of which two digits are known.
func about(n float64) string { return grouped(int64(min(numeral.Rough(n), 1e15))) }

// Table writes rows in columns, as wide as their widest cells.
func Table(w io.Writer, rows func(line func(cells ...any))) error {
	t := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	rows(func(cells ...any) {
		for i, c := range cells {
			if i > 0 {
				fmt.Fprint(t, "\t")
			}
			fmt.Fprint(t, c)
		}
		fmt.Fprintln(t)
	})
	return t.Flush()
}

package papers

import (
	"bytes"
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"text/template"

	"sakusen/tuner/contest/experiment"
)

//go:embed pages results
var files embed.FS

// names returns the pages that there are, without .md.
func names() ([]string, error) {
	list, err := fs.Glob(files, "pages/*.md")
	for i, file := range list {
		list[i] = file[len("pages/") : len(file)-len(".md")]
	}
	return list, err
}

// page writes a page from the stored results, and the figures that it shows by the names of
// their files.
func page(name string) (page []byte, figures map[string][]byte, err error) {
	results, err := fs.Sub(files, "results")
	if err != nil {
		return nil, nil, err
	}
	text, err := fs.ReadFile(files, "pages/"+name+".md")
	if err != nil {
		return nil, nil, err
	}
	return write(name, string(text), results)
}

func write(name, text string, results fs.FS) ([]byte, map[string][]byte, error) {
	runs, err := readRuns(results)
	if err != nil {
		return nil, nil, err
	}
	solutions, err := readSolutions(results)
	if err != nil {
		return nil, nil, err
	}
	p := printer{runs, solutions, map[string][]byte{}}
	t, err := template.New(name).Option("missingkey=error").Funcs(template.FuncMap{
		"table": p.table, "rows": p.rows, "value": p.value, "less": p.less, "greater": p.greater,
		"seeds": p.seeds, "command": p.command, "agree": p.agree, "differ": p.differ, "score": p.score, "squares": p.squares,
		"matrix": p.matrix, "noted": p.noted, "results": p.results, "claims": p.claims, "grid": p.grid,
		"cells": p.cells, "stored": p.stored, "solved": p.solved, "figure": p.figure,
	}).Parse(text)
	if err != nil {
		return nil, nil, fmt.Errorf("page %s: %w", name, err)
	}
	var b bytes.Buffer
	if err := t.Execute(&b, nil); err != nil {
		return nil, nil, fmt.Errorf("page %s: %w", name, err)
	}
	return b.Bytes(), p.figures, nil
}

// printer has the functions of a template.
type printer struct {
	runs      map[string][]run
	solutions map[string]solution
	figures   map[string][]byte // those that the page shows, by file
}

// stored reports whether there is a result of an experiment.
func (p printer) stored(name string) bool { return len(p.runs[name]) > 0 }

// singleSided behind the name of an experiment asks for the estimates of its win rates
// from the sides of the games taken singly, which are surer than the games.
const singleSided = " single-sided"

func (p printer) of(name string) ([]experiment.Row, error) {
	name, sides := strings.CutSuffix(name, singleSided)
	if len(p.runs[name]) == 0 {
		return nil, fmt.Errorf("no stored result of %s", name)
	}
	runs := p.runs[name]
	if sides {
		runs = bySides(runs)
	}
	return pooled(runs)
}

func (p printer) row(name, label, metric string) (experiment.Row, error) {
	rows, err := p.of(name)
	for _, row := range rows {
		if row.Label == label && row.Metric == metric {
			return row, nil
		}
	}
	if err == nil {
		err = fmt.Errorf("%s has no row %q of %q", name, label, metric)
	}
	return experiment.Row{}, err
}

// told returns the verdict of a row in words.
func told(row *experiment.Row) string {
	switch row.Verdict() {
	case "yes":
		return "holds"
	case "no":
		return "differs"
	case "undecided":
		if _, ok := printedOf(row); !ok { // a statement, with an interval on both sides of it
			return "not decided"
		}
		if near(row) {
			return "too few games to say"
		}
		return "differs, with few games"
	}
	return "not printed"
}

// table prints a line for each label and, for each metric, what is printed and what is
// measured.
func (p printer) table(name string, metrics ...string) (string, error) {
	rows, err := p.of(name)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString("| |")
	for _, m := range metrics {
		fmt.Fprintf(&b, " %s printed | measured |", m)
	}
	b.WriteString(" verdict |\n|---|" + strings.Repeat("---:|---:|", len(metrics)) + "---|\n")
	var labels []string
	for i := range rows {
		if !slices.Contains(labels, rows[i].Label) {
			labels = append(labels, rows[i].Label)
		}
	}
	for _, label := range labels {
		line, off, few, any := "| "+label+" |", []string(nil), false, false
		for _, m := range metrics {
			row, err := p.row(name, label, m)
			if err != nil { // figures print other columns for other labels
				line += " | |"
				continue
			}
			printed, measured := row.Texts()
			line += " " + strings.TrimPrefix(printed, "-") + " | " + measured + " |"
			any = any || !row.Printed.Nothing()
			switch row.Verdict() {
			case "no":
				off = append(off, m)
			case "undecided":
				if near(&row) {
					few = true
				} else {
					off = append(off, m)
				}
			}
		}
		switch {
		case len(off) > 0:
			line += " differs: " + strings.Join(off, ", ")
		case few:
			line += " too few games to say"
		case any:
			line += " holds"
		}
		b.WriteString(line + " |\n")
	}
	return strings.TrimSuffix(b.String(), "\n"), nil
}

// rows prints a line for each row whose label begins with a text, which is left out.
func (p printer) rows(name, prefix string) (string, error) {
	rows, err := p.of(name)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString("| | printed | measured | verdict |\n|---|---:|---:|---|\n")
	for i := range rows {
		label, ok := strings.CutPrefix(rows[i].Label, prefix)
		if !ok {
			continue
		}
		printed, measured := rows[i].Texts()
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", strings.TrimLeft(label, ": "), printed, measured, told(&rows[i]))
	}
	return strings.TrimSuffix(b.String(), "\n"), nil
}

func (p printer) value(name, label, metric string) (string, error) {
	row, err := p.row(name, label, metric)
	if err != nil {
		return "", err
	}
	_, measured := row.Texts()
	return measured, nil
}

// less reports whether the measured values rise in the order of the labels, by intervals
// that do not meet.
func (p printer) less(name, metric string, labels ...string) (string, error) {
	verdict, texts := "holds", []string(nil)
	var before experiment.Row
	for i, label := range labels {
		row, err := p.row(name, label, metric)
		if err != nil {
			return "", err
		}
		_, measured := row.Texts()
		texts = append(texts, label+" "+measured)
		if i > 0 {
			switch lo, hi := number(&before), number(&row); {
			case row.CI.Lo.Value > before.CI.Hi.Value:
			case hi < lo && row.CI.Hi.Value < before.CI.Lo.Value:
				verdict = "does not hold"
			case verdict == "holds":
				verdict = "not decided, intervals meet"
			}
		}
		before = row
	}
	return verdict + ": " + strings.Join(texts, ", "), nil
}

func number(row *experiment.Row) float64 {
	x, _ := strconv.ParseFloat(row.Measured.String(), 64)
	return x
}

// greater reports whether a measured value is above a number.
func (p printer) greater(name, metric, label string, than float64) (string, error) {
	row, err := p.row(name, label, metric)
	if err != nil {
		return "", err
	}
	_, measured := row.Texts()
	lo, hi := number(&row), number(&row)
	if row.CI.Defined() {
		lo, hi = row.CI.Lo.Value, row.CI.Hi.Value
	}
	switch {
	case lo > than:
		return "holds: " + measured, nil
	case hi < than:
		return "does not hold: " + measured, nil
	}
	return "not decided: " + measured, nil
}

// command returns what was run; runs that differ by their seeds alone are told as one.
func (p printer) command(name string) (string, error) {
	runs := p.runs[name]
	if len(runs) == 0 {
		return "", fmt.Errorf("no stored result of %s", name)
	}
	var texts []string
	for len(runs) > 0 {
		n, seeds := 1, runs[0].seed
		for n < len(runs) && runs[n].games == runs[0].games {
			seeds += ", " + runs[n].seed
			n++
		}
		first := runs[0]
		if n > 1 {
			first.seed = "S"
		}
		text := "`" + first.command() + "`"
		if n > 1 {
			text += " for S = " + seeds
		}
		texts, runs = append(texts, text), runs[n:]
	}
	return strings.Join(texts, "; "), nil
}

// matrix prints the measured values of labels "ROW - COLUMN" as a table.
func (p printer) matrix(name, metric string) (string, error) {
	rows, err := p.of(name)
	if err != nil {
		return "", err
	}
	var lines, columns []string
	cell := map[[2]string]string{}
	for i := range rows {
		line, column, ok := strings.Cut(rows[i].Label, " - ")
		if !ok || rows[i].Metric != metric {
			continue
		}
		if !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
		if !slices.Contains(columns, column) {
			columns = append(columns, column)
		}
		_, cell[[2]string{line, column}] = rows[i].Texts()
	}
	b := "| | " + strings.Join(columns, " | ") + " |\n|---|" + strings.Repeat("---:|", len(columns))
	for _, line := range lines {
		b += "\n| " + line + " |"
		for _, column := range columns {
			b += " " + cell[[2]string{line, column}] + " |"
		}
	}
	return b, nil
}

// noted prints the rows whose label is no "ROW - COLUMN", with their notes.
func (p printer) noted(name string) (string, error) {
	rows, err := p.of(name)
	b := "| | value | measured | note |\n|---|---|---:|---|"
	for i := range rows {
		if !strings.Contains(rows[i].Label, " - ") {
			_, measured := rows[i].Texts()
			b += fmt.Sprintf("\n| %s | %s | %s | %s |", rows[i].Label, rows[i].Metric, measured, rows[i].Note)
		}
	}
	return b, err
}

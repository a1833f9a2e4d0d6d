package papers

import (
	"bytes"
	"embed"
	"fmt"
	"io/fs"
	"text/template"
)

//go:embed pages results
var files embed.FS

// Names are the pages that there are, without .md.
func Names() ([]string, error) {
	list, err := fs.Glob(files, "pages/*.md")
	for i, file := range list {
		list[i] = file[len("pages/") : len(file)-len(".md")]
	}
	return list, err
}

// Page writes a page from the stored results, and the figures that it shows by the names of
// their files.
func Page(name string) (page []byte, figures map[string][]byte, err error) {
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
		"seeds": p.seeds, "command": p.command, "agree": p.agree, "differ": p.differ, "score": p.score,
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

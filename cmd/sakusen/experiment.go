package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"sakusen/engines/param"
)

// experiment is a published table or figure that can be run again.
type experiment struct {
	name, doc, source string
	// run adds row after row; it stops when the context is done.
	run func(ctx context.Context, add func(experimentRow)) error
}

// experimentRow is one printed figure beside ours.
type experimentRow struct {
	Label     string      `json:"label"`
	Metric    string      `json:"metric"`
	Printed   any         `json:"printed"` // null where nothing is printed; node counts are decimal strings
	PrintedCI *[2]float64 `json:"printed_ci95"`
	Measured  any         `json:"measured"`
	CI        *[2]float64 `json:"ci95"`
	Agrees    *bool       `json:"agrees"`
	Note      string      `json:"note,omitempty"`
}

// experimentReport is what `experiment run --json` prints.
type experimentReport struct {
	Name    string            `json:"name"`
	Source  string            `json:"source"`
	Rows    []experimentRow   `json:"rows"`
	Summary experimentSummary `json:"summary"`
}

type experimentSummary struct {
	Rows        int `json:"rows"`
	Agree       int `json:"agree"`
	TooFewGames int `json:"too_few_games"`
}

// experiments are all that can be run.
func experiments() ([]experiment, error) { return daifugoExperiments() }

func (a *app) experimentCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "experiment",
		Short: "Run a published table or figure again: printed against measured",
		Args:  exactly(0, "list or run NAME"),
		RunE: func(*cobra.Command, []string) error {
			return usage(fmt.Errorf("experiment: expected list or run NAME"))
		},
	}
	c.AddCommand(&cobra.Command{
		Use:   "list",
		Short: "The experiments there are",
		Args:  exactly(0, "nothing more"),
		RunE:  func(*cobra.Command, []string) error { return a.listExperiments() },
	}, &cobra.Command{
		Use:   "run NAME",
		Short: "Run one",
		Args:  exactly(1, "one NAME"),
		RunE:  func(c *cobra.Command, args []string) error { return a.runExperiment(c.Context(), args[0]) },
	})
	return c
}

func (a *app) listExperiments() error {
	all, err := experiments()
	if err != nil {
		return err
	}
	if a.flags.asJSON {
		type line struct {
			Name   string `json:"name"`
			Doc    string `json:"doc"`
			Source string `json:"source"`
		}
		lines := make([]line, len(all))
		for i, e := range all {
			lines[i] = line{e.name, e.doc, e.source}
		}
		return a.printJSON(lines)
	}
	return table(a.out, func(line func(cells ...any)) {
		for _, e := range all {
			line(e.name, e.doc)
		}
	})
}

// findExperiment finds an experiment by name.
func findExperiment(name string) (experiment, error) {
	all, err := experiments()
	if err != nil {
		return experiment{}, err
	}
	var names []string
	for _, e := range all {
		if e.name == name {
			return e, nil
		}
		names = append(names, e.name)
	}
	if near, ok := param.Nearest(name, names); ok {
		return experiment{}, usage(fmt.Errorf("no experiment %q (did you mean %s?)", name, near))
	}
	return experiment{}, usage(fmt.Errorf("no experiment %q (expected one of %s)", name, strings.Join(names, ", ")))
}

func (a *app) runExperiment(ctx context.Context, name string) error {
	e, err := findExperiment(name)
	if err != nil {
		return err
	}
	r := experimentReport{Name: e.name, Source: e.source, Rows: []experimentRow{}}
	err = e.run(ctx, func(row experimentRow) {
		r.Rows = append(r.Rows, row)
		r.Summary.Rows++
		switch {
		case row.Agrees == nil:
			r.Summary.TooFewGames++
		case *row.Agrees:
			r.Summary.Agree++
		}
	})
	if err != nil {
		return err
	}
	if a.flags.asJSON {
		return a.printJSON(r)
	}
	return a.tellExperiment(r)
}

// tellExperiment prints a report for people.
func (a *app) tellExperiment(r experimentReport) error {
	return table(a.out, func(line func(cells ...any)) {
		line("row", "metric", "printed", "measured", "agrees", "note")
		for _, row := range r.Rows {
			printed, agrees := row.Printed, "too few games"
			if printed == nil {
				printed = "-"
			}
			if row.Agrees != nil {
				agrees = map[bool]string{true: "yes", false: "no"}[*row.Agrees]
			}
			measured := row.Measured
			if raw, ok := measured.(json.RawMessage); ok {
				measured = string(raw)
			}
			line(row.Label, row.Metric, printed, measured, agrees, row.Note)
		}
		line(fmt.Sprintf("%d rows, %d agree", r.Summary.Rows, r.Summary.Agree))
	})
}

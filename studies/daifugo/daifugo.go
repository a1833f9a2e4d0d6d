// Package daifugo holds the experiments on Daifugo: the tables of the paper on
// ranking search, run again cell by cell. The cells and their measurement are
// the package tables; here they become rows of an experiment.Experiment.
//
// Place in the flow: studies/experiments collects the experiments of all games, and
// `sakusen experiment run daifugo-table-5` runs one.
//
//	list, err := daifugo.Experiments()
//	report, err := list[0].Report(ctx, experiment.Options{})
package daifugo

import (
	"context"
	"strconv"

	"sakusen/studies/daifugo/tables"
	"sakusen/tuner/contest/experiment"
)

// Experiments are the tables of the ranking search, and what goes beyond them.
func Experiments() ([]experiment.Experiment, error) {
	all, err := tables.Experiments()
	if err != nil {
		return nil, err
	}
	var list []experiment.Experiment
	for _, e := range all {
		list = append(list, experiment.Experiment{Name: e.Name, Doc: e.Doc, Source: tables.Source,
			Run: func(ctx context.Context, o experiment.Options, add func(experiment.Row)) error {
				return runSteps(ctx, e, o, add)
			}})
	}
	return append(list, hashing(), hidden()), nil
}

// runSteps runs a table step by step. A step that is interrupted is left running; it ends
// by itself.
func runSteps(ctx context.Context, e tables.Experiment, o experiment.Options, add func(experiment.Row)) error {
	for i, step := range e.Steps {
		if err := ctx.Err(); err != nil {
			return err
		}
		rows, err := experiment.RunCached(ctx, o, "step "+strconv.Itoa(i+1), step)
		if err != nil {
			return err
		}
		for _, row := range rows {
			add(experiment.Row{Label: row.Label, Metric: row.Metric, Printed: figure(row.Metric, row.Printed),
				Measured: figure(row.Metric, row.Measured), Agrees: &row.Agrees, Note: row.Note})
		}
		if o.Progress != nil {
			o.Progress(int64(i+1), int64(len(e.Steps)), 0)
		}
	}
	return nil
}

// figure is a figure as JSON: depths are numbers, node counts decimal strings, solutions
// lists, and an empty text is null.
func figure(metric, text string) experiment.Value {
	if text == "" {
		return experiment.Value{}
	}
	if metric == "solution" {
		return experiment.JSON(text)
	}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil && metric == "depth" {
		return experiment.Integer(n)
	}
	return experiment.Text(text)
}

package main

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"

	"sakusen/strategies/daifugo/tables"
)

// daifugoExperiments are the tables of the ranking search.
func daifugoExperiments() ([]experiment, error) {
	all, err := tables.Experiments()
	if err != nil {
		return nil, err
	}
	var list []experiment
	for _, e := range all {
		list = append(list, experiment{name: e.Name, doc: e.Doc, source: tables.Source,
			run: func(ctx context.Context, add func(experimentRow)) error { return runSteps(ctx, e, add) }})
	}
	return list, nil
}

// runSteps runs a table step by step. A step that is cut short is left behind:
// the process is about to end.
func runSteps(ctx context.Context, e tables.Experiment, add func(experimentRow)) error {
	type result struct {
		rows []tables.Row
		err  error
	}
	for _, step := range e.Steps {
		done := make(chan result, 1)
		go func() {
			rows, err := step()
			done <- result{rows, err}
		}()
		select {
		case <-ctx.Done():
			return &coded{exitInterrupted, errors.New("interrupted")}
		case r := <-done:
			if r.err != nil {
				return r.err
			}
			for _, row := range r.rows {
				add(experimentRow{Label: row.Label, Metric: row.Metric, Printed: figure(row.Metric, row.Printed),
					Measured: figure(row.Metric, row.Measured), Agrees: &row.Agrees, Note: row.Note})
			}
		}
	}
	return nil
}

// figure is a figure as JSON has it: depths are numbers, node counts decimal
// strings, solutions lists, and what is not printed null.
func figure(metric, text string) any {
	if text == "" {
		return nil
	}
	if metric == "solution" && json.Valid([]byte(text)) {
		return json.RawMessage(text)
	}
	if n, err := strconv.Atoi(text); err == nil && metric == "depth" {
		return n
	}
	return text
}

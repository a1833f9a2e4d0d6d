package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"sakusen/engines/param"
	"sakusen/tuner/experiment"
	"sakusen/tuner/service"
	"sakusen/tuner/tournament"
)

// atDaemon lets the daemon that holds the database run a tournament or an
// experiment, waits for its end and decodes its result into v. path is where
// its kind is submitted, what what it is called.
func atDaemon(a *app, ctx context.Context, c *apiClient, path, what string, request, v any) error {
	var answer struct{ ID int }
	if err := c.call(ctx, http.MethodPost, path, request, &answer); err != nil {
		return err
	}
	list := fmt.Sprintf("%s?before=%d&limit=1", path, answer.ID+1)
	path = fmt.Sprintf("%s/%d", path, answer.ID)
	what = fmt.Sprintf("%s %d", what, answer.ID)
	var d service.JobDetail
	if err := c.call(ctx, http.MethodGet, path, nil, &d); err != nil {
		return err
	}
	if d.State == "paused" {
		if err := c.call(ctx, http.MethodPost, path+"/resume", struct{}{}, nil); err != nil {
			return err
		}
	}
	a.say("%s runs at the daemon, %s", what, c.base)
	watch := a.newTicker(0)
	defer watch.clear()
	for games := int64(0); ; {
		// A list leaves out the result so far, which may be long.
		var page struct{ Tournaments, Runs []service.Job }
		err := c.call(ctx, http.MethodGet, list, nil, &page)
		now := append(page.Tournaments, page.Runs...)
		switch {
		case ctx.Err() != nil:
		case err != nil:
			return err
		case len(now) == 0 || now[0].ID != answer.ID:
			return fmt.Errorf("%s was deleted", what)
		case now[0].State == "done":
			if err := c.call(ctx, http.MethodGet, path, nil, &d); err != nil {
				return err
			}
			return json.Unmarshal(d.Result, v)
		case now[0].State == "failed":
			return errors.New(now[0].Message)
		case now[0].State == "paused", now[0].State == "stopped":
			return &coded{exitInterrupted, fmt.Errorf("%s is %s", what, now[0].State)}
		case now[0].Progress != nil:
			p := now[0].Progress
			watch.showOf(p.Of, p.Blocks, p.Games-games)
			games = p.Games
		}
		select {
		case <-ctx.Done():
		case <-time.After(pollEvery):
			continue
		}
		break
	}
	return &coded{exitInterrupted, fmt.Errorf("%s goes on at the daemon; the same command waits for it", what)}
}

// tournamentAtDaemon is the report of a tournament that the daemon plays.
func tournamentAtDaemon(a *app, ctx context.Context, c *apiClient, file *tournament.File, source tournamentSource, f tournamentFlags) (*tournamentReport, error) {
	request := service.TournamentRequest{File: string(source.text), FileName: source.name, Blocks: f.blocks}
	if f.seeded {
		request.Seed = (*param.Seed)(&f.seed)
	}
	var t tournamentReport
	if err := atDaemon(a, ctx, c, "/api/v1/tournaments", "tournament", request, &t); err != nil {
		return nil, err
	}
	t.metrics = metricNames(file)
	return &t, nil
}

// experimentAtDaemon is the report of an embedded experiment that the daemon
// runs.
func experimentAtDaemon(a *app, ctx context.Context, c *apiClient, name string, f experimentFlags) (*experiment.Report, error) {
	request := service.ExperimentRequest{Name: name, Games: f.games, Simulations: f.simulations, Seed: (*param.Seed)(f.seed)}
	var r experiment.Report
	err := atDaemon(a, ctx, c, "/api/v1/experiments/runs", "experiment", request, &r)
	return &r, err
}

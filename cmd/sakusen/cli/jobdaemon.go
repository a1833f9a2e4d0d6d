package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"sakusen/engines/param"
	"sakusen/tuner/contest/experiment"
	"sakusen/tuner/contest/tournament"
	"sakusen/tuner/serve/client"
	"sakusen/tuner/service"
)

// atDaemon waits for a tournament or an experiment that the daemon runs and decodes its
// result into v; what is the word for it in messages.
func (a link) atDaemon(ctx context.Context, daemon *client.Client, jobs *client.Jobs, id int, what string, v any) error {
	what = fmt.Sprintf("%s %d", what, id)
	a.say("%s runs at the daemon, %s", what, daemon.Address())
	watch := newTicker(a.app, 0)
	defer watch.Clear()
	games := int64(0)
	job, err := jobs.Await(ctx, id, func(p *service.JobProgress) {
		watch.TickOf(p.Of, p.Blocks, p.Games-games)
		games = p.Games
	})
	switch {
	case ctx.Err() != nil:
		return &coded{exitInterrupted, fmt.Errorf("%s goes on in the daemon; run the same command to wait for it", what)}
	case err != nil:
		return err
	case job == nil:
		return fmt.Errorf("%s was deleted", what)
	case job.State == "failed":
		return errors.New(job.Message)
	case job.State != "done":
		return &coded{exitInterrupted, fmt.Errorf("%s is %s", what, job.State)}
	}
	d, err := jobs.Show(ctx, id)
	if err != nil {
		return err
	}
	return json.Unmarshal(d.Result, v)
}

// tournamentAtDaemon is the report of a tournament that the daemon plays.
func (a link) tournamentAtDaemon(ctx context.Context, c *client.Client, file *tournament.File, source tournamentSource, f tournamentFlags) (*service.TournamentReport, error) {
	request := service.TournamentRequest{File: string(source.text), FileName: source.name, Blocks: f.blocks}
	if f.seeded {
		request.Seed = (*param.Seed)(&f.seed)
	}
	id, err := c.Tournaments().Begin(ctx, request)
	if err != nil {
		return nil, err
	}
	var t service.TournamentReport
	if err := a.atDaemon(ctx, c, &c.Tournaments().Jobs, id, "tournament", &t); err != nil {
		return nil, err
	}
	t.MetricList = service.MetricNames(file)
	return &t, nil
}

// experimentAtDaemon is the report of an embedded experiment that the daemon
// runs.
func (a link) experimentAtDaemon(ctx context.Context, c *client.Client, name string, f experimentFlags, rules param.Values) (*experiment.Report, error) {
	request := service.ExperimentRequest{Name: name, Games: f.games, Simulations: f.simulations, Seed: (*param.Seed)(f.seed)}
	if rules != nil {
		request.Rules = rules.Map()
	}
	id, err := c.Experiments().Begin(ctx, request)
	if err != nil {
		return nil, err
	}
	var r experiment.Report
	err = a.atDaemon(ctx, c, &c.Experiments().Jobs, id, "experiment", &r)
	return &r, err
}

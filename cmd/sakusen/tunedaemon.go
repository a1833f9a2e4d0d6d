package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"sakusen/tuner"
	"sakusen/tuner/service"
)

// tuneAtDaemon lets the daemon that holds the database run a study, and waits
// for its verdict; held is the error that says that the database is held.
func tuneAtDaemon(a *app, ctx context.Context, file studyFile, spec *tuner.Setup, held error) error {
	c, err := a.daemonOf(held)
	if err != nil {
		return err
	}
	if file.seed != nil {
		return usage(fmt.Errorf("--seed: expected none, as the daemon at %s runs study files as they are", c.base))
	}
	s := service.Submission{Spec: string(file.text), Name: file.source().Name}
	if err := c.callAgain(ctx, http.MethodPost, "/api/v1/studies", s, nil); err != nil {
		return err
	}
	var at service.StudyDetail
	if err := c.callAgain(ctx, http.MethodGet, "/api/v1/studies/"+spec.Name, nil, &at); err != nil {
		return err
	}
	if at.State == "paused" || at.State == "stopped" || at.State == "failed" {
		if err := c.callAgain(ctx, http.MethodPost, "/api/v1/studies/"+spec.Name+"/resume", struct{}{}, nil); err != nil {
			return err
		}
	}
	a.say("study %s: runs at the daemon, %s", spec.Name, c.base)
	show := a.progress()
	d, err := c.await(ctx, spec.Name, func(d *service.StudyDetail) {
		if p := d.Progress; p != nil {
			show.tell(progressOf(d, p))
		}
	})
	show.end()
	if ctx.Err() != nil {
		return &coded{exitInterrupted, fmt.Errorf("study %s goes on at the daemon; sakusen study pause %s lets it rest", spec.Name, spec.Name)}
	}
	if err != nil {
		return err
	}
	if d.Result == nil {
		return &coded{exitInterrupted, fmt.Errorf("study %s is %s: %s", spec.Name, d.State, d.Message)}
	}
	if d.State == "failed" {
		return errors.New(d.Message)
	}
	return a.printResult(spec.Spec, d.Result)
}

// progressOf is what the daemon tells as a study here would tell it.
func progressOf(d *service.StudyDetail, p *service.Progress) tuner.Progress {
	now := tuner.Progress{
		Study: d.Study.Study, Phase: p.Phase, Trials: p.Trials, MaxTrials: d.MaxTrials, Games: p.Games, MaxGames: d.MaxGames,
		PerSecond: p.PerSecond, Left: time.Duration(p.Left * float64(time.Second)), Incumbent: -1, Params: p.Params,
	}
	if p.Incumbent != nil && p.Value != nil && p.Error != nil {
		now.Incumbent, now.Value, now.Error = *p.Incumbent, *p.Value, *p.Error
	}
	return now
}

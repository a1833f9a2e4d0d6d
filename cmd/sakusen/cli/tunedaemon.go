package cli

import (
	"context"
	"errors"
	"fmt"

	"sakusen/tuner"
	"sakusen/tuner/client"
	"sakusen/tuner/report"
	"sakusen/tuner/service"
)

// tuneAtDaemon lets the daemon that holds the database run a study, and waits
// for its verdict.
func tuneAtDaemon(a *app, ctx context.Context, file studyFile, spec *tuner.Setup, c *client.Client) error {
	if file.seed != nil {
		return usage(fmt.Errorf("--seed cannot be given while the daemon at %s holds the database: it runs study files as they are", c.Address()))
	}
	studies := c.Patient().Studies()
	if _, err := studies.Submit(ctx, service.Submission{Spec: string(file.text), Name: file.source().Name}); err != nil {
		return err
	}
	at, err := studies.Show(ctx, spec.Name)
	if err != nil {
		return err
	}
	if at.State == "paused" || at.State == "stopped" || at.State == "failed" {
		if _, err := studies.Resume(ctx, spec.Name); err != nil {
			return err
		}
	}
	a.say("study %s: runs at the daemon, %s", spec.Name, c.Address())
	if a.flags.live {
		if _, err := studyWatch(a, ctx, spec.Name); err != nil {
			return err
		}
	}
	show := a.status()
	d, err := studies.Await(ctx, spec.Name, func(d *service.StudyDetail) {
		if d.Progress != nil {
			show.Show(report.Progress(d.ProgressHere()))
		}
	})
	show.Clear()
	if ctx.Err() != nil {
		return &coded{exitInterrupted, fmt.Errorf("study %s goes on in the daemon; sakusen study pause %s pauses it", spec.Name, spec.Name)}
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
	return printResult(a, spec.Spec, d.Result)
}

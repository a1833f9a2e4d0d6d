package cli

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"sakusen/tuner"
	"sakusen/tuner/report"
	"sakusen/tuner/service"
	"sakusen/tuner/sqlitedb"
)

// studyWatchCommand shows a study until it ends.
func studyWatchCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "watch STUDY", Short: "Watch a study until it ends: its race, its phase, the time to a verdict",
		Long: `Shows how a study goes that a daemon or another command runs: its phase, the time
to a verdict, and its race with intervals; without a terminal, a line a minute.
Ctrl-C ends the watching, not the study. At its end the result is printed.

Exit code: that of the study's verdict; 0 where the watching ends before it.`,
		Args: exactly(1, "one STUDY"),
		RunE: func(c *cobra.Command, args []string) error {
			d, err := studyWatch(a, c.Context(), args[0])
			if err != nil || d == nil {
				return a.unnamed(err)
			}
			if d.Result == nil {
				a.say("study %s: %s %s", args[0], d.State, d.Message)
				return nil
			}
			spec, err := tuner.ParseSpec(d.Spec)
			if err != nil {
				return err
			}
			return printResult(a, spec, d.Result)
		},
	}
}

// studyWatch shows a study until it no longer runs; see [report.Watch].
func studyWatch(a *app, ctx context.Context, name string) (*service.StudyDetail, error) {
	if err := a.needDatabase(); err != nil {
		return nil, err
	}
	s, end, err := a.reading(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	size := terminalSize
	if !a.terminal || a.flags.quiet {
		size = nil
	}
	return report.Watch(ctx, s.Studies().Watch(name), a.rawErr, size, a.status(), func(d *service.StudyDetail) *tuner.Progress {
		held, ok := sqlitedb.Writer(s.Store().DB().Path())
		if !ok || held.Address == "" {
			return nil
		}
		c, err := clientOf(a, held)
		if err != nil {
			return nil
		}
		there, err := c.Studies().Show(ctx, d.Study.Study)
		if err != nil || there.Progress == nil {
			return nil
		}
		now := there.ProgressHere()
		return &now
	})
}

// checkLive refuses a screen where there is no terminal.
func (a *app) checkLive() error {
	if !a.flags.live || a.terminal && !a.flags.quiet {
		return nil
	}
	return usage(errors.New("--live: expected a terminal on standard error, and not --quiet"))
}

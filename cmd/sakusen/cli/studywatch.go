package cli

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"sakusen/tuner"
	"sakusen/tuner/report"
	"sakusen/tuner/service"
	"sakusen/tuner/sqlitedb"
)

// watchEvery is how often a screen is drawn anew.
const watchEvery = 500 * time.Millisecond

// studyWatchCommand shows a study until it ends.
func studyWatchCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "watch STUDY", Short: "Watch a study until it ends: its race, its phase, the time to a verdict",
		Long: `Shows how a study goes that another process runs, a daemon or a command: its
phase, how long it takes to a verdict, and its race with intervals. Ctrl-C ends
the watching, not the study. Without a terminal it is a line a minute. When the
study ends, its result is printed.

Exit code: that of the study's verdict; 0 where the watching ends before it.`,
		Args: exactly(1, "one STUDY"),
		RunE: func(c *cobra.Command, args []string) error {
			if err := a.needDatabase(); err != nil {
				return err
			}
			s, end, err := a.reading(c.Context())
			if err != nil {
				return err
			}
			defer end()
			d, err := studyWatch(a, c.Context(), s, args[0])
			if err != nil || d == nil {
				return a.unnamed(err)
			}
			if d.Result != nil {
				spec, err := tuner.ParseSpec(d.Spec)
				if err != nil {
					return err
				}
				return printResult(a, spec, d.Result)
			}
			a.say("study %s: %s %s", args[0], d.State, d.Message)
			return nil
		},
	}
}

// studyWatch shows a study until it no longer runs, and returns it as it then is; nil
// where the context ends before.
func studyWatch(a *app, ctx context.Context, s *service.Service, name string) (*service.StudyDetail, error) {
	var last *service.StudyDetail
	watcher, show := s.Studies().Watch(name), a.status()
	look := func(rows int) (*service.Look, *tuner.Progress, bool, error) {
		l, err := watcher.Look(ctx, rows)
		if err != nil {
			return nil, nil, false, err
		}
		last = l.Study
		return l, a.progressOf(ctx, s, l.Study), (last.State == "running" || last.State == "queued") && !last.Interrupted, nil
	}
	if a.terminal && !a.flags.quiet {
		err := report.Live(ctx, a.rawErr, terminalSize, watchEvery, func(width, height int) ([]string, bool, error) {
			l, now, more, err := look(height)
			if err != nil || !more {
				return nil, false, err
			}
			return report.Screen(l, now, width, height), true, nil
		})
		return last, unlessEnded(ctx, err, &last)
	}
	for {
		l, now, more, err := look(1)
		if err != nil || !more {
			return last, unlessEnded(ctx, err, &last)
		}
		if now == nil {
			now = &tuner.Progress{Trials: l.Study.Trials, MaxTrials: l.Study.Reachable, Games: l.Study.Games, Phase: l.Study.State, Incumbent: -1}
		}
		show.Show(report.Progress(*now))
		select {
		case <-ctx.Done():
			return nil, nil
		case <-time.After(watchEvery):
		}
	}
}

// unlessEnded is an error of looking at a study, nil where the watching was ended; then
// there is no study to tell of either.
func unlessEnded(ctx context.Context, err error, last **service.StudyDetail) error {
	if ctx.Err() != nil {
		*last = nil
		return nil
	}
	return err
}

// progressOf is the progress of a study that a daemon runs, nil where none does.
func (a *app) progressOf(ctx context.Context, s *service.Service, d *service.StudyDetail) *tuner.Progress {
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
}

// live shows the screen of a study that this process runs, until the returned function
// is called.
func (a *app) live(ctx context.Context, s *service.Service, name string) (tell func(tuner.Progress), stop func()) {
	var now atomic.Pointer[tuner.Progress]
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	watcher := s.Studies().Watch(name)
	began := make(chan struct{})
	go func() {
		defer close(done)
		select {
		case <-began:
		case <-ctx.Done():
			return
		}
		err := report.Live(ctx, a.rawErr, terminalSize, watchEvery, func(width, height int) ([]string, bool, error) {
			l, err := watcher.Look(ctx, height)
			if err != nil {
				return nil, false, err
			}
			return report.Screen(l, now.Load(), width, height), true, nil
		})
		if err != nil && ctx.Err() == nil {
			a.say("--live: %v", err)
		}
	}()
	tell = func(p tuner.Progress) {
		if now.Swap(&p) == nil {
			close(began)
		}
	}
	return tell, func() { cancel(); <-done }
}

// checkLive refuses a screen where there is no terminal.
func (a *app) checkLive() error {
	if a.terminal && !a.flags.quiet {
		return nil
	}
	return usage(fmt.Errorf("--live: expected a terminal on standard error, and not --quiet"))
}

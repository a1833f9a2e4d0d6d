package view

import (
	"context"
	"io"
	"sync/atomic"
	"time"

	"sakusen/tuner"
	"sakusen/tuner/service"
)

// watchEvery is how often a study is looked at.
const watchEvery = 500 * time.Millisecond

// Watch shows a study until it no longer runs, and returns it as it then is; nil where
// the context ends before. On a terminal, where size is not nil, it is a screen, and
// elsewhere a status line. far is its progress, nil where nobody tells it.
func Watch(ctx context.Context, w *service.Watcher, out io.Writer, size func() (width, height int), line *Status, far func(*service.StudyDetail) *tuner.Progress) (*service.StudyDetail, error) {
	var last *service.StudyDetail
	look := func(rows int) (*service.Look, bool, error) {
		l, err := w.Look(ctx, rows)
		if err != nil {
			return nil, false, err
		}
		last = l.Study
		return l, (last.State == "running" || last.State == "queued") && !last.Interrupted, nil
	}
	err := error(nil)
	if size != nil {
		err = Live(ctx, out, size, watchEvery, func(width, height int) ([]string, bool, error) {
			l, more, err := look(height)
			if err != nil || !more {
				return nil, false, err
			}
			return Screen(l, far(l.Study), width, height), true, nil
		})
	} else {
		err = watchLine(ctx, look, line, far)
	}
	if ctx.Err() != nil {
		return nil, nil
	}
	return last, err
}

// watchLine shows a study on a line.
func watchLine(ctx context.Context, look func(rows int) (*service.Look, bool, error), line *Status, far func(*service.StudyDetail) *tuner.Progress) error {
	for {
		l, more, err := look(1)
		if err != nil || !more {
			return err
		}
		now := far(l.Study)
		if now == nil {
			now = &tuner.Progress{Trials: l.Study.Trials, MaxTrials: l.Study.Reachable, Games: l.Study.Games, Phase: l.Study.State, Incumbent: -1}
		}
		line.Show(Progress(*now))
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(watchEvery):
		}
	}
}

// LiveTuning shows the screen of a study that this process runs, from when tell is first
// called until stop is, which returns what went wrong with it.
func LiveTuning(ctx context.Context, w *service.Watcher, out io.Writer, size func() (width, height int)) (tell func(tuner.Progress), stop func() error) {
	var now atomic.Pointer[tuner.Progress]
	ctx, cancel := context.WithCancel(ctx)
	began, done := make(chan struct{}), make(chan error, 1)
	go func() {
		select {
		case <-began:
		case <-ctx.Done():
			done <- nil
			return
		}
		err := Live(ctx, out, size, watchEvery, func(width, height int) ([]string, bool, error) {
			l, err := w.Look(ctx, height)
			if err != nil {
				return nil, false, err
			}
			return Screen(l, now.Load(), width, height), true, nil
		})
		if ctx.Err() != nil {
			err = nil
		}
		done <- err
	}()
	tell = func(p tuner.Progress) {
		if now.Swap(&p) == nil {
			close(began)
		}
	}
	return tell, func() error { cancel(); return <-done }
}

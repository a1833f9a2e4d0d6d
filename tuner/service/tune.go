package service

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"sakusen/engines/arena"
	"sakusen/tuner"
	"sakusen/tuner/insight"
	"sakusen/tuner/insight/replay"
	"sakusen/tuner/store"
	"sakusen/tuner/store/sqlitedb"
	"sakusen/tuner/study"
)

// studyRun is a study to be run.
type studyRun struct {
	StudyFile
	host arena.Host
	tell func(tuner.Progress)
	// begun, unless nil, is called when the record is open, and says whether the study is
	// new.
	begun func(created bool)
	// owned says that the daemon runs the study and writes the states in which it
	// stops.
	owned bool
}

// Tune runs a study that was read to its end, from wherever its log ends, and
// writes what becomes of it. Beside it the whole database is read once, since a
// study would build on damage that it has not met, and the file is looked at once
// a second: one that is damaged, removed or replaced ends the study.
func (t *Studies) Tune(ctx context.Context, f StudyFile, host arena.Host, tell func(tuner.Progress), begun func(created bool)) (*tuner.Result, error) {
	sound, cancel := context.WithCancelCause(ctx)
	checked := make(chan struct{}, 2)
	for _, check := range []func(context.Context) error{t.s.store.DB().Quick, t.s.store.DB().Watch} {
		go func() {
			if err := check(sound); sqlitedb.Damaged(err) {
				cancel(err)
			}
			checked <- struct{}{}
		}()
	}
	result, err := execution{t.s}.runStudy(sound, &studyRun{StudyFile: f, host: host, tell: tell, begun: begun})
	cancel(nil) // the check need not end
	<-checked
	<-checked
	if cause := context.Cause(sound); err != nil && sqlitedb.Damaged(cause) {
		return nil, cause
	}
	return result, err
}

// runStored runs a study from its record for the daemon.
func (s execution) runStored(ctx context.Context, name string, host arena.Host, tell func(tuner.Progress)) error {
	d, err := FindStudy(ctx, s.store, name)
	if err != nil {
		return err
	}
	setup, err := storedSetup(d, s.games.all())
	if err != nil {
		return err
	}
	signatures, err := setup.Ruleset.Signatures(ctx, setup.Strategies()...)
	if err != nil {
		return err
	}
	_, err = s.runStudy(ctx, &studyRun{StudyFile: StudyFile{Setup: setup, Signatures: signatures}, host: host, tell: tell, owned: true})
	return err
}

// runStudy runs a study to its end, from wherever its log ends.
func (s execution) runStudy(ctx context.Context, r *studyRun) (*tuner.Result, error) {
	if err := CheckInternal(r.Setup.Spec); err != nil {
		return nil, err
	}
	if err := s.asStored(ctx, &r.StudyFile); err != nil {
		return nil, err
	}
	h, err := asking(ctx, r.StudyFile)
	if err != nil {
		return nil, err
	}
	if _, err := beginning(ctx, s.store, s.o.Samplers, r.StudyFile); err != nil {
		return nil, err
	}
	if d, err := s.store.Studies.Details(ctx, r.Setup.Name); errors.Is(err, store.ErrStudyNotFound) || err == nil && d.Games == 0 {
		if err := insight.Repeats(r.Setup); err != nil {
			return nil, err
		}
	}
	log, created, err := s.store.Studies.Resume(ctx, h, r.Source, 0)
	if err != nil {
		return nil, err
	}
	proposer, err := s.o.Samplers.New(r.Setup.Sampler, r.Setup.Tune.Params, r.Setup.Tune.Fix)
	if err != nil {
		return nil, err
	}
	before, err := s.store.Studies.Details(ctx, r.Setup.Name)
	if err != nil {
		return nil, err
	}
	tell, counted := counting(ctx, log, before.Games, r.tell)
	running, err := study.Open(ctx, r.Setup, study.Options{
		Host: r.host, Blocks: s.store.Blocks(), Replayer: &replay.Study{Setup: r.Setup, Host: s.own(r.host), Blocks: s.store.Blocks(), Senders: s.senders},
		Proposer: proposer, Explainer: s.o.Samplers.Explainer(r.Setup), Record: log, Progress: tell, Hook: s.o.Hook, Begun: taker(s.store, s.o.Samplers, r.StudyFile),
	})
	if err != nil {
		counted()
		return nil, err
	}
	if r.begun != nil {
		r.begun(created)
	}
	if err := log.SetState(ctx, tuner.Running, ""); err != nil {
		counted()
		return nil, err
	}
	result, err := running.Run(ctx)
	counted()
	// What the record says of an ended run is written even after an interruption.
	after := context.WithoutCancel(ctx)
	if err != nil && (sqlitedb.Damaged(err) || sqlitedb.Damaged(context.Cause(ctx))) {
		return nil, err // nothing more is written to a damaged file
	}
	if err != nil {
		err = errors.Join(err, log.SetGames(after, max(before.Games, running.Played())), s.forget(after, r.Setup, h.Signatures, err))
		if r.owned {
			return nil, err
		}
		state, message := tuner.Failed, err.Error()
		if tuner.Interrupted(ctx, err) {
			state, message = tuner.Paused, tuner.InterruptedMessage
		} else if sqlitedb.Full(err) {
			err = fmt.Errorf("%s could not be written: %w. Free space there, then run the same command: study %s is paused and goes on where it stopped", s.store.DB().Path(), err, r.Setup.Name)
			state, message = tuner.Paused, "the database could not be written, for example because the disk is full"
		}
		return nil, errors.Join(err, log.SetState(after, state, message))
	}
	result.Commit = s.o.Settings.Commit
	text, err := result.JSON()
	if err != nil {
		return nil, err
	}
	return result, errors.Join(log.SetGames(after, result.Games), log.Finish(after, text))
}

// forget deletes the blocks of players one of which was found not to play the same twice. Those of
// workers who lied are dropped elsewhere.
func (s execution) forget(ctx context.Context, setup *tuner.Setup, signatures string, err error) error {
	other, ok := errors.AsType[*tuner.DifferentError](err)
	if !ok || len(other.Workers) > 0 {
		return nil
	}
	var players []string
	for _, text := range other.Entrants {
		strategy, _, _ := strings.Cut(text, "(")
		for signature := range strings.FieldsSeq(signatures) {
			if strings.HasPrefix(signature, strategy+":") {
				players = append(players, signature)
			}
		}
	}
	if players == nil {
		return nil
	}
	return s.store.Blocks().Forget(ctx, setup.Game, players)
}

// countEvery is how often a running study's number of games is written to the record, where lists
// have it from and a run after a crash.
const countEvery = 250 * time.Millisecond

// counting writes a study's number of games to the record while it runs, and passes progress on to
// tell with the number that is written: after a crash no page has told more. Neither falls below
// what was written before, since a run finds the games of a batch that was under way again. stop
// ends it and must be called before the last number is written.
func counting(ctx context.Context, log *store.Log, before int64, tell func(tuner.Progress)) (counted func(tuner.Progress), stop func()) {
	var games, written atomic.Int64
	written.Store(before)
	ctx, cancel := context.WithCancel(ctx)
	var group sync.WaitGroup
	group.Go(func() {
		tick := time.NewTicker(countEvery)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			// The loop reports a full disk; the number is written again later.
			if n := games.Load(); n > written.Load() && log.SetGames(ctx, n) == nil {
				written.Store(n)
			}
		}
	})
	counted = func(p tuner.Progress) {
		games.Store(p.Games)
		if p.Games = written.Load(); tell != nil {
			tell(p)
		}
	}
	return counted, func() { cancel(); group.Wait() }
}

package service

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/c-bata/goptuna"

	"sakusen/engines/arena"
	"sakusen/tuner"
	"sakusen/tuner/store"
	"sakusen/tuner/studyfile"
	"sakusen/tuner/studyfile/yamlfile"
)

// signTime is how long a submission waits for the signatures of a study: below the
// time that the server has for an answer.
const signTime = time.Minute

// Submit queues a study, or only checks it, and returns its name. One that is
// there already with the same spec is left as it is.
func (t StudyFiles) Submit(ctx context.Context, given Submission) (string, error) {
	f := StudyFile{Source: store.Source{Name: given.Name, Text: given.Spec}}
	if f.Source.Name == "" {
		f.Source.Name = "study.yaml"
	}
	if yamlfile.Read(f.Source.Name, []byte(given.Spec)).Root.Has("engines") {
		return "", New(Invalid, "engines: a study that is sent to the daemon names engines only: the daemon runs no program but those that its own config.yaml registers")
	}
	setup, err := studyfile.Read(f.Source.Name, []byte(given.Spec), t.s.o.Catalogue, t.s.o.Samplers)
	if err != nil {
		return "", Mistakes("the study file has mistakes", err)
	}
	f.Setup = setup
	if given.Check {
		return setup.Name, t.free(ctx, f)
	}
	limited, cancel := context.WithTimeout(ctx, signTime)
	defer cancel()
	f.Signatures, err = setup.Ruleset.Signatures(limited, setup.Strategies()...)
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		return "", &Error{Code: Unavailable, RetryAfter: 5 * time.Second, Message: fmt.Sprintf(
			"games of %s under these rules take long: it is still worked out how its strategies play; submit the study again in some minutes", setup.Game)}
	}
	if err != nil {
		return "", err
	}
	return setup.Name, t.Add(ctx, f, given.Priority)
}

// free says why a study file cannot be submitted: a study of its name is there and
// is another one. What its strategies play is not looked at, which may take long.
func (t StudyFiles) free(ctx context.Context, f StudyFile) error {
	d, err := t.s.store.Studies.Details(ctx, f.Setup.Name)
	if errors.Is(err, store.ErrStudyNotFound) {
		_, err = begun(ctx, t.s.store, t.s.o.Samplers, f)
		return err
	}
	if err == nil {
		err = (execution{t.s}).asStored(ctx, &f)
	}
	if err != nil {
		return err
	}
	h, err := headerOf(f.Setup.Spec, d.Signatures)
	if err != nil {
		return err
	}
	return d.Header.Admits(&h)
}

// Add queues a study that was read. One that is there with the same spec stays in
// its state.
func (t StudyFiles) Add(ctx context.Context, f StudyFile, priority int) error {
	if err := (execution{t.s}).asStored(ctx, &f); err != nil {
		return err
	}
	h, err := asking(ctx, f)
	if err != nil {
		return err
	}
	if _, err := beginning(ctx, t.s.store, t.s.o.Samplers, f); err != nil {
		return err
	}
	if _, _, err = t.s.store.Studies.ResumeFile(ctx, h, f.Source, priority); err != nil {
		return err
	}
	t.s.daemon.Queue()
	return nil
}

// asStored replaces the setup of a file by the stored one where both are of the same study:
// the file has the same text, or differs in its budget alone.
func (s execution) asStored(ctx context.Context, f *StudyFile) error {
	d, err := s.store.Studies.Details(ctx, f.Setup.Name)
	if errors.Is(err, store.ErrStudyNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	stored, err := sameText(ctx, s.store, d, *f)
	if stored != nil {
		if stored.Ruleset.Hash() != f.Setup.Ruleset.Hash() && f.Signatures != "" {
			// The signatures were made under the rules of the file as it reads now.
			if f.Signatures, err = stored.Ruleset.Signatures(ctx, stored.Strategies()...); err != nil {
				return err
			}
		}
		*f.Setup = *stored // the caller prints what is played
	}
	if err == nil && f.Source.Text != "" {
		f.Setup, err = scaled(ctx, s.store, s.o.Samplers, d, f.Setup, func(b *tuner.Budget) (*tuner.Setup, error) {
			return studyfile.ReadScaled(f.Source.Name, []byte(f.Source.Text), arena.Catalogue{f.Setup.Ruleset.Game}, s.o.Samplers, b)
		})
	}
	return err
}

// asking is the header of a study with what it will ask.
func asking(ctx context.Context, f StudyFile) (store.Header, error) {
	h, err := headerOf(f.Setup.Spec, f.Signatures)
	if err != nil {
		return h, err
	}
	q, err := f.Setup.Question(ctx)
	h.Question = &q
	return h, err
}

// headerOf is what the record keeps of a spec.
func headerOf(spec *tuner.Spec, signatures string) (store.Header, error) {
	text, err := json.Marshal(spec)
	if err != nil {
		return store.Header{}, err
	}
	direction := goptuna.StudyDirectionMaximize
	if !spec.Maximize() {
		direction = goptuna.StudyDirectionMinimize
	}
	return store.Header{
		Name: spec.Name, Direction: direction, Game: spec.Game, Strategy: spec.Tune.Strategy, Baseline: spec.Baseline,
		Spec: string(text), SpecHash: spec.Hash(), Signatures: signatures,
		BudgetTrials: spec.Budget.Trials, BudgetGames: spec.Budget.Games,
	}, nil
}

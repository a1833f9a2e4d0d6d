package service

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sakusen/engines/arena"
	"sakusen/tuner"
	"sakusen/tuner/store"
	"sakusen/tuner/study"
)

// PlayedHere says why a study's games are not played by this program; nil if they
// are.
func PlayedHere(spec *tuner.Spec) error {
	if !spec.Elsewhere() {
		return nil
	}
	return New(Invalid, fmt.Sprintf("the games of study %q are played elsewhere, since its file declares a program: sakusen ask FILE hands out what is to be played, and sakusen tell %s takes the results", spec.Name, spec.Name))
}

// PlayedElsewhere says why the games of a study are not asked for.
func PlayedElsewhere(spec *tuner.Spec) error {
	if spec.Elsewhere() {
		return nil
	}
	return New(Conflict, fmt.Sprintf("the games of study %q are played by this program (sakusen tune): only those of a study file with tune.declare are asked for and told", spec.Name))
}

// Elsewhere is what can be done with studies whose games are played elsewhere.
type Elsewhere struct{ s *Service }

// Elsewhere are those studies whose games are played elsewhere.
func (t *Studies) Elsewhere() *Elsewhere { return &Elsewhere{t.s} }

// told is a study whose games are played elsewhere, as stored.
type told struct {
	store.Details
	setup *tuner.Setup
}

// told finds such a study.
func (t *Elsewhere) told(ctx context.Context, name string) (*told, error) {
	d, spec, err := find(ctx, t.s.store, name)
	if err != nil {
		return nil, err
	}
	if err := PlayedElsewhere(spec); err != nil {
		return nil, err
	}
	spec.Budget = tuner.Budget{Trials: d.BudgetTrials, Games: d.BudgetGames}
	setup, err := tuner.Prepare(spec, t.s.o.Catalogue)
	if err != nil {
		return nil, err
	}
	return &told{d, setup}, nil
}

// held says why nothing is asked for or told now.
func (x *told) held(what string) error {
	switch x.State {
	case tuner.Queued, tuner.Running, tuner.Done:
		return nil
	}
	return New(Conflict, fmt.Sprintf("study %q is %s: to %s it must be running (sakusen study resume %s)", x.Name, x.State, what, x.Name))
}

// standing is a study's state, and its result where there is one.
func (t *Elsewhere) standing(ctx context.Context, name string) (string, *tuner.Result, error) {
	d, err := FindStudy(ctx, t.s.store, name)
	if err != nil {
		return "", nil, err
	}
	r, err := storedResult(d)
	return string(d.State), r, err
}

// series is what an ask is about.
func (x *told) series(rs *arena.Ruleset, a *store.Ask) (arena.Series, error) {
	s := arena.Series{Ruleset: rs, Seed: a.Seed, Phase: a.Phase, From: a.From, To: a.To}
	for _, e := range a.Entrants {
		entrant, err := rs.Entrant(e.Entrant)
		if err != nil {
			return s, fmt.Errorf("ask %d of study %q: %w", a.Number, x.Name, err)
		}
		entrant.Name = e.Name
		s.Entrants = append(s.Entrants, entrant)
	}
	return s, nil
}

// forward takes a study on where nothing of it is open, and returns what then is.
func (t *Elsewhere) forward(ctx context.Context, x *told) ([]store.Ask, error) {
	open, err := t.s.store.Study(x.ID).Asks().Open(ctx)
	if err != nil || len(open) > 0 || x.State == tuner.Done {
		return open, err
	}
	if err := t.advance(ctx, x); err != nil {
		return nil, err
	}
	return t.s.store.Study(x.ID).Asks().Open(ctx)
}

// advance runs a study until games are missing, which it then asks for, or to its
// verdict.
func (t *Elsewhere) advance(ctx context.Context, x *told) error {
	f := StudyFile{Setup: x.setup}
	var err error
	if f.Signatures, err = x.setup.Ruleset.Signatures(ctx, x.setup.Strategies()...); err != nil {
		return err
	}
	h, err := headerOf(x.setup.Spec, f.Signatures)
	if err != nil {
		return err
	}
	log, _, err := t.s.store.Studies.ResumeFile(ctx, h, f.Source, 0)
	if err != nil {
		return err
	}
	proposer, err := t.s.o.Samplers.New(x.setup.Sampler, x.setup.Tune.Params, x.setup.Tune.Fix)
	if err != nil {
		return err
	}
	host := &tuner.Awaited{}
	running, err := study.Open(ctx, x.setup, study.Options{Host: host, Blocks: t.s.store.Blocks(), Proposer: proposer, Explainer: t.s.o.Samplers.Explainer(x.setup), Record: log, Hook: t.s.o.Hook, Begun: taker(t.s.store, t.s.o.Samplers, f)})
	if err != nil {
		return err
	}
	if x.State != tuner.Running || x.Message != tuner.AwaitedMessage {
		if err := log.SetState(ctx, tuner.Running, tuner.AwaitedMessage); err != nil {
			return err
		}
	}
	result, err := running.Run(ctx)
	switch {
	case errors.Is(err, tuner.ErrAwaited):
		return errors.Join(t.s.store.Study(x.ID).Asks().Want(ctx, wanted(host.Missing())), log.SetGames(ctx, running.Played()))
	case err != nil && tuner.Interrupted(err):
		return err
	case err != nil:
		return errors.Join(err, log.SetState(context.WithoutCancel(ctx), tuner.Failed, err.Error()))
	}
	result.Commit = t.s.o.Settings.Commit
	text, err := result.JSON()
	if err != nil {
		return err
	}
	return errors.Join(log.SetGames(ctx, result.Games), log.Finish(ctx, text))
}

// wanted is what a study misses, as asks.
func wanted(missing []arena.Series) []store.Ask {
	var out []store.Ask
	for _, s := range missing {
		a := store.Ask{Phase: s.Phase, Seed: s.Seed, From: s.From, To: s.To}
		for _, e := range s.Entrants {
			a.Entrants = append(a.Entrants, store.AskedEntrant{Name: e.Name, Entrant: e.Canonical()})
		}
		out = append(out, a)
	}
	sortAsks(out)
	return out
}

// sortAsks puts asks into an order that does not depend on who was faster: by
// trial, then by opponent.
func sortAsks(asks []store.Ask) {
	number := func(a *store.Ask) int {
		n, err := strconv.Atoi(strings.TrimPrefix(a.Entrants[0].Name, "trial "))
		if err != nil {
			return -1
		}
		return n
	}
	slices.SortFunc(asks, func(a, b store.Ask) int {
		return cmp.Or(cmp.Compare(a.Phase, b.Phase), cmp.Compare(number(&a), number(&b)), cmp.Compare(a.From, b.From),
			slices.CompareFunc(a.Entrants, b.Entrants, func(x, y store.AskedEntrant) int { return cmp.Compare(x.Entrant, y.Entrant) }))
	})
}

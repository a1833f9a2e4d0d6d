package service

import (
	"context"
	"errors"
	"fmt"

	"sakusen/engines/arena"
	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/sampler"
	"sakusen/tuner/store"
	"sakusen/tuner/study"
)

// begun is what a study takes over of the study that it begins with, nil where it begins
// with none. An error names what differs. Without signatures of its own it is not looked
// whether the strategies play as they did.
func begun(ctx context.Context, s *store.Store, samplers sampler.Kinds, f StudyFile) (*entry.Begun, error) {
	name := f.Setup.BeginFrom
	if name == "" {
		return nil, nil
	}
	refuse := func(format string, args ...any) error {
		return New(Invalid, "begin_from: "+fmt.Sprintf(format, args...))
	}
	d, err := s.Studies.Details(ctx, name)
	if errors.Is(err, store.ErrStudyNotFound) {
		return nil, refuse("no study named %q in the database", name)
	}
	if err != nil {
		return nil, err
	}
	spec, err := StoredSpec(d)
	if err != nil {
		return nil, err
	}
	spec.Budget = tuner.Budget{Trials: d.BudgetTrials, Games: d.BudgetGames}
	if why := f.Setup.Differs(spec); why != "" {
		return nil, refuse("the games of study %q say nothing here, as it differs in %s", name, why)
	}
	if f.Signatures != "" && f.Signatures != d.Signatures {
		return nil, refuse("the games of study %q were played by other code: the strategies now play otherwise (signatures %.40s there, %.40s here)", name, d.Signatures, f.Signatures)
	}
	from, err := searchOf(ctx, s, samplers, d, spec, arena.Catalogue{f.Setup.Ruleset.Game})
	if err != nil {
		return nil, err
	}
	b := from.Begun(f.Setup)
	if b.Points == 0 {
		return nil, refuse("none of the %d points that study %q has played lies in the ranges of this study", b.Dropped, name)
	}
	return b, nil
}

// searchOf is what a stored study's search has seen.
func searchOf(ctx context.Context, s *store.Store, samplers sampler.Kinds, d store.Details, spec *tuner.Spec, games arena.Catalogue) (*study.Searched, error) {
	setup, err := tuner.Prepare(spec, games)
	if err != nil {
		return nil, fmt.Errorf("study %q: %w", d.Name, err)
	}
	proposer, err := samplers.New(setup.Sampler, setup.Tune.Params, setup.Tune.Fix)
	if err != nil {
		return nil, fmt.Errorf("study %q: %w", d.Name, err)
	}
	record, err := s.Studies.Open(ctx, d.Name)
	if err != nil {
		return nil, err
	}
	log, err := record.Entries(ctx)
	if err != nil {
		return nil, err
	}
	_, answers := proposer.(tuner.Answerer)
	return study.ReadSearch(ctx, setup, log, answers)
}

// beginning is begun for a study that is not there yet; one that is has in its log what it
// began with.
func beginning(ctx context.Context, s *store.Store, samplers sampler.Kinds, f StudyFile) (*entry.Begun, error) {
	if f.Setup.BeginFrom == "" {
		return nil, nil
	}
	if _, err := s.Studies.Details(ctx, f.Setup.Name); !errors.Is(err, store.ErrStudyNotFound) {
		return nil, err
	}
	return begun(ctx, s, samplers, f)
}

// taker is what a study asks when its log is empty.
func taker(s *store.Store, samplers sampler.Kinds, f StudyFile) func(context.Context) (*entry.Begun, error) {
	return func(ctx context.Context) (*entry.Begun, error) { return begun(ctx, s, samplers, f) }
}

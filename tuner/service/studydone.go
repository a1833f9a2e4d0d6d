package service

import (
	"context"
	"errors"
	"fmt"

	"sakusen/engines/arena"
	"sakusen/tuner"
	"sakusen/tuner/sampler"
	"sakusen/tuner/store"
	"sakusen/tuner/studyfile"
)

// Finished is the stored result of a study file whose study is done, nil where
// there is none, and the setup with which it was made: where only the budget
// differs from the stored one, again reads the file with the defaults of the
// stored budget. The store may be open for reading.
func Finished(ctx context.Context, s *store.Store, samplers sampler.Kinds, f StudyFile, again func(*tuner.Budget) (*tuner.Setup, error)) (*tuner.Setup, *tuner.Result, error) {
	setup := f.Setup
	d, err := s.Studies.Details(ctx, setup.Name)
	if errors.Is(err, store.ErrStudyNotFound) {
		return setup, nil, nil
	}
	if err != nil {
		return setup, nil, err
	}
	if stored, err := sameText(ctx, s, d, f); err != nil {
		return setup, nil, err
	} else if stored != nil {
		setup = stored
	}
	if setup, err = scaled(ctx, s, samplers, d, setup, again); err != nil {
		return setup, nil, err
	}
	if d.Result == nil || d.SpecHash != setup.Hash() || d.Signatures != f.Signatures {
		return setup, nil, nil // ResumeStudy says what is wrong, if anything
	}
	if b := setup.Budget; b.Trials != d.BudgetTrials || b.Games != d.BudgetGames {
		setup.Growth = fmt.Sprintf("it has a verdict, and goes on with a budget of %d games in place of %d: what it finds is proved by another attempt, which has a smaller share of alpha", b.Games, d.BudgetGames)
		return setup, nil, nil // where the budget is smaller, ResumeStudy says so
	}
	result, err := storedResult(d)
	return setup, result, err
}

// scaled is a setup with the defaults of the budget with which the study began, where
// that makes it the stored one: only the budget has grown since.
func scaled(ctx context.Context, s *store.Store, samplers sampler.Kinds, d store.Details, setup *tuner.Setup, again func(*tuner.Budget) (*tuner.Setup, error)) (*tuner.Setup, error) {
	if d.SpecHash == setup.Hash() {
		return setup, nil
	}
	budgets := []tuner.Budget{{Trials: d.BudgetTrials, Games: d.BudgetGames}}
	source, err := s.Study(d.ID).Source(ctx)
	if err != nil {
		return setup, err
	}
	if source.Text != "" { // the file with which it began
		first, err := studyfile.Read(source.Name, []byte(source.Text), arena.Catalogue{setup.Ruleset.Game}, samplers)
		if err == nil {
			budgets = append(budgets, first.Budget)
		}
	}
	for i := range budgets {
		other, err := again(&budgets[i])
		if err != nil {
			continue
		}
		if other.Hash() == d.SpecHash {
			return other, nil
		}
	}
	return setup, nil
}

// sameText returns the stored setup of a study whose file has the same text as the given one,
// nil otherwise: the text reads as it did when the study began, whatever the defaults are.
func sameText(ctx context.Context, s *store.Store, d store.Details, f StudyFile) (*tuner.Setup, error) {
	if d.SpecHash == f.Setup.Hash() || f.Source.Text == "" {
		return nil, nil
	}
	source, err := s.Study(d.ID).Source(ctx)
	if err != nil || source.Text != f.Source.Text {
		return nil, err
	}
	spec, err := tuner.ParseSpec([]byte(d.Spec))
	if err != nil {
		return nil, fmt.Errorf("study %q: %w", d.Name, err)
	}
	spec.Budget = tuner.Budget{Trials: d.BudgetTrials, Games: d.BudgetGames}
	setup, err := tuner.Prepare(spec, arena.Catalogue{f.Setup.Ruleset.Game})
	if err != nil {
		return nil, fmt.Errorf("study %q: %w", d.Name, err)
	}
	return setup, nil
}

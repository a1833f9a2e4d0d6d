package service

import (
	"context"
	"errors"
	"fmt"

	"sakusen/engines/arena"
	"sakusen/tuner"
	"sakusen/tuner/store"
)

// Finished is the stored result of a study file whose study is done, nil where
// there is none, and the setup with which it was made: where only the budget
// differs from the stored one, again reads the file with the defaults of the
// stored budget. The store may be open for reading.
func Finished(ctx context.Context, s *store.Store, f StudyFile, again func(*tuner.Budget) (*tuner.Setup, error)) (*tuner.Setup, *tuner.Result, error) {
	setup := f.Setup
	d, err := s.Details(ctx, setup.Name)
	if errors.Is(err, store.ErrStudyNotFound) {
		return setup, nil, nil
	}
	if err != nil {
		return setup, nil, err
	}
	if older, err := asRead(ctx, s, d, f); err != nil {
		return setup, nil, err
	} else if older != nil {
		setup = older
	}
	if d.SpecHash != setup.Hash() {
		scaled, err := again(&tuner.Budget{Trials: d.BudgetTrials, Games: d.BudgetGames})
		if err == nil {
			scaled = scaled.AsStored(d.SpecHash)
		}
		if err == nil && scaled.Hash() == d.SpecHash {
			setup = scaled
		}
	}
	if d.Result == nil || d.SpecHash != setup.Hash() || d.Signatures != f.Signatures {
		return setup, nil, nil // ResumeStudy says what is wrong, if anything
	}
	if b := setup.Budget; b.Trials != d.BudgetTrials || b.Games != d.BudgetGames {
		return setup, nil, New(Invalid, fmt.Sprintf("study %q is done, and its budget can grow only until then: give the larger study a new name", d.Name))
	}
	result, err := storedResult(d)
	return setup, result, err
}

// asRead is the stored setup of a study whose file equals the given one to the letter, and
// nil otherwise. An older program may have read the file with other defaults; the study
// continues with those.
func asRead(ctx context.Context, s *store.Store, d store.Details, f StudyFile) (*tuner.Setup, error) {
	if d.SpecHash == f.Setup.Hash() || f.Source.Text == "" {
		return nil, nil
	}
	source, err := s.Source(ctx, d.ID)
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

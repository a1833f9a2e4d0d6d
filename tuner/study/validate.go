package study

import (
	"context"

	"sakusen/engines/arena"
	"sakusen/tuner"
	"sakusen/tuner/entry"
)

// validate plays the winner against the baseline under the spec's bounds, on
// seeds that nothing has met.
func (st *Study) validate(ctx context.Context, winner *tuner.Trial) (*entry.Validation, error) {
	s := st.Setup
	st.meter.phase("validation")
	opened, err := step(ctx, st.journal, entry.KindAttempt, func() (entry.Attempt, error) { return st.open(ctx, winner) }, nil)
	if err != nil {
		return nil, err
	}
	if err := st.journal.stopped(); err != nil {
		return nil, err
	}
	if st.journal.peek() == entry.KindReplayed {
		if err := replay(ctx, st, nil); err != nil {
			return nil, err
		}
	}
	v, err := step(ctx, st.journal, entry.KindValidation, func() (entry.Validation, error) {
		decide := st.prove
		if s.Proved().Of == "metric" {
			decide = st.compareMetric
		}
		v, err := decide(ctx, winner, opened)
		if err == nil {
			err = st.provePool(ctx, winner, opened, &v)
		}
		if v.Evidence.Blocks > 0 {
			v.Played = entry.NewPlayed(arena.Validation, opened.Seed, 0, v.Evidence.Blocks)
		}
		if err == nil && st.replayed == nil {
			err = witnessed(ctx, st, &v)
		}
		return v, err
	}, nil)
	return &v, err
}

// open counts the attempt and gives it its share of alpha.
func (st *Study) open(ctx context.Context, winner *tuner.Trial) (entry.Attempt, error) {
	s := st.Setup
	q, err := s.Question(ctx)
	if err != nil {
		return entry.Attempt{}, err
	}
	q.Winner = winner.Entrant.Canonical()
	a, err := st.journal.record.Attempt(ctx, q)
	if err != nil {
		return entry.Attempt{}, err
	}
	alpha, err := s.Level(a)
	return entry.Attempt{Trial: winner.Number, Attempt: a.Number, Alpha: alpha, Seed: s.ValidationSeed(a.Number)}, err
}

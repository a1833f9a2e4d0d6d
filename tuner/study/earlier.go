package study

import (
	"context"
	"fmt"
	"math"
	"slices"

	"sakusen/tuner"
	"sakusen/tuner/entry"
)

// earlier.go is about studies that begin with the games of an earlier one: what its search
// saw is told to the sampler, as batches before the first. Final and validation have
// games of their own, and the validation is a further attempt at the same question.

// earlier is what a study takes over of an earlier one.
type earlier struct {
	read     func(context.Context) (*entry.Begun, error)
	trials   []*tuner.Trial
	observed []tuner.Observation
	duels    []tuner.Duel
	batches  int
	games    int64
	blocks   int64 // that the earlier search has met
	from     *entry.Begun
}

// load turns the entry into what a sampler is told.
func (x *earlier) load(s *tuner.Setup, b *entry.Begun) error {
	x.from, x.games, x.blocks, x.batches = b, b.Games, b.Blocks, b.Batches
	number := func(v *float64) float64 {
		if v == nil {
			return math.NaN()
		}
		return *v
	}
	for i := range b.Trials {
		t := &b.Trials[i]
		e, err := s.Candidate(-1, t.Params)
		if err != nil {
			return fmt.Errorf("the log begins with a point that cannot be played: %w: %w", err, tuner.ErrOtherCode)
		}
		proposed := t.Proposed
		if proposed == nil {
			proposed = t.Params
		}
		x.trials = append(x.trials, &tuner.Trial{
			Number: -1, Draw: givenDraw, Batch: -1, Params: t.Params, Proposed: proposed, Entrant: e, State: entry.TrialComplete,
			Evidence: []entry.Evidence{{Blocks: t.Blocks, Games: t.Games}},
			Estimate: tuner.Estimate{Mean: entry.Mean{Value: number(t.Value), Error: number(t.Error), Blocks: t.Blocks}, Feasible: !t.Infeasible},
		})
	}
	known := func(trials ...int) bool {
		return !slices.ContainsFunc(trials, func(i int) bool { return i < 0 || i >= len(x.trials) })
	}
	for _, o := range b.Observed {
		if !known(o.Trial) {
			return fmt.Errorf("the log begins with games of point %d of %d: %w", o.Trial, len(x.trials), tuner.ErrOtherCode)
		}
		x.observed = append(x.observed, tuner.Observation{Trial: o.Trial, Batch: o.Batch - b.Batches, Value: number(o.Value), Noise: number(o.Error), Blocks: o.Blocks})
	}
	for _, d := range b.Duels {
		if !known(d.A, d.B) {
			return fmt.Errorf("the log begins with a duel of points %d and %d of %d: %w", d.A, d.B, len(x.trials), tuner.ErrOtherCode)
		}
		x.duels = append(x.duels, tuner.Duel{A: d.A, B: d.B, Batch: d.Batch - b.Batches, Draw: givenDraw, Score: number(d.Score), Noise: number(d.Error), Blocks: d.Blocks})
	}
	return nil
}

// withObserved is what was taken over and then what the study saw itself; the numbers of
// its own trials follow those of the others.
func (x *earlier) withObserved(own []tuner.Observation) []tuner.Observation {
	if len(x.trials) == 0 {
		return own
	}
	out := slices.Grow(slices.Clone(x.observed), len(own))
	for _, o := range own {
		o.Trial += len(x.trials)
		out = append(out, o)
	}
	return out
}

// withDuels is the same of duels.
func (x *earlier) withDuels(own []tuner.Duel) []tuner.Duel {
	if len(x.trials) == 0 {
		return own
	}
	out := slices.Grow(slices.Clone(x.duels), len(own))
	for _, d := range own {
		d.A, d.B = d.A+len(x.trials), d.B+len(x.trials)
		out = append(out, d)
	}
	return out
}

// report is what the result says of it, nil where nothing was taken over.
func (x *earlier) report() *tuner.BegunWith {
	if x.from == nil {
		return nil
	}
	return &tuner.BegunWith{Study: x.from.Study, Games: x.from.Games, Points: x.from.Points, Dropped: x.from.Dropped}
}

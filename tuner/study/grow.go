package study

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/entry"
)

// begin returns the setup of a study that has grown with the budget with which it began,
// since each part of its log is replayed with its own, and the budget of the whole.
func begin(s *tuner.Setup, log []entry.Entry) (*tuner.Setup, tuner.Budget, error) {
	for _, e := range log {
		if e.Kind != entry.KindGrow {
			continue
		}
		var g entry.Grow
		if err := json.Unmarshal(e.Payload, &g); err != nil {
			return nil, tuner.Budget{}, fmt.Errorf("the log's first %s: %w: %w", e.Kind, err, tuner.ErrOtherCode)
		}
		setup, spec := *s, *s.Spec
		spec.Budget = tuner.Budget{Trials: g.From.Trials, Games: g.From.Games}
		setup.Spec = &spec
		return &setup, s.Spec.Budget, nil
	}
	return s, tuner.Budget{}, nil
}

// goesOn reports whether the log takes the study up again after a verdict, and does so.
func (st *Study) goesOn(ctx context.Context, verdict *entry.Validation) (bool, error) {
	if st.log.peek() != entry.KindGrow {
		return false, nil
	}
	g, err := step[entry.Grow](ctx, st.log, entry.KindGrow, nil, nil)
	if err != nil {
		return false, err
	}
	st.search.proofs = st.total() - st.judge.spent()
	if verdict != nil {
		st.search.proofs += gamesOf(verdict) + st.after.games()
	}
	if st.search.answered != nil && !st.search.answered.Again {
		// What a model believed of its answer is no evidence for the next model.
		t := st.search.trials[st.search.answered.Trial]
		t.Draw, t.Estimate.Value, t.Estimate.Error = st.search.drawn-1, math.NaN(), math.NaN()
	}
	if d := st.search.defaults; d != nil && d.Won {
		if t := st.search.trials[d.Winner]; t.Draw == givenDraw && len(t.Evidence) == 0 {
			t.Draw = st.search.drawn - 1
		}
	}
	st.search.finals, st.search.answered, st.search.defaults, st.proof.replayed = nil, nil, nil, nil
	st.setup.Budget = tuner.Budget{Trials: g.To.Trials, Games: g.To.Games}
	if !st.log.ahead(entry.KindGrow) {
		st.setup.Budget = st.whole // which may have grown since
	}
	return true, nil
}

// takeOver writes what the study begins with, or reads it from the log.
func (st *Study) takeOver(ctx context.Context) error {
	if st.setup.BeginFrom == "" {
		return nil
	}
	b, err := step(ctx, st.log, entry.KindBegun, func() (entry.Begun, error) {
		if st.begun == nil {
			return entry.Begun{}, fmt.Errorf("begin_from: the games of study %s cannot be read here", st.setup.BeginFrom)
		}
		b, err := st.begun(ctx)
		if err != nil {
			return entry.Begun{}, err
		}
		return *b, nil
	}, nil)
	if err != nil {
		return err
	}
	return st.search.begun.load(st.setup, &b)
}

// earlier is what a study takes over of an earlier one.
type earlier struct {
	trials   []*tuner.Trial
	observed []tuner.Observation
	duels    []tuner.Duel
	batches  int
	blocks   int64 // that the earlier search has met
	from     *entry.Begun
}

// load turns the entry into what a sampler is told.
func (x *earlier) load(s *tuner.Setup, b *entry.Begun) error {
	x.from, x.blocks, x.batches = b, b.Blocks, b.Batches
	number := func(v *float64) float64 {
		if v == nil {
			return math.NaN()
		}
		return *v
	}
	for i := range b.Trials {
		t := &b.Trials[i]
		if _, err := s.Candidate(-1, t.Params); err != nil {
			return fmt.Errorf("the log begins with a point that cannot be played: %w: %w", err, tuner.ErrOtherCode)
		}
		x.trials = append(x.trials, &tuner.Trial{
			Number: -1, Draw: givenDraw, Batch: -1, Params: t.Params.Pack(param.Packed{}), Proposed: t.Proposed.Pack(param.Packed{}), State: entry.TrialComplete,
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

// withObserved returns what was taken over and then what the study saw itself; the numbers of
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

// withDuels returns the same of duels.
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

// report returns what the result says of it, nil where nothing was taken over.
func (x *earlier) report() *tuner.BegunWith {
	if x.from == nil {
		return nil
	}
	return &tuner.BegunWith{Study: x.from.Study, Games: x.from.Games, Points: x.from.Points, Dropped: x.from.Dropped}
}

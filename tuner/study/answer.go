package study

import (
	"context"
	"fmt"
	"math"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/numeral"
)

// answer asks the sampler's model for the answer and makes it a trial. It returns nil if
// the sampler has no model or no answer, or if the answer exceeds a limit; the final then
// finds the best trial.
func (st *Study) answer(ctx context.Context) (*tuner.Trial, error) {
	j := st.journal
	var draft entry.Answer
	if j.replaying() {
		if j.peek() != entry.KindAnswer {
			return nil, nil
		}
	} else {
		a, ok := st.proposer.(tuner.Answerer)
		if !ok || len(st.trials) == 0 {
			return nil, nil
		}
		var err error
		if draft, ok, err = st.draft(ctx, a); !ok || err != nil {
			return nil, err
		}
	}
	got, err := step(ctx, j, entry.KindAnswer, func() (entry.Answer, error) { return st.measure(ctx, draft) }, st.admit)
	if err != nil {
		return nil, err
	}
	est := tuner.Estimate{Mean: entry.Mean{Value: math.NaN(), Error: math.NaN()}, Feasible: true}
	if len(got.Evidence) > 0 {
		est = st.Setup.Estimate(got.Evidence)
	} else {
		if got.Value != nil {
			est.Value = *got.Value
		}
		if got.Error != nil {
			est.Error = *got.Error
		}
	}
	st.answered = &got
	var t *tuner.Trial
	switch {
	case got.Again && got.Trial < len(st.trials):
		t = st.trials[got.Trial]
		if t.Params.String() != got.Params.String() {
			return nil, fmt.Errorf("the log answers with trial %d, which plays otherwise: %w", got.Trial, tuner.ErrOtherCode)
		}
	case !got.Again && got.Trial == len(st.trials):
		e, err := st.Setup.Candidate(got.Trial, got.Params)
		if err != nil {
			return nil, fmt.Errorf("trial %d: %w: %w", got.Trial, err, tuner.ErrOtherCode)
		}
		t = &tuner.Trial{
			Number: got.Trial, Draw: st.drawn, Batch: st.batches, Params: got.Params, Proposed: got.Proposed,
			Entrant: e, Estimate: est, State: entry.TrialComplete,
		}
		if t.Proposed == nil {
			t.Proposed = t.Params
		}
		st.trials = append(st.trials, t)
	default:
		return nil, fmt.Errorf("the log answers with trial %d of %d: %w", got.Trial, len(st.trials), tuner.ErrOtherCode)
	}
	st.count()
	if !est.Feasible {
		return nil, nil
	}
	return t, nil
}

// draft asks for the answer and finds the trial that has its values, if there is one.
func (st *Study) draft(ctx context.Context, a tuner.Answerer) (entry.Answer, bool, error) {
	view, err := st.view()
	if err != nil {
		return entry.Answer{}, false, err
	}
	best, ok, err := bestOf(ctx, st, a, view)
	if err != nil {
		return entry.Answer{}, false, fmt.Errorf("sampler %s: answer: %w", st.Setup.Sampler.Name, err)
	}
	if !ok {
		return entry.Answer{}, false, nil
	}
	ordered := st.Setup.Tune.Params.Ordered(st.Setup.Tune.Fix, best.Values)
	if ordered.String() != best.Values.String() {
		best = tuner.Answer{Values: ordered} // the model has not said what it believes of these values
	}
	d := entry.Answer{Trial: len(st.trials), Params: st.Setup.Tune.Params.Activate(st.Setup.Tune.Fix, best.Values)}
	if len(best.Values) != len(d.Params) {
		d.Proposed = best.Values
	}
	if before, ok := st.byValues[d.Params.Hash()]; ok {
		d.Trial, d.Again = before.Number, true
	}
	if b := best.Belief; b != nil {
		d.Value, d.Error = numeral.Finite(b.Mean), numeral.Finite(b.StandardError)
	}
	return d, true, nil
}

// measure plays a rung's blocks if the model claims nothing of its answer, or to check a
// limit, since no model knows of limits. The blocks belong to the final's phase: the answer
// was not chosen for its luck on them.
func (st *Study) measure(ctx context.Context, d entry.Answer) (entry.Answer, error) {
	s := st.Setup
	if d.Value != nil && len(s.Objective.Limits) == 0 {
		return d, nil
	}
	e, err := s.Candidate(d.Trial, d.Params)
	if err != nil {
		return d, err
	}
	if d.Evidence, err = st.play(ctx, e, nil, nil, s.TuneSeed(), arena.Final, 0, s.AnswerBlocks()); err != nil {
		return d, err
	}
	d.Played = entry.NewPlayed(arena.Final, s.TuneSeed(), 0, s.AnswerBlocks())
	est := s.Estimate(d.Evidence)
	d.Value, d.Error = numeral.Finite(est.Value), numeral.Finite(est.Error)
	return d, nil
}

// admit adds the answer to the record, complete with its claim.
func (st *Study) admit(d entry.Answer, trials tuner.Trials) error {
	if d.Again {
		return nil
	}
	batch := entry.Ask{Trials: []entry.Asked{{
		Number: d.Trial, Params: d.Params, Proposed: d.Proposed,
		Attrs: param.Values{{Name: "role", Text: "answer"}},
	}}}
	if err := st.create(batch, trials); err != nil {
		return err
	}
	feasible := len(d.Evidence) == 0 || st.Setup.Estimate(d.Evidence).Feasible
	return st.finish(entry.Tell{Trial: d.Trial, State: entry.TrialComplete, Value: d.Value, Error: d.Error, Feasible: feasible}, trials)
}

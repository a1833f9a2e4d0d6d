package study

import (
	"context"
	"fmt"
	"math"
	"sync"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/insight"
	"sakusen/tuner/numeral"
)

// chooser chooses the winner of a search: the answer of the sampler's model, or the best of
// a final.
type chooser struct{ *core }

// winner returns the trial that is to be proved, nil where there is none.
func (c *chooser) winner(ctx context.Context) (*tuner.Trial, error) {
	if t, err := c.answer(ctx); t != nil || err != nil {
		return t, err
	}
	return c.final(ctx)
}

// answer asks the sampler's model for the answer and makes it a trial. It returns nil if
// the sampler has no model or no answer, or if the answer exceeds a limit; the final then
// finds the best trial.
func (c *chooser) answer(ctx context.Context) (*tuner.Trial, error) {
	j := c.log
	var draft entry.Answer
	if j.replaying() {
		if j.peek() != entry.KindAnswer {
			return nil, nil
		}
	} else {
		a, ok := c.sampler.proposer.(tuner.Answerer)
		if !ok || len(c.search.trials) == 0 {
			return nil, nil
		}
		var err error
		if draft, ok, err = c.draft(ctx, a); !ok || err != nil {
			return nil, err
		}
	}
	got, err := step(ctx, j, entry.KindAnswer, func() (entry.Answer, error) { return c.measure(ctx, draft) }, c.admit)
	if err != nil {
		return nil, err
	}
	est := tuner.Estimate{Mean: entry.Mean{Value: math.NaN(), Error: math.NaN()}, Feasible: true}
	if len(got.Evidence) > 0 {
		est = c.setup.Estimate(got.Evidence)
	} else {
		if got.Value != nil {
			est.Value = *got.Value
		}
		if got.Error != nil {
			est.Error = *got.Error
		}
	}
	c.search.answered = &got
	var t *tuner.Trial
	switch {
	case got.Again && got.Trial < len(c.search.trials):
		t = c.search.trials[got.Trial]
		if t.Params.String() != got.Params.String() {
			return nil, fmt.Errorf("the log answers with trial %d, which plays otherwise: %w", got.Trial, tuner.ErrOtherCode)
		}
	case !got.Again && got.Trial == len(c.search.trials):
		e, err := c.setup.Candidate(got.Trial, got.Params)
		if err != nil {
			return nil, fmt.Errorf("trial %d: %w: %w", got.Trial, err, tuner.ErrOtherCode)
		}
		t = &tuner.Trial{
			Number: got.Trial, Draw: c.search.drawn, Batch: c.search.batches, Params: got.Params, Proposed: got.Proposed,
			Entrant: e, Estimate: est, State: entry.TrialComplete,
		}
		if t.Proposed == nil {
			t.Proposed = t.Params
		}
		c.search.trials = append(c.search.trials, t)
	default:
		return nil, fmt.Errorf("the log answers with trial %d of %d: %w", got.Trial, len(c.search.trials), tuner.ErrOtherCode)
	}
	c.count()
	if !est.Feasible {
		return nil, nil
	}
	return t, nil
}

// draft asks for the answer and finds the trial that has its values, if there is one.
func (c *chooser) draft(ctx context.Context, a tuner.Answerer) (entry.Answer, bool, error) {
	view, err := (&asker{c.core}).view()
	if err != nil {
		return entry.Answer{}, false, err
	}
	best, ok, err := c.sampler.best(ctx, a, view)
	if err != nil {
		return entry.Answer{}, false, fmt.Errorf("sampler %s: answer: %w", c.setup.Sampler.Name, err)
	}
	if !ok {
		return entry.Answer{}, false, nil
	}
	ordered := c.setup.Tune.Params.Ordered(c.setup.Tune.Fix, best.Values)
	if ordered.String() != best.Values.String() {
		best = tuner.Answer{Values: ordered} // the model has not said what it believes of these values
	}
	d := entry.Answer{Trial: len(c.search.trials), Params: c.setup.Tune.Params.Activate(c.setup.Tune.Fix, best.Values)}
	if len(best.Values) != len(d.Params) {
		d.Proposed = best.Values
	}
	if before, ok := c.search.byValues[d.Params.Hash()]; ok {
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
func (c *chooser) measure(ctx context.Context, d entry.Answer) (entry.Answer, error) {
	s := c.setup
	if d.Value != nil && len(s.Objective.Limits) == 0 {
		return d, nil
	}
	e, err := s.Candidate(d.Trial, d.Params)
	if err != nil {
		return d, err
	}
	if d.Evidence, err = c.games.play(ctx, e, nil, nil, s.TuneSeed(), arena.Final, 0, s.Race.AnswerBlocks()); err != nil {
		return d, err
	}
	d.Played = entry.NewPlayed(arena.Final, s.TuneSeed(), 0, s.Race.AnswerBlocks())
	est := s.Estimate(d.Evidence)
	d.Value, d.Error = numeral.Finite(est.Value), numeral.Finite(est.Error)
	return d, nil
}

// admit adds the answer to the record, complete with its claim.
func (c *chooser) admit(d entry.Answer, trials tuner.Trials) error {
	if d.Again {
		return nil
	}
	batch := entry.Ask{Trials: []entry.Asked{{
		Number: d.Trial, Params: d.Params, Proposed: d.Proposed,
		Attrs: param.Values{{Name: "role", Text: "answer"}},
	}}}
	if err := c.create(batch, trials); err != nil {
		return err
	}
	feasible := len(d.Evidence) == 0 || c.setup.Estimate(d.Evidence).Feasible
	return c.finish(entry.Tell{Trial: d.Trial, State: entry.TrialComplete, Value: d.Value, Error: d.Error, Feasible: feasible}, trials)
}

// final races the best few on new seeds, so that the luck which brought them here no longer
// counts, and returns the winner; nil if no trial is feasible.
func (c *chooser) final(ctx context.Context) (*tuner.Trial, error) {
	trials := c.judge.finalists()
	n := 0
	for n < len(trials) && trials[n].Estimate.Feasible && !math.IsNaN(trials[n].Estimate.Value) {
		n++
	}
	trials = trials[:min(n, max(1, c.setup.Final.Top))]
	if len(trials) < 2 || c.setup.Final.Top < 2 || c.setup.Final.Blocks == 0 {
		if len(trials) == 0 {
			return nil, nil
		}
		if c.setup.Pareto() {
			return c.judge.best(), nil
		}
		return trials[0], nil
	}
	c.meter.phase("final")
	evidence := make([][]entry.Evidence, len(trials))
	errs := make([]error, len(trials))
	logged := c.log.logged(entry.KindFinal)
	var group sync.WaitGroup
	for i, t := range trials {
		if i < logged {
			continue
		}
		group.Add(1)
		go func() {
			defer group.Done()
			evidence[i], errs[i] = c.games.play(ctx, t.Entrant, nil, nil, c.setup.TuneSeed(), arena.Final, 0, c.setup.Final.Blocks)
		}()
	}
	group.Wait()
	var winner *tuner.Trial
	var best tuner.Estimate
	for i, t := range trials {
		got, err := step(ctx, c.log, entry.KindFinal, func() (entry.Final, error) {
			return entry.Final{
				Trial: t.Number, Evidence: evidence[i],
				Played: entry.NewPlayed(arena.Final, c.setup.TuneSeed(), 0, c.setup.Final.Blocks),
			}, errs[i]
		}, nil)
		if err != nil {
			return nil, err
		}
		if got.Trial != t.Number {
			return nil, fmt.Errorf("the log has trial %d in the final where trial %d is due: %w", got.Trial, t.Number, tuner.ErrOtherCode)
		}
		est := c.setup.Estimate(got.Evidence)
		c.search.finals = append(c.search.finals, insight.Finalist{Trial: t, Evidence: got.Evidence, Estimate: est})
		if !est.Feasible || math.IsNaN(est.Value) {
			continue
		}
		if winner == nil || est.Value != best.Value && (est.Value > best.Value) == c.setup.Maximize() {
			winner, best = t, est
		}
	}
	if c.setup.Pareto() {
		all := make([]*tuner.Estimate, len(c.search.finals))
		for i := range c.search.finals {
			all[i] = &c.search.finals[i].Estimate
		}
		if winner = nil; c.setup.Choose(all) >= 0 {
			winner = c.search.finals[c.setup.Choose(all)].Trial
		}
	}
	return winner, nil
}

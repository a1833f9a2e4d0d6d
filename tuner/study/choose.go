package study

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
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
type chooser struct{ core *core }

// winner returns the trial that is to be proved, nil where there is none.
func (c *chooser) winner(ctx context.Context) (*tuner.Trial, error) {
	t, err := c.answer(ctx)
	if t == nil && err == nil {
		t, err = c.final(ctx)
	}
	if t == nil || err != nil {
		return t, err
	}
	return c.orDefaults(ctx, t)
}

// orDefaults lets the winner of the search meet the defaults of an external program, which are a
// candidate of the final if they are not the baseline. A large gain on a poor baseline may still
// be weaker than the program's defaults. It returns the defaults' trial if they won.
func (c *chooser) orDefaults(ctx context.Context, winner *tuner.Trial) (*tuner.Trial, error) {
	j, s := c.core.log, c.core.setup
	blocks := s.DefaultsBlocks()
	if j.replaying() && j.peek() != entry.KindDefaults || !j.replaying() && blocks == 0 {
		return winner, nil
	}
	values := s.Tune.Params.Defaults(s.Tune.Fix)
	defaults, err := s.Candidate(-1, values)
	if err != nil {
		return nil, err
	}
	if !j.replaying() && defaults.Canonical() == winner.Entrant(s).Canonical() {
		return winner, nil
	}
	c.core.meter.phase("final", c.core.total())
	got, err := step(ctx, j, entry.KindDefaults, func() (entry.Defaults, error) {
		d := entry.Defaults{Trial: winner.Number, Params: winner.Params.Values(), Variant: values, Winner: winner.Number, Played: entry.NewPlayed(arena.Final, s.TuneSeed(), 0, blocks)}
		var err error
		if d.Evidence, err = c.core.games.meet(ctx, winner.Entrant(s), &defaults, s.TuneSeed(), arena.Final, nil, 0, blocks, nil); err != nil {
			return d, err
		}
		d.Measure(d.Evidence.Sample(s.Ruleset.Seats))
		if d.Won = d.Evidence.Score(s.Ruleset.Seats).Value < 1/float64(s.Ruleset.Seats); d.Won {
			d.Winner = len(c.core.search.trials)
			if before, ok := c.core.search.byValues[values.Digest()]; ok {
				d.Winner = before.Number
			}
		}
		return d, nil
	}, c.admitDefaults)
	if err != nil {
		return nil, err
	}
	c.core.search.defaults = &got
	switch {
	case !got.Won && got.Winner == winner.Number:
		return winner, nil
	case got.Won && got.Winner < len(c.core.search.trials):
		return c.core.search.trials[got.Winner], nil
	case !got.Won || got.Winner > len(c.core.search.trials):
		return nil, fmt.Errorf("the log has trial %d win the final, of %d: %w", got.Winner, len(c.core.search.trials), tuner.ErrOtherCode)
	}
	if _, err := s.Candidate(got.Winner, got.Variant); err != nil {
		return nil, fmt.Errorf("trial %d: %w: %w", got.Winner, err, tuner.ErrOtherCode)
	}
	t := &tuner.Trial{Number: got.Winner, Draw: givenDraw, Batch: c.core.search.batches, State: entry.TrialComplete}
	t.Estimate = tuner.Estimate{Mean: entry.Mean{Value: math.NaN(), Error: math.NaN()}, Feasible: true}
	c.core.search.add(t, got.Variant, nil)
	c.core.count()
	return t, nil
}

// admitDefaults adds the defaults to the record if they won: with their score against the answer.
func (c *chooser) admitDefaults(d entry.Defaults, trials tuner.Trials) error {
	if !d.Won || d.Winner < len(c.core.search.trials) {
		return nil
	}
	batch := entry.Ask{Trials: []entry.Asked{{Number: d.Winner, Params: d.Variant, Attrs: param.Values{{Name: "role", Text: "defaults"}}}}}
	if err := c.core.create(batch, trials); err != nil {
		return err
	}
	score := d.Evidence.Score(c.core.setup.Ruleset.Seats)
	others := float64(c.core.setup.Ruleset.Seats - 1)
	return c.core.finish(entry.Tell{Trial: d.Winner, State: entry.TrialComplete, Value: numeral.Finite((1 - score.Value) / others), Error: numeral.Finite(score.Error / others), Feasible: true}, trials)
}

// answer asks the sampler's model for the answer and makes it a trial. It returns nil if
// the sampler has no model or no answer, or if the answer exceeds a limit; the final then
// finds the best trial.
func (c *chooser) answer(ctx context.Context) (*tuner.Trial, error) {
	j := c.core.log
	var draft entry.Answer
	if j.replaying() {
		if j.peek() != entry.KindAnswer {
			return nil, nil
		}
	} else {
		a, ok := c.core.sampler.proposer.(tuner.Answerer)
		if !ok || len(c.core.search.trials) == 0 {
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
		est = c.core.setup.Estimate(got.Evidence)
	} else {
		if got.Value != nil {
			est.Value = *got.Value
		}
		if got.Error != nil {
			est.Error = *got.Error
		}
	}
	c.core.search.answered = &got
	var t *tuner.Trial
	switch {
	case got.Again && got.Trial < len(c.core.search.trials):
		t = c.core.search.trials[got.Trial]
		if t.Params.Values().String() != got.Params.String() {
			return nil, fmt.Errorf("the log answers with trial %d, which plays otherwise: %w", got.Trial, tuner.ErrOtherCode)
		}
	case !got.Again && got.Trial == len(c.core.search.trials):
		if _, err := c.core.setup.Candidate(got.Trial, got.Params); err != nil {
			return nil, fmt.Errorf("trial %d: %w: %w", got.Trial, err, tuner.ErrOtherCode)
		}
		t = &tuner.Trial{Number: got.Trial, Draw: c.core.search.drawn, Batch: c.core.search.batches, Estimate: est, State: entry.TrialComplete}
		c.core.search.add(t, got.Params, got.Proposed)
	default:
		return nil, fmt.Errorf("the log answers with trial %d of %d: %w", got.Trial, len(c.core.search.trials), tuner.ErrOtherCode)
	}
	c.core.count()
	if !est.Feasible {
		return nil, nil
	}
	return t, nil
}

// draft asks for the answer and finds the trial that has its values, if there is one.
func (c *chooser) draft(ctx context.Context, a tuner.Answerer) (entry.Answer, bool, error) {
	view, err := (&asker{core: c.core}).view()
	if err != nil {
		return entry.Answer{}, false, err
	}
	best, ok, err := c.core.sampler.best(ctx, a, view)
	if err != nil {
		return entry.Answer{}, false, fmt.Errorf("sampler %s: answer: %w", c.core.setup.Sampler.Name, err)
	}
	if !ok {
		return entry.Answer{}, false, nil
	}
	space, fixed := c.core.setup.Tune.Params, c.core.setup.Tune.Fix
	if ordered := space.Ordered(fixed, best.Values); ordered.String() != best.Values.String() {
		best = tuner.Answer{Values: ordered} // the model has not said what it believes of these values
	}
	if _, known := c.core.search.byValues[space.Activate(fixed, best.Values).Digest()]; !known {
		best.Values = space.Rounded(fixed, best.Values)
	}
	d := entry.Answer{Trial: len(c.core.search.trials), Params: space.Activate(fixed, best.Values)}
	if len(best.Values) != len(d.Params) {
		d.Proposed = best.Values
	}
	if before, ok := c.core.search.byValues[d.Params.Digest()]; ok {
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
	s := c.core.setup
	if d.Value != nil && len(s.Objective.Limits) == 0 {
		return d, nil
	}
	e, err := s.Candidate(d.Trial, d.Params)
	if err != nil {
		return d, err
	}
	if d.Evidence, err = c.core.games.play(ctx, e, nil, nil, s.TuneSeed(), arena.Final, 0, s.Race.AnswerBlocks(s.Ruleset)); err != nil {
		return d, err
	}
	d.Played = entry.NewPlayed(arena.Final, s.TuneSeed(), 0, s.Race.AnswerBlocks(s.Ruleset))
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
	if err := c.core.create(batch, trials); err != nil {
		return err
	}
	feasible := len(d.Evidence) == 0 || c.core.setup.Estimate(d.Evidence).Feasible
	return c.core.finish(entry.Tell{Trial: d.Trial, State: entry.TrialComplete, Value: d.Value, Error: d.Error, Feasible: feasible}, trials)
}

// distance returns how far a trial lies from a point: the sum of squares of shares of ranges.
func (c *chooser) distance(t *tuner.Trial, from param.Values) float64 {
	sum, at := 0.0, t.Params.Values()
	for i := range c.core.setup.Tune.Params {
		d := &c.core.setup.Tune.Params[i]
		x, _ := at.Get(d.Name)
		y, _ := from.Get(d.Name)
		if x != y {
			sum += math.Pow(apart(d, x, y), 2)
		}
	}
	return sum
}

// final races the best few on new seeds, so that the luck which brought them here no longer
// counts, and returns the winner; nil if no trial is feasible. Where a model's answer exceeds a
// limit, they are those inside that lie nearest to it.
func (c *chooser) final(ctx context.Context) (*tuner.Trial, error) {
	trials := c.core.judge.finalists()
	n := 0
	for n < len(trials) && trials[n].Estimate.Feasible && !math.IsNaN(trials[n].Estimate.Value) {
		n++
	}
	if a := c.core.search.answered; a != nil { // it exceeds a limit
		slices.SortStableFunc(trials[:n], func(x, y *tuner.Trial) int {
			return cmp.Compare(c.distance(x, a.Params), c.distance(y, a.Params))
		})
	}
	trials = trials[:min(n, max(1, c.core.setup.Final.Top))]
	if len(trials) < 2 || c.core.setup.Final.Top < 2 || c.core.setup.Final.Blocks == 0 {
		if len(trials) == 0 {
			return nil, nil
		}
		if c.core.setup.Pareto() {
			return c.core.judge.best(), nil
		}
		return trials[0], nil
	}
	c.core.meter.phase("final", c.core.total())
	evidence := make([][]entry.Evidence, len(trials))
	errs := make([]error, len(trials))
	logged := c.core.log.logged(entry.KindFinal)
	var group sync.WaitGroup
	for i, t := range trials {
		if i < logged {
			continue
		}
		group.Go(func() {
			evidence[i], errs[i] = c.core.games.play(ctx, t.Entrant(c.core.setup), nil, nil, c.core.setup.TuneSeed(), arena.Final, 0, c.core.setup.Final.Blocks)
		})
	}
	group.Wait()
	var winner *tuner.Trial
	var best tuner.Estimate
	for i, t := range trials {
		got, err := step(ctx, c.core.log, entry.KindFinal, func() (entry.Final, error) {
			return entry.Final{
				Trial: t.Number, Evidence: evidence[i],
				Played: entry.NewPlayed(arena.Final, c.core.setup.TuneSeed(), 0, c.core.setup.Final.Blocks),
			}, errs[i]
		}, nil)
		if err != nil {
			return nil, err
		}
		if got.Trial != t.Number {
			return nil, fmt.Errorf("the log has trial %d in the final where trial %d is due: %w", got.Trial, t.Number, tuner.ErrOtherCode)
		}
		est := c.core.setup.Estimate(got.Evidence)
		c.core.search.finals = append(c.core.search.finals, insight.Finalist{Trial: t, Evidence: got.Evidence, Estimate: est})
		if !est.Feasible || math.IsNaN(est.Value) {
			continue
		}
		if winner == nil || est.Value != best.Value && (est.Value > best.Value) == c.core.setup.Maximize() {
			winner, best = t, est
		}
	}
	if c.core.setup.Pareto() {
		all := make([]*tuner.Estimate, len(c.core.search.finals))
		for i := range c.core.search.finals {
			all[i] = &c.core.search.finals[i].Estimate
		}
		if winner = nil; c.core.setup.Choose(all) >= 0 {
			winner = c.core.search.finals[c.core.setup.Choose(all)].Trial
		}
	}
	return winner, nil
}

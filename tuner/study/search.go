package study

import (
	"crypto/sha256"
	"fmt"
	"math"
	"slices"
	"strconv"
	"sync"

	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/insight"
	"sakusen/tuner/stats"
)

// search is what a study's search has seen so far.
type search struct {
	setup     *tuner.Setup
	trials    []*tuner.Trial
	drawn     int                                // proposals drawn
	counted   *int                               // members of a finite space, once counted
	byValues  map[[sha256.Size]byte]*tuner.Trial // by digest of the active values
	incumbent *tuner.Trial
	batches   int            // asked
	flying    []*batch       // asked and not told, the oldest first
	playing   sync.WaitGroup // games of the batches behind the first of them
	tried     int            // points given by a person, asked so far

	met        int64                      // some trial has played the blocks 0..met
	played     map[*tuner.Trial][]stretch // blocks of phase tune that the evidence is of
	observed   []tuner.Observation
	inside     struct{ sum, blocks float64 } // of the observed values inside the limits
	duels      []tuner.Duel
	duelGames  int64
	duelFaults *entry.Faults
	rungGames  int64            // of the trials' evidence, where they are judged one by one
	pools      [][]*tuner.Trial // batches that played themselves
	begun      earlier          // what the search begins with of another study

	finals   []insight.Finalist
	answered *entry.Answer   // the sampler's answer
	defaults *entry.Defaults // how it did against a program's defaults
	proofs   int64           // games of the finals and validations before the study went on
}

func newSearch(s *tuner.Setup) *search {
	return &search{setup: s, byValues: map[[sha256.Size]byte]*tuner.Trial{}, played: map[*tuner.Trial][]stretch{}}
}

// givenDraw is the draw of what no sampler proposed.
const givenDraw = -1

// seat turns an asked batch into trials.
func (s *search) seat(asked entry.Ask) (*batch, error) {
	out := &batch{number: s.batches, known: len(s.trials)}
	s.drawn = asked.Drawn
	s.batches++
	for _, a := range asked.Trials {
		out.draws = append(out.draws, a.Draw)
		s.markAsked(&a)
		if a.Again {
			if a.Number >= len(s.trials) {
				return nil, fmt.Errorf("the log extends trial %d, which does not exist: %w", a.Number, tuner.ErrOtherCode)
			}
			out.trials = append(out.trials, s.trials[a.Number])
			continue
		}
		if a.Number != len(s.trials) {
			return nil, fmt.Errorf("the log asks for trial %d after %d trials: %w", a.Number, len(s.trials), tuner.ErrOtherCode)
		}
		if _, err := s.setup.Candidate(a.Number, a.Params); err != nil {
			return nil, fmt.Errorf("trial %d: %w: %w", a.Number, err, tuner.ErrOtherCode)
		}
		t := &tuner.Trial{Number: a.Number, Draw: a.Draw, Batch: out.number, State: entry.TrialRunning}
		_, t.Delegate = a.Attrs.Get(tuner.AttrDelegate)
		s.add(t, a.Params, a.Proposed)
		s.byValues[a.Params.Digest()] = t
		out.trials = append(out.trials, t)
	}
	return out, nil
}

// add adds a trial with its active values, and the whole space where that is more.
func (s *search) add(t *tuner.Trial, active, proposed param.Values) {
	like := &tuner.Trial{}
	if n := len(s.trials); n > 0 {
		like = s.trials[n-1]
	}
	t.Params = active.Pack(like.Params)
	if proposed != nil {
		t.Proposed = proposed.Pack(like.Proposed)
	}
	s.trials = append(s.trials, t)
}

// attrsOf marks the i-th of the points that are still to be tried.
func (s *search) attrsOf(i int) param.Values {
	return param.Values{{Name: tuner.AttrGiven, Text: strconv.Itoa(s.tried + i)}}
}

// markAsked counts the points that were asked.
func (s *search) markAsked(a *entry.Asked) {
	if text, ok := a.Attrs.Get(tuner.AttrGiven); ok {
		if n, err := strconv.Atoi(text); err == nil {
			s.tried = max(s.tried, n+1)
		}
	}
}

// observe notes what a batch has added to the evidence of a trial.
func (s *search) observe(t *tuner.Trial, batch int, before []entry.Evidence) {
	part := t.Estimate
	if len(before) > 0 {
		more := make([]entry.Evidence, len(before))
		for i := range before {
			more[i] = t.Evidence[i].Less(before[i])
		}
		part = s.setup.Estimate(more)
	}
	switch mean := s.inside.sum / s.inside.blocks; {
	case math.IsNaN(part.Value):
	case part.Feasible:
		s.inside.sum += float64(part.Value * float64(part.Blocks))
		s.inside.blocks += float64(part.Blocks)
	case (part.Value > mean) == s.setup.Maximize() && !math.IsNaN(mean):
		part.Value = mean
	}
	s.observed = append(s.observed, tuner.Observation{
		Trial: t.Number, Batch: batch, Value: part.Value, Noise: part.Error, Blocks: part.Blocks,
	})
}

// exhausted reports whether every parameter set of a finite space has a trial.
func (s *search) exhausted() bool {
	n := s.members()
	return n > 0 && len(s.byValues) >= n
}

// worn reports whether all trials of a batch have met every block that the game has.
func (s *search) worn(batch *entry.Ask) bool {
	most := s.setup.Ruleset.Blocks
	return most > 0 && !s.setup.Race.Fresh() && !slices.ContainsFunc(batch.Trials, func(t entry.Asked) bool { return s.trials[t.Number].Blocks() < most })
}

// members returns the number of parameter sets of a finite space that play differently; 0 if the
// space is infinite or too large to be counted.
func (s *search) members() int {
	if s.counted == nil {
		n := s.setup.Tune.Params.Count(s.setup.Tune.Fix)
		s.counted = &n
	}
	return *s.counted
}

// told returns the trials of batches that are not in flight: the first by number.
func (s *search) told() []*tuner.Trial {
	if len(s.flying) > 0 {
		return s.trials[:s.flying[0].known]
	}
	return s.trials
}

// learned returns the value that samplers learn from each of these trials: the mean, drawn towards the
// mean of all. With several objectives, the trial's place in the order of fronts, from 1
// for the best to 0 for the last. A candidate outside the limits counts as no better than
// the worst inside, so that no sampler is drawn to where the limits are broken.
func (s *search) learned(trials []*tuner.Trial) ([]float64, error) {
	if s.setup.Pareto() {
		out := make([]float64, len(trials))
		for i, place := range s.setup.Places(tuner.Estimates(trials)) {
			out[i] = 1 - float64(place)/float64(max(1, len(trials)-1))
		}
		return out, nil
	}
	out, err := shrink(trials)
	if err != nil || len(s.setup.Objective.Limits) == 0 {
		return out, err
	}
	up, worst := s.setup.Maximize(), math.NaN()
	for i, t := range trials {
		if t.Estimate.Feasible && !math.IsNaN(out[i]) && (math.IsNaN(worst) || (out[i] < worst) == up) {
			worst = out[i]
		}
	}
	for i, t := range trials {
		if !t.Estimate.Feasible && !math.IsNaN(worst) && (out[i] > worst) == up {
			out[i] = worst
		}
	}
	return out, nil
}

// shrink moves the trials' values towards their common mean, the noisier the further: what
// samplers learn from. Values without an error stay as they are.
func shrink(trials []*tuner.Trial) ([]float64, error) {
	out := make([]float64, len(trials))
	var noisy []stats.Noisy
	var at []int
	for i, t := range trials {
		out[i] = t.Estimate.Value
		if e := t.Estimate.Error; !math.IsNaN(e) && !math.IsNaN(out[i]) {
			noisy, at = append(noisy, stats.Noisy{Mean: out[i], Variance: e * e}), append(at, i)
		}
	}
	s, err := stats.Shrink(noisy)
	for i, m := range s.Means {
		out[at[i]] = m
	}
	return out, err
}

// boundErrors is the number of standard errors by which an incumbent's bound
// lies under its mean.
const boundErrors = 1.96

// bound returns the pessimistic end of a trial's interval.
func (s *search) bound(t *tuner.Trial) float64 {
	e := t.Estimate.Error
	if math.IsNaN(e) {
		e = math.Inf(1)
	}
	if s.setup.Maximize() {
		return t.Estimate.Value - boundErrors*e
	}
	return t.Estimate.Value + boundErrors*e
}

// best returns the feasible complete trial with the best bound. All complete trials have played
// the blocks up to the last rung.
func (s *search) best() *tuner.Trial {
	if s.setup.Pareto() {
		complete, all := s.complete()
		if at := s.setup.Choose(all); at >= 0 {
			return complete[at]
		}
		return nil
	}
	var best *tuner.Trial
	for _, t := range s.trials {
		if t.State != entry.TrialComplete || !t.Estimate.Feasible || math.IsNaN(t.Estimate.Value) {
			continue
		}
		if best == nil || s.bound(t) != s.bound(best) && (s.bound(t) > s.bound(best)) == s.setup.Maximize() {
			best = t
		}
	}
	return best
}

// ranked returns all trials, the best first.
func (s *search) ranked() []*tuner.Trial {
	trials := slices.Clone(s.trials)
	s.setup.Rank(trials)
	return trials
}

// complete returns the trials that passed every rung, with their estimates.
func (s *search) complete() ([]*tuner.Trial, []*tuner.Estimate) {
	var trials []*tuner.Trial
	var all []*tuner.Estimate
	for _, t := range s.trials {
		if t.State == entry.TrialComplete {
			trials, all = append(trials, t), append(all, &t.Estimate)
		}
	}
	return trials, all
}

// scores returns what a batch is ranked by; more is better and NaN is worse than all. It is the
// value or, with several objectives, the place in the order of fronts. Infeasible trials
// rank behind all others.
func (s *search) scores(in []*tuner.Trial) []float64 {
	out := make([]float64, len(in))
	if s.setup.Pareto() {
		for i, place := range s.setup.Places(tuner.Estimates(in)) {
			out[i] = -float64(place)
		}
	} else {
		for i, t := range in {
			out[i] = t.Estimate.Value
			if !s.setup.Maximize() {
				out[i] = -out[i]
			}
		}
	}
	for i, t := range in {
		if !t.Estimate.Feasible {
			out[i] = math.NaN()
		}
	}
	return out
}

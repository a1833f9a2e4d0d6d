package study

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/stat/distuv"

	"sakusen/engines/arena"
	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/numeral"
	"sakusen/tuner/stats"
)

// metricPlan decides by a metric, on a fixed number of blocks.
type metricPlan struct{ core *core }

// decide validates a metric objective. Winner and baseline (the strategy's defaults
// if the study has none) play a fixed number of new blocks, and the interval of the gain at
// this attempt's alpha decides. The gain of a relative metric is how far its ratio to the
// baseline's, on the same blocks, lies from 1. For any other metric the two means are
// treated as independent; since they share blocks, that is on the safe side.
func (p *metricPlan) decide(ctx context.Context, winner *tuner.Trial, opened entry.Attempt) (entry.Validation, error) {
	s, goal := p.core.setup, p.core.setup.Proved()
	v := entry.Validation{Trial: winner.Number, Attempt: opened.Attempt, Alpha: opened.Alpha, Verdict: "inconclusive"}
	base, err := p.reference()
	if err != nil {
		return v, err
	}
	if winner.Entrant(p.core.setup).Canonical() == base.Canonical() {
		v.Reason = tuner.ItIsTheBaseline
		return v, nil
	}
	c, err := p.play(ctx, winner.Entrant(s), opened.Seed, 0, s.Validation.MaxBlocks)
	v.Evidence = c.evidence()
	if err != nil {
		return v, err
	}
	for _, e := range c.own {
		if why := p.core.repeated(e); why != "" {
			v.Reason = why
			return v, nil
		}
	}
	if err := p.beside(ctx, &c, base, goal.Relative); err != nil {
		return v, err
	}
	v.Evidence = c.evidence()
	half := deviate(c.least, opened.Alpha) * c.se
	v.Metric = c.verdict(goal, half)
	switch v.Reason = c.silent; {
	case c.least < 2:
		return v, nil
	case c.silent != "":
	case c.gain-half > 0:
		v.Verdict = "pass"
	case c.gain+half < 0:
		v.Verdict = "fail"
	}
	if v.Reason == "" {
		v.Reason = fmt.Sprintf("gain in %s %s +- %s over %d blocks", goal.Name(), tuner.LogText(c.gain), tuner.LogText(half), c.mean.Blocks)
	}
	withinLimits(p.core.setup, &v, s.Estimate(c.own))
	return v, nil
}

// reference returns whom a winner must beat in the metric: the baseline or, without one, the
// strategy's defaults.
func (p *metricPlan) reference() (arena.Entrant, error) {
	if s := p.core.setup; s.Baseline == "" {
		return s.Candidate(-1, nil)
	}
	return p.core.setup.BaselineEntrant, nil
}

// further computes the gain by the blocks of the verdict and those after them, up to a number.
func (p *metricPlan) further(ctx context.Context, winner *tuner.Trial, v *entry.Validation, to int64) (e entry.Estimate, err error) {
	goal := p.core.setup.Proved()
	base, err := p.reference()
	if err != nil {
		return e, err
	}
	c, err := p.compare(ctx, winner.Entrant(p.core.setup), base, goal.Relative, v.Played.Seed, v.Evidence.Blocks, to)
	if err != nil {
		return e, err
	}
	e.Evidence, e.Reason = c.evidence(), c.silent
	e.Metric = c.verdict(goal, deviate(c.least, tail95)*c.se)
	if c.silent == "" && c.least == math.MaxInt64 && v.Metric != nil && v.Metric.Gain != nil && v.Metric.GainCI != nil {
		half := (v.Metric.GainCI[1] - v.Metric.GainCI[0]) / 2
		mean, ci := stats.Selected{X: *v.Metric.Gain, XError: half / deviate(c.least, v.Alpha), Least: half, Y: c.gain, YError: c.se}.Estimate()
		if ci.Defined() {
			e.Metric.Gain, e.Metric.GainCI, e.Whole = numeral.Finite(mean), ci.Ends(), true
			shift := mean
			if !goal.Maximize() {
				shift = -mean
			}
			all := (*v.Metric.Baseline*float64(v.Evidence.Blocks) + *e.Metric.Baseline*float64(c.mean.Blocks)) / float64(v.Evidence.Blocks+c.mean.Blocks)
			e.Metric.Baseline, e.Metric.Winner = numeral.Finite(all), numeral.Finite(all+shift)
		}
	}
	return e, nil
}

// tail95 is the share of either side of a two-sided interval of 95 %.
const tail95 = 0.025

// comparison is the metric of an entrant beside that of another one on the same blocks.
type comparison struct {
	own      []entry.Evidence // of the first, against each opponent
	games    int64
	mean     entry.Mean
	seed     uint64
	from, to int64
	other    float64 // the second's metric
	gain, se float64 // of the first, more being better
	least    int64   // different blocks, see fewest
	silent   string  // why nothing is known, empty where something is
}

// play plays the first's blocks.
func (p *metricPlan) play(ctx context.Context, e arena.Entrant, seed uint64, from, to int64) (comparison, error) {
	s := p.core.setup
	c := comparison{seed: seed, from: from, to: to, games: s.ReferenceGames(to - from)}
	var err error
	if c.own, err = p.core.games.play(ctx, e, nil, nil, seed, arena.Validation, from, to); err != nil {
		return c, err
	}
	for _, one := range c.own {
		c.games += one.Games
	}
	c.least, c.mean = fewest(c.own), s.ValueOf(s.Proved(), c.own)
	return c, nil
}

// beside compares them with the blocks of another one or, of a relative metric, with the
// baseline in its place, whose ratio is 1.
func (p *metricPlan) beside(ctx context.Context, c *comparison, other arena.Entrant, relative bool) error {
	s := p.core.setup
	c.other, c.se = 1, c.mean.Error
	if !relative {
		against, err := p.core.games.play(ctx, other, nil, nil, c.seed, arena.Validation, c.from, c.to)
		if err != nil {
			return err
		}
		for _, e := range against {
			c.games += e.Games
		}
		c.least = min(c.least, fewest(against))
		mean := s.ValueOf(s.Proved(), against)
		c.other, c.se = mean.Value, math.Hypot(c.mean.Error, mean.Error)
	}
	if c.gain = c.mean.Value - c.other; !s.Proved().Maximize() {
		c.gain = -c.gain
	}
	switch {
	case c.least < 2:
		c.silent = "no information: all blocks are the same games: nothing is left to chance"
	case !(c.se > 0):
		c.silent = "no information: the blocks do not vary"
	}
	return nil
}

// compare compares two entrants by blocks that both play.
func (p *metricPlan) compare(ctx context.Context, one, other arena.Entrant, relative bool, seed uint64, from, to int64) (comparison, error) {
	c, err := p.play(ctx, one, seed, from, to)
	if errors.Is(err, tuner.ErrAwaited) && !relative { // the other's games are asked for at once
		if also := p.beside(ctx, &c, other, relative); also != nil && !errors.Is(also, tuner.ErrAwaited) {
			return c, also
		}
	}
	if err == nil {
		err = p.beside(ctx, &c, other, relative)
	}
	return c, err
}

// evidence returns the first's games against its first opponent, with the number of all games.
func (c *comparison) evidence() entry.Evidence {
	if len(c.own) == 0 {
		return entry.Evidence{}
	}
	e := c.own[0]
	e.Games = c.games
	return e
}

// verdict returns the comparison as a log has it; half is the half-width of the gain's
// interval.
func (c *comparison) verdict(goal *tuner.Objective, half float64) *entry.MetricVerdict {
	m := &entry.MetricVerdict{Name: goal.Name(), Winner: numeral.Finite(c.mean.Value), Baseline: numeral.Finite(c.other)}
	if c.least >= 2 {
		if m.Gain = numeral.Finite(c.gain); c.se > 0 {
			m.GainCI = &[2]float64{c.gain - half, c.gain + half}
		}
	}
	return m
}

// fewest returns the smallest number of different blocks against any opponent, where
// blocks repeat others; if none do, it is without bound.
func fewest(all []entry.Evidence) int64 {
	n := int64(math.MaxInt64)
	for i := range all {
		if d := all[i].Distinct; d > 0 {
			n = min(n, d)
		}
	}
	return n
}

// deviate returns how many standard errors a gain must lie above 0 at this alpha: the
// normal quantile, or, where blocks repeat others and so many are different,
// Student's. It takes at least two.
func deviate(distinct int64, alpha float64) float64 {
	if distinct == math.MaxInt64 {
		return distuv.UnitNormal.Quantile(1 - alpha)
	}
	return distuv.StudentsT{Sigma: 1, Nu: float64(distinct - 1)}.Quantile(1 - alpha)
}

// poolProof says how a winner stands against the members of the pool.
type poolProof struct{ core *core }

// prove plays the winner against each member of the pool on the validation's blocks
// and, if the spec asks for it, makes the outcome part of the verdict. If there are too few
// different blocks to say anything, it says nothing.
func (p *poolProof) prove(ctx context.Context, winner *tuner.Trial, opened entry.Attempt, v *entry.Validation) error {
	s := p.core.setup
	if s.Validation.PoolBlocks == 0 || v.Evidence.Blocks == 0 {
		return nil
	}
	test, err := stats.Group{
		Elo0: -s.Validation.PoolMargin, Elo1: 0, Seats: s.Ruleset.Seats, Alpha: opened.Alpha,
		Beta: s.Validation.Beta / float64(len(s.PoolEntrants)), MaxBlocks: s.Validation.PoolBlocks, Once: true,
	}.Prepare()
	if err != nil {
		return err
	}
	for i := range s.PoolEntrants {
		met, err := p.against(ctx, winner.Entrant(p.core.setup), s.PoolEntrants[i], opened.Seed, s.Validation.PoolBlocks)
		if err != nil {
			return err
		}
		m := entry.Member{Entrant: s.PoolEntrants[i].Canonical(), Evidence: met}
		if winner.Entrant(p.core.setup).Canonical() == m.Entrant {
			m.Standing, m.Reason = entry.NotWorse, "the winner itself"
		} else if why := p.core.repeated(met); why != "" {
			m.Standing, m.Reason = entry.Undecided, why
		} else {
			blocks := met.Sample(s.Ruleset.Seats)
			look, err := test.Judge(blocks)
			if err != nil {
				return err
			}
			switch {
			case look.Below >= look.Fail && blocks.Silent() == "":
				m.Standing = entry.Better
			case look.Verdict == stats.H1:
				m.Standing = entry.NotWorse
			default:
				m.Standing = entry.Undecided
			}
			e := blocks.Estimate()
			m.Reason = e.Reason
			m.Score, m.Elo = e.Score.Pointer(), e.Elo.Pointer()
			m.ScoreCI, m.EloCI = e.CI95.Ends(), e.EloCI.Ends()
		}
		v.Pool = append(v.Pool, m)
	}
	if s.Validation.Pool == tuner.NoneWorse {
		p.noneWorse(v)
	}
	return nil
}

// noneWorse makes the pool part of a verdict.
func (p *poolProof) noneWorse(v *entry.Validation) {
	var better, untold []string
	for _, m := range v.Pool {
		switch m.Standing {
		case entry.Better:
			better = append(better, m.Entrant)
		case entry.Undecided:
			untold = append(untold, m.Entrant)
		}
	}
	switch {
	case len(better) > 0 && v.Verdict != "fail":
		v.Verdict = "fail"
		v.Reason += "; of the pool, better than the winner: " + strings.Join(better, ", ")
	case len(untold) > 0 && v.Verdict == "pass":
		v.Verdict = "inconclusive"
		v.Reason += fmt.Sprintf("; of the pool, it cannot be told within %g Elo whether the winner is worse than %s", p.core.setup.Validation.PoolMargin, strings.Join(untold, ", "))
	}
}

// against plays blocks of the validation against one opponent.
func (p *poolProof) against(ctx context.Context, e, opponent arena.Entrant, seed uint64, blocks int64) (entry.Evidence, error) {
	series := p.core.setup.Series(e, opponent, seed, arena.Validation, 0, blocks)
	seen, err := p.core.games.sightings(ctx, series, nil)
	if err != nil {
		return entry.Evidence{}, err
	}
	tally, err := p.core.games.host.Play(ctx, series, func(r *arena.Run) error {
		p.core.meter.add(r)
		if seen != nil {
			seen.Add(r)
		}
		return nil
	})
	if err != nil {
		return entry.Evidence{}, err
	}
	out := entry.NewEvidence(series, tally)
	if seen != nil {
		out.SetDistinct(seen.Blocks())
	}
	return out, nil
}

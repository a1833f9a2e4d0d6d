package study

import (
	"context"
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
	base := s.BaselineEntrant
	if s.Baseline == "" {
		var err error
		if base, err = s.Candidate(-1, nil); err != nil {
			return v, err
		}
	}
	if winner.Entrant(p.core.setup).Canonical() == base.Canonical() {
		v.Reason = tuner.ItIsTheBaseline
		return v, nil
	}
	evidence, err := p.core.games.play(ctx, winner.Entrant(p.core.setup), nil, nil, opened.Seed, arena.Validation, 0, s.Validation.MaxBlocks)
	if err != nil {
		return v, err
	}
	v.Evidence = evidence[0]
	v.Evidence.Games = s.ReferenceGames(s.Validation.MaxBlocks)
	for _, e := range evidence {
		v.Evidence.Games += e.Games
	}
	for _, e := range evidence {
		if why := p.core.repeated(e); why != "" {
			v.Reason = why
			return v, nil
		}
	}
	least := fewest(evidence)
	mean := s.ValueOf(goal, evidence)
	gain, se := mean.Value-1, mean.Error
	v.Metric = &entry.MetricVerdict{Name: goal.Name(), Winner: numeral.Finite(mean.Value), Baseline: numeral.Finite(1)}
	if !goal.Relative {
		against, err := p.core.games.play(ctx, base, nil, nil, opened.Seed, arena.Validation, 0, s.Validation.MaxBlocks)
		if err != nil {
			return v, err
		}
		for _, e := range against {
			v.Evidence.Games += e.Games
		}
		least = min(least, fewest(against))
		other := s.ValueOf(goal, against)
		gain, se = mean.Value-other.Value, math.Hypot(mean.Error, other.Error)
		v.Metric.Baseline = numeral.Finite(other.Value)
	}
	if !goal.Maximize() {
		gain = -gain
	}
	if least < 2 {
		v.Reason = "no information: all blocks are the same games: nothing is left to chance"
		return v, nil
	}
	half := deviate(least, opened.Alpha) * se
	v.Metric.Gain, v.Metric.GainCI = numeral.Finite(gain), &[2]float64{gain - half, gain + half}
	switch {
	case !(se > 0):
		v.Metric.GainCI = nil
		v.Reason = "no information: the blocks do not vary"
	case gain-half > 0:
		v.Verdict = "pass"
	case gain+half < 0:
		v.Verdict = "fail"
	}
	if v.Reason == "" {
		v.Reason = fmt.Sprintf("gain in %s %s +- %s over %d blocks", goal.Name(), tuner.LogText(gain), tuner.LogText(half), mean.Blocks)
	}
	withinLimits(p.core.setup, &v, s.Estimate(evidence))
	return v, nil
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
	if v.Verdict != "pass" {
		v.EloGivenPass = nil
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
	out := entry.NewEvidence(tally)
	if seen != nil {
		out.SetDistinct(seen.Blocks())
	}
	return out, nil
}

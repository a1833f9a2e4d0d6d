package study

import (
	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/numeral"
	"sakusen/tuner/stats"
)

// result gathers what the log says.
func (st *Study) result(winner *tuner.Trial, v *entry.Validation) *tuner.Result {
	r := &tuner.Result{
		Study: st.Setup.Name, State: "done", Sampler: st.Setup.Sampler.Name,
		Trials: len(st.trials), Games: st.Games(), Advice: st.advise(winner),
		Digest: entry.Digest(st.journal.entries), Begun: st.begun.report(),
	}
	r.Notes = notes(r.Advice)
	if st.recorded != "" {
		r.Class, r.Why = tuner.ClassRecorded, st.recorded
	}
	if winner != nil {
		r.Best = st.claim(winner)
	}
	if st.Setup.Pareto() {
		r.Front = st.frontier(winner)
	}
	if st.Setup.Evaluate != nil {
		for _, f := range st.finals {
			r.Hall = append(r.Hall, tuner.Fame{Trial: f.Trial.Number, Score: numeral.Finite(f.Estimate.Value), Error: numeral.Finite(f.Estimate.Error)})
		}
	}
	r.DuelResolution = duelResolution(st)
	if v == nil {
		return r
	}
	r.Games += v.Evidence.Games
	r.Validation = &tuner.ValidationReport{
		Score: v.Score, Elo: v.Elo, CI95: v.EloCI, Blocks: v.Evidence.Blocks, Attempt: v.Attempt,
		Verdict: v.Verdict, Reason: v.Reason, ScoreCI: v.ScoreCI, Alpha: v.Alpha, Metric: v.Metric,
		Distinct: v.Evidence.Effective(), Test: v.Test, Given: v.Given, About: v.About, Replayed: st.replayed, Pairs: v.Pairs,
	}
	if v.Metric == nil {
		blocks := blocksOf(st.Setup, v.Evidence)
		blocks.Placed = v.Pairs
		r.Validation.Resolution = resolution(blocks)
	}
	for _, m := range v.Pool {
		r.Games += m.Evidence.Games
		r.Validation.Pool = append(r.Validation.Pool, tuner.Standing{
			Entrant: m.Entrant, Standing: m.Standing, Reason: m.Reason, Score: m.Score, Elo: m.Elo, CI95: m.EloCI,
			Blocks: m.Evidence.Blocks, Distinct: m.Evidence.Effective(),
		})
	}
	if seen := []entry.Evidence{v.Evidence}; st.Setup.Pareto() && st.Setup.Fits(seen) { // a baseline that wins is not played
		est := st.Setup.Estimate(seen)
		r.Validation.Objectives = goalValues(st.Setup, est.Goals)
	}
	r.Validation.Shrinkage = st.shrinkage(r.Best, v)
	return r
}

// shrinkage is by how much the search overestimated its answer: above 0 if the validated
// value is the worse one.
func (st *Study) shrinkage(b *tuner.Best, v *entry.Validation) *float64 {
	switch {
	case b == nil:
		return nil
	case v.Elo != nil && b.Claimed.Elo != nil:
		return numeral.Finite(*b.Claimed.Elo - *v.Elo)
	case v.Metric == nil || v.Metric.Winner == nil || b.Value == nil:
		return nil
	case st.Setup.Proved().Maximize():
		return numeral.Finite(*b.Value - *v.Metric.Winner)
	}
	return numeral.Finite(*v.Metric.Winner - *b.Value)
}

// claim is what the search says of a trial.
func (st *Study) claim(t *tuner.Trial) *tuner.Best {
	b := &tuner.Best{
		Trial: t.Number, Params: t.Params.Map(), Values: t.Entrant.Params,
		Value: numeral.Finite(t.Estimate.Value), Error: numeral.Finite(t.Estimate.Error),
	}
	if st.Setup.Ruleset.Game.Outside(t.Entrant.Strategy) {
		b.Entrant = t.Entrant.Canonical()
	}
	if st.answered != nil && st.answered.Trial == t.Number {
		b.Value, b.Error = st.answered.Value, st.answered.Error
		if st.Setup.Objective.Of == "score" && b.Value != nil {
			b.Claimed = tuner.Claim{Score: b.Value, Elo: numeral.Finite(stats.Elo(*b.Value, st.Setup.Ruleset.Seats))}
		}
		return b
	}
	if st.Setup.Evaluate != nil {
		// Its score in its own pool says nothing here; the final has one common opponent.
		b.Value, b.Error = nil, nil
		for _, f := range st.finals {
			if f.Trial == t {
				b.Value, b.Error = numeral.Finite(f.Estimate.Value), numeral.Finite(f.Estimate.Error)
			}
		}
		if b.Value != nil {
			b.Claimed = tuner.Claim{Score: b.Value, Elo: numeral.Finite(stats.Elo(*b.Value, st.Setup.Ruleset.Seats))}
		}
		return b
	}
	if st.Setup.Pareto() {
		b.Objectives = goalValues(st.Setup, t.Estimate.Goals)
		at := b.Objectives[st.Setup.ProvedAt()]
		b.Value, b.Error = at.Value, at.Error
	}
	if st.Setup.Proved().Of == "score" {
		// Against the baseline alone, as in the validation.
		score := t.Evidence[0].Score(st.Setup.Ruleset.Seats).Value
		b.Claimed = tuner.Claim{Score: numeral.Finite(score), Elo: numeral.Finite(stats.Elo(score, st.Setup.Ruleset.Seats))}
	}
	return b
}

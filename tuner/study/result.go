package study

import (
	"context"
	"fmt"
	"math"

	"sakusen/engines/arena"
	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/insight"
	"sakusen/tuner/numeral"
	"sakusen/tuner/stats"
)

// result gathers what the log says, and what it tells people.
func (st *Study) result(ctx context.Context, winner *tuner.Trial, verdict *entry.Validation) (*tuner.Result, error) {
	seen := st.seen()
	r := st.facts(seen, winner, verdict)
	r.Unplayed = st.unplayed(r.Games, winner, verdict)
	var err error
	if r.Parameters, err = st.known(ctx, winner); err != nil {
		if ctx.Err() != nil {
			return nil, err
		}
		r.Advice = append(r.Advice, tuner.Advice{Level: tuner.Warning, Text: fmt.Sprintf("sampler %s says nothing of the parameters: %v", st.setup.Sampler.Name, err)})
	}
	insight.Qualify(r, st.setup, winner)
	r.Notes = []string{}
	for _, a := range r.Advice {
		r.Notes = append(r.Notes, a.String())
	}
	if r.Common, err = seen.Common(ctx); err != nil {
		return nil, err
	}
	if r.FrontBaseline, err = st.opposite(ctx, winner, verdict); err != nil {
		return nil, err
	}
	r.Worth = seen.Worth(r.Common, verdict)
	r.Rivals, err = seen.Rivals(ctx, winner)
	return r, err
}

// seen returns what the study has seen, as package insight takes it.
func (st *Study) seen() *insight.Search {
	return &insight.Search{
		Setup: st.setup, Answers: st.sampler.answers, Trials: st.search.trials, Finals: st.search.finals, Duels: st.search.duels,
		Batches: st.search.batches, Members: st.search.members(), Tried: len(st.search.byValues), Values: st.games.values,
	}
}

// facts returns the result as far as it follows from the log alone.
func (st *Study) facts(seen *insight.Search, winner *tuner.Trial, v *entry.Validation) *tuner.Result {
	r := &tuner.Result{
		Study: st.setup.Name, State: "done", Sampler: st.setup.Sampler.Name,
		Trials: len(st.search.trials), Games: st.total(), Advice: seen.Advise(winner),
		Digest: st.log.digest.Sum(), Begun: st.search.begun.report(),
	}
	if st.setup.Baseline != "" {
		r.Baseline = st.setup.Ruleset.Brief(st.setup.BaselineEntrant)
	}
	if st.games.recorded != "" {
		r.Class, r.Why = tuner.ClassRecorded, st.games.recorded
	}
	if winner != nil {
		r.Best = st.claim(winner)
	}
	if st.setup.Pareto() {
		r.Front = seen.Front(winner)
	}
	if st.setup.Evaluate != nil {
		for _, f := range st.search.finals {
			r.Hall = append(r.Hall, tuner.Fame{Trial: f.Trial.Number, Score: numeral.Finite(f.Estimate.Value), Error: numeral.Finite(f.Estimate.Error)})
		}
	}
	r.DuelResolution = seen.DuelResolution()
	r.Faults = st.faults(winner, v)
	if v == nil {
		return r
	}
	later, setBack, defaults := tuner.Afterwards(st.search.defaults, st.after.estimate, st.after.setBack)
	r.Games += v.Evidence.Games + st.after.games()
	r.Validation = &tuner.ValidationReport{
		Score: v.Score, Elo: v.Elo, CI95: v.EloCI, Blocks: v.Evidence.Blocks, Attempt: v.Attempt,
		Verdict: v.Verdict, Reason: v.Reason, ScoreCI: v.ScoreCI, Alpha: v.Alpha, Metric: v.Metric,
		Distinct: v.Evidence.Effective(), Test: v.Test, About: v.About, Replayed: st.proof.replayed, Pairs: v.Pairs,
	}
	if v.Metric == nil {
		blocks := v.Evidence.Sample(st.setup.Ruleset.Seats)
		blocks.Placed = v.Pairs
		r.Validation.Resolution = insight.Resolution(blocks)
	}
	for i, m := range v.Pool {
		r.Games += m.Evidence.Games
		r.Validation.Pool = append(r.Validation.Pool, tuner.Standing{
			Entrant: m.Entrant, Name: st.setup.Ruleset.Brief(st.setup.PoolEntrants[i]), Standing: m.Standing, Reason: m.Reason, Score: m.Score, Elo: m.Elo, CI95: m.EloCI,
			Blocks: m.Evidence.Blocks, Distinct: m.Evidence.Effective(),
		})
	}
	if seen := []entry.Evidence{v.Evidence}; st.setup.Fits(seen) { // a baseline that wins is not played
		est := st.setup.Estimate(seen)
		if st.setup.Pareto() {
			r.Validation.Objectives = insight.GoalValues(st.setup, est.Goals)
		}
		r.Validation.Limits = st.setup.Objective.LimitValues(&est)
	}
	if most := st.setup.RulesetOf(arena.Validation).Supply(arena.Validation); v.Verdict == "pass" {
		r.Validation.Exhausted = most > 0 && st.after.from(v) >= most
	}
	r.Validation.Estimate, r.SetBack, r.Defaults = later, setBack, defaults
	if defaults == nil {
		r.Defaults = r.DefaultsSetBack(st.setup.Spec)
	}
	r.Validation.Shrinkage = st.shrinkage(r.Best, r.Validation)
	return r
}

// opposite returns the baseline's values of several objectives, by its side of the validation's
// games; nil where it has none. Its score and its ratios to itself are known without games.
func (st *Study) opposite(ctx context.Context, winner *tuner.Trial, v *entry.Validation) ([]tuner.GoalValue, error) {
	s := st.setup
	if !s.Pareto() || s.Baseline == "" || len(s.Pool) > 0 || v == nil || v.Played == nil {
		return nil, nil
	}
	series := s.Series(winner.Entrant(s), s.BaselineEntrant, v.Played.Seed, arena.Validation, 0, v.Evidence.Blocks)
	tally := arena.NewTally(s.Ruleset.Seats, len(s.Ruleset.Components))
	if err := st.games.again(ctx, series, func(r *arena.Run) error { tally.Add(r); return nil }); err != nil || tally.Blocks == 0 {
		return nil, err
	}
	tally.Entrants[0] = tally.Entrants[1]
	values := s.Estimate([]entry.Evidence{entry.NewEvidence(series, tally)}).Goals
	for i, g := range s.Objective.Goals() {
		if g.Of == "score" || g.Relative {
			values[i] = entry.Mean{Value: 1, Error: math.NaN()}
		}
		if g.Of == "score" {
			values[i].Value /= float64(s.Ruleset.Seats)
		}
	}
	return insight.GoalValues(s, values), nil
}

// faults returns the games with a fault of a player, as far as the log tells them: generations
// that play themselves have built-in players, which make none.
func (st *Study) faults(winner *tuner.Trial, v *entry.Validation) (out []tuner.FaultsOf) {
	by := map[string]*tuner.FaultsOf{}
	add := func(player string, games int64, counts entry.FaultCounts) {
		if by[player] == nil {
			by[player] = &tuner.FaultsOf{Player: player}
		}
		by[player].Games += games
		by[player].Faults.Add(counts)
	}
	met := func(own, other string, e *entry.Evidence) {
		f := e.Faults
		if f == nil {
			f = &entry.Faults{}
		}
		add(own, e.Games, f.Own)
		add(other, e.Games, f.Others)
	}
	each := func(player string, all []entry.Evidence) { // against each opponent
		for i := range all {
			other := tuner.OtherOpponents
			if i == 0 && st.setup.Baseline != "" {
				other = tuner.TheBaseline
			}
			met(player, other, &all[i])
		}
	}
	if s := st.search; st.setup.Duels {
		add(tuner.TheCandidates, s.duelGames, nil)
		if f := s.duelFaults; f != nil {
			add(tuner.TheCandidates, 0, f.Own)
			add(tuner.TheCandidates, 0, f.Others)
		}
	}
	of := func(t *tuner.Trial) string {
		if t == winner {
			return tuner.TheAnswer
		}
		return tuner.TheCandidates
	}
	for _, t := range st.search.trials {
		if st.setup.Evaluate == nil {
			each(of(t), t.Evidence)
		}
	}
	for i := range st.search.finals {
		each(of(st.search.finals[i].Trial), st.search.finals[i].Evidence)
	}
	if a := st.search.answered; a != nil && (winner == nil || a.Trial != winner.Number) {
		each(tuner.TheCandidates, a.Evidence)
	} else if a != nil {
		each(tuner.TheAnswer, a.Evidence)
	}
	if d := st.search.defaults; d != nil {
		met(tuner.TheCandidates, tuner.TheCandidates, &entry.Evidence{Faults: d.Evidence.Faults})
		add(tuner.TheCandidates, d.Evidence.Games, nil)
	}
	if v != nil {
		each(tuner.TheAnswer, []entry.Evidence{v.Evidence})
		for i := range v.Pool {
			met(tuner.TheAnswer, tuner.OtherOpponents, &v.Pool[i].Evidence)
		}
		if e := st.after.estimate; e != nil {
			each(tuner.TheAnswer, []entry.Evidence{e.Evidence})
		}
		for i := range st.after.setBack {
			met(tuner.TheAnswer, tuner.TheCandidates, &st.after.setBack[i].Evidence)
		}
	}
	for _, player := range []string{tuner.TheAnswer, tuner.TheBaseline, tuner.TheCandidates, tuner.OtherOpponents} {
		if f := by[player]; f != nil && len(f.Faults) > 0 {
			out = append(out, *f)
		}
	}
	return out
}

// shrinkage returns by how much the search overestimated its answer: above 0 if the value to
// quote is the worse one.
func (st *Study) shrinkage(b *tuner.Best, v *tuner.ValidationReport) *float64 {
	_, elo, _ := v.Quoted()
	m := v.QuotedMetric()
	switch {
	case b == nil:
		return nil
	case elo != nil && b.Claimed.Elo != nil:
		return numeral.Finite(*b.Claimed.Elo - *elo)
	case m == nil || m.Winner == nil || b.Value == nil:
		return nil
	case st.setup.Proved().Maximize():
		return numeral.Finite(*b.Value - *m.Winner)
	}
	return numeral.Finite(*m.Winner - *b.Value)
}

// claim returns what the search says of a trial.
func (st *Study) claim(t *tuner.Trial) *tuner.Best {
	e := t.Entrant(st.setup)
	b := &tuner.Best{
		Trial: t.Number, Params: t.Params.Values().Map(), Values: e.Params,
		Value: numeral.Finite(t.Estimate.Value), Error: numeral.Finite(t.Estimate.Error),
	}
	if st.setup.Ruleset.Game.Outside(e.Strategy) {
		b.Entrant = e.Canonical()
	}
	if d := st.search.defaults; d != nil && d.Won {
		b.Value, b.Error = nil, nil // the search claims nothing of what beat its answer
		return b
	}
	if st.search.answered != nil && st.search.answered.Trial == t.Number {
		b.Value, b.Error = st.search.answered.Value, st.search.answered.Error
		if st.setup.Objective.Of == "score" && b.Value != nil {
			b.Claimed = tuner.Claim{Score: b.Value, Elo: numeral.Finite(stats.Elo(*b.Value, st.setup.Ruleset.Seats))}
		}
		return b
	}
	if st.setup.Evaluate != nil || st.search.answered != nil {
		// Its score in its own pool, or on the few games of a trial of a model's search, says nothing
		// here; the final has one common opponent.
		b.Value, b.Error = nil, nil
		for _, f := range st.search.finals {
			if f.Trial == t {
				b.Value, b.Error = numeral.Finite(f.Estimate.Value), numeral.Finite(f.Estimate.Error)
			}
		}
		if b.Value != nil && st.setup.Objective.Of == "score" {
			b.Claimed = tuner.Claim{Score: b.Value, Elo: numeral.Finite(stats.Elo(*b.Value, st.setup.Ruleset.Seats))}
		}
		return b
	}
	if st.setup.Pareto() {
		b.Objectives = insight.GoalValues(st.setup, t.Estimate.Goals)
		at := b.Objectives[st.setup.ProvedAt()]
		b.Value, b.Error = at.Value, at.Error
	}
	if st.setup.Proved().Of == "score" {
		// Against the baseline alone, as in the validation.
		score := t.Evidence[0].Score(st.setup.Ruleset.Seats).Value
		b.Claimed = tuner.Claim{Score: numeral.Finite(score), Elo: numeral.Finite(stats.Elo(score, st.setup.Ruleset.Seats))}
	}
	return b
}

// known returns what the search's model knows of each parameter about a trial.
func (st *Study) known(ctx context.Context, winner *tuner.Trial) ([]tuner.Known, error) {
	e, ok := st.sampler.proposer.(tuner.Explainer)
	if !ok {
		e, ok = st.explains, st.explains != nil
	}
	if !ok || winner == nil || st.setup.Objective.Of != "score" || st.setup.Evaluate != nil {
		return nil, nil
	}
	view, err := st.asker.view()
	if err != nil {
		return nil, nil
	}
	at := st.setup.Tune.Params.Shown(winner.Params.Values())
	return consult(ctx, st.sampler, "what it knows of each parameter", func() ([]tuner.Known, error) { return e.Explain(view, at), nil })
}

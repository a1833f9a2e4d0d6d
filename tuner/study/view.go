package study

import (
	"slices"

	"sakusen/tuner"
)

// view is what the proposer may know now.
func (st *Study) view() (*tuner.View, error) {
	s := st.Setup
	whole := s.Tune.Params
	space, still := whole.Searched(s.Tune.Fix)
	v := &tuner.View{
		Space: space, Fixed: still, Maximize: s.Maximize() || s.Pareto(),
		Baseline: s.BaselinePoint(), Left: st.left.done, Observed: st.begun.withObserved(st.observed), Duels: st.begun.withDuels(st.duels),
		Begun: len(st.begun.trials),
		Plan: tuner.Plan{
			Games: s.Budget.Games - s.Reserved(st.answers) - st.proofs, Played: st.searchGames(), Begun: st.begun.games, Trials: s.Budget.Trials,
			BlockGames: s.BlockGames(), Blocks: s.Race.Rungs[len(s.Race.Rungs)-1], Batch: s.Sampler.Batch, Flight: s.Sampler.InFlight(), Duels: s.Duels,
		},
	}
	if s.Objective.Of == "score" {
		v.Seats = s.Ruleset.Seats
		v.Pinned = v.Baseline != nil && len(s.Opponents()) == 1 && s.Evaluate == nil
	}
	trials := append(slices.Clip(st.begun.trials), told(st)...)
	shrunk, err := st.learned(trials)
	if err != nil {
		return nil, err
	}
	for i, t := range trials {
		if st.Setup.Evaluate != nil {
			shrunk[i] = t.Estimate.Value // compared inside its pool only
		}
		v.Told = append(v.Told, tuner.Told{
			Number: i, Draw: t.Draw, Batch: t.Batch, Params: t.Params, Proposed: t.Proposed,
			Value: shrunk[i], Noise: t.Estimate.Error, Blocks: t.Blocks(),
		})
	}
	if len(space) < len(whole) {
		v.Baseline = whole.Shown(v.Baseline)
		for i := range v.Told {
			t := &v.Told[i]
			t.Params, t.Proposed = whole.Shown(t.Params), whole.Shown(t.Proposed)
		}
	}
	for _, b := range st.flying {
		v.Out = append(v.Out, tuner.Out{Batch: b.number, Draws: b.draws})
	}
	return v, nil
}

// told are the trials of batches that are not in flight: the first by number.
func told(st *Study) []*tuner.Trial {
	if len(st.flying) > 0 {
		return st.trials[:st.flying[0].known]
	}
	return st.trials
}

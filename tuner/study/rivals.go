package study

import (
	"context"
	"math"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"sakusen/engines/arena"
	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/numeral"
	"sakusen/tuner/stats"
)

// rivalLevel is the chance that the truly best candidate is not among those named.
const rivalLevel = 0.05

// rivals compares the finalists or, without a final, the trials that passed every
// rung. It is nil if the answer is a model's, or if candidates are not compared by one
// mean on blocks that they share.
func rivals(ctx context.Context, st *Study, winner *tuner.Trial) (*tuner.Rivals, error) {
	if winner == nil || st.Setup.Pareto() || st.Setup.Objective.Over != "mean" {
		return nil, nil
	}
	phase, blocks := arena.Final, st.Setup.Final.Blocks
	evidence := blocks // different ones, of the candidate that repeats most
	var trials []*tuner.Trial
	for _, f := range st.finals {
		if !f.Estimate.Feasible || math.IsNaN(f.Estimate.Value) {
			continue
		}
		trials = append(trials, f.Trial)
		for i := range f.Evidence {
			evidence = min(evidence, f.Evidence[i].Effective())
		}
	}
	if len(st.finals) == 0 {
		if st.answers || st.Setup.Evaluate != nil || st.Setup.Duels || st.Setup.Race.Fresh() {
			return nil, nil
		}
		phase, blocks = arena.Tune, st.Setup.Race.Rungs[len(st.Setup.Race.Rungs)-1]
		for _, t := range st.trials {
			if t.State == entry.TrialComplete && t.Blocks() >= blocks && t.Estimate.Feasible && !math.IsNaN(t.Estimate.Value) {
				trials = append(trials, t)
			}
		}
		st.rank(trials)
		trials = trials[:min(len(trials), mostCommon)]
		evidence = different(trials, blocks)
	}
	if len(trials) < 2 {
		return nil, nil
	}
	rows := make([][]float64, len(trials))
	for i, t := range trials {
		var err error
		if rows[i], err = st.values(ctx, phase, t, 0, blocks); err != nil {
			return nil, err
		}
	}
	out := &tuner.Rivals{Compared: len(trials), Blocks: blocks, Alike: []tuner.Rival{}}
	best, own := 0, -1
	means := make([]float64, len(rows))
	for i, row := range rows {
		if means[i] = stat.Mean(row, nil); means[i] > means[best] {
			best = i
		}
		if trials[i] == winner {
			own = i
		}
	}
	if own < 0 {
		return nil, nil
	}
	for i, t := range trials {
		if i != own && mayBeBest(rows[best], rows[i], evidence, len(rows)-1) {
			out.Alike = append(out.Alike, tuner.Rival{Trial: t.Number, Params: t.Params.Map(),
				Behind: means[own] - means[i], Elo: eloBehind(st.Setup, means[own], means[i])})
		}
	}
	return out, nil
}

// mayBeBest tells whether a row lies behind the best one of so many others by no more
// than chance explains; evidence is the number of different blocks in them.
func mayBeBest(best, row []float64, evidence int64, others int) bool {
	differences := make([]float64, len(row))
	for i := range row {
		differences[i] = best[i] - row[i]
	}
	mean, sd := stat.MeanStdDev(differences, nil)
	if evidence < 2 || !(sd > 0) {
		return mean <= 0
	}
	t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(evidence - 1)}
	return mean <= t.Quantile(1-rivalLevel/float64(others))*sd/math.Sqrt(float64(evidence))
}

// eloBehind is the difference of two mean scores in Elo, nil of a metric.
func eloBehind(s *tuner.Setup, a, b float64) *float64 {
	if goals := s.Objective.Goals(); goals[0].Of != "score" {
		return nil
	}
	return numeral.Finite(stats.Elo(a, s.Ruleset.Seats) - stats.Elo(b, s.Ruleset.Seats))
}

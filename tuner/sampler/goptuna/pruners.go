package goptuna

import (
	"maps"
	"slices"

	"github.com/c-bata/goptuna"

	"sakusen/tuner/rating"
)

// The racing rules of a study as Goptuna pruners, for trials that plain Goptuna
// runs: pass one with goptuna.StudyOptionPruner and ask trial.ShouldPrune after
// each reported value. A study file's race uses the same rules of tuner/rating,
// but inside a batch, where nothing depends on who finished first.
var (
	_ goptuna.Pruner = HalvingPruner{}
	_ goptuna.Pruner = FriedmanPruner{}
	_ goptuna.Pruner = ChallengePruner{}
)

// ChallengePruner stops a trial that is significantly behind the best complete
// one on the blocks that both have met. The value reported at step b is that of
// block b alone, and all trials meet the same blocks. Of trials as good as the
// best at most Alpha are stopped, over all looks together, if the blocks did not
// choose it; see rating.Challenge.
type ChallengePruner struct {
	Alpha  float64 // inside (0, 1/2]
	Blocks int     // of a trial at full length: where the test sees most
}

// Prune implements goptuna.Pruner.
func (p ChallengePruner) Prune(study *goptuna.Study, trial goptuna.FrozenTrial) (bool, error) {
	test, err := rating.NewChallenge(p.Alpha, int64(p.Blocks))
	if err != nil {
		return false, err
	}
	trials, err := study.GetTrials()
	if err != nil {
		return false, err
	}
	up := study.Direction() == goptuna.StudyDirectionMaximize
	var best *goptuna.FrozenTrial
	for i := range trials {
		t := &trials[i]
		if t.ID == trial.ID || t.State != goptuna.TrialStateComplete {
			continue
		}
		if best == nil || t.Value != best.Value && (t.Value > best.Value) == up {
			best = t
		}
	}
	if best == nil {
		return false, nil
	}
	rows := common(up, trial, *best)
	paired, err := rating.NewPaired(rows[0], rows[1])
	if err != nil {
		return false, err
	}
	look, err := test.Judge(paired)
	return look.Stop, err
}

// common is the values of the steps that all trials have, in order, more being
// better.
func common(up bool, trials ...goptuna.FrozenTrial) [][]float64 {
	rows := make([][]float64, len(trials))
	for _, step := range slices.Sorted(maps.Keys(trials[0].IntermediateValues)) {
		if slices.ContainsFunc(trials, func(t goptuna.FrozenTrial) bool {
			_, has := t.IntermediateValues[step]
			return !has
		}) {
			continue
		}
		for i, t := range trials {
			x := t.IntermediateValues[step]
			if !up {
				x = -x
			}
			rows[i] = append(rows[i], x)
		}
	}
	return rows
}

// FriedmanPruner stops a trial that is significantly worse than the best of those
// with as many blocks, by Friedman's test and Conover's comparison. The value
// reported at step b is that of block b alone. Level is that of one look: over
// all looks the best trial is stopped more often.
type FriedmanPruner struct {
	Level float64 // inside (0, 1); irace's default is .05
	First int     // blocks before which nobody is stopped; irace's default is 5
}

// Prune implements goptuna.Pruner.
func (p FriedmanPruner) Prune(study *goptuna.Study, trial goptuna.FrozenTrial) (bool, error) {
	trials, err := study.GetTrials()
	if err != nil {
		return false, err
	}
	in := []goptuna.FrozenTrial{trial}
	for _, t := range trials {
		if t.ID != trial.ID && has(t, trial) {
			in = append(in, t)
		}
	}
	if len(in) < 2 {
		return false, nil
	}
	columns := common(study.Direction() == goptuna.StudyDirectionMaximize, in...)
	rows := make([][]float64, len(columns[0]))
	if len(rows) == 0 {
		return false, nil
	}
	for b := range rows {
		for _, c := range columns {
			rows[b] = append(rows[b], c[b])
		}
	}
	race, err := rating.FRace(rows, p.Level, p.First)
	if err != nil {
		return false, err
	}
	return !race.Keep[0], nil
}

// has tells whether a trial has met all blocks of another.
func has(t, of goptuna.FrozenTrial) bool {
	for step := range of.IntermediateValues {
		if _, ok := t.IntermediateValues[step]; !ok {
			return false
		}
	}
	return true
}

// HalvingPruner stops a trial that is not among the better share of all that have
// reached its rung so far. The value reported at step n is the mean of the first
// n blocks. It is the asynchronous form of halving, which depends on who comes
// first, and a rule for spending games: it claims no error rate. Source: L. Li et
// al., "A system for massively parallel hyperparameter tuning" (2020).
type HalvingPruner struct {
	Rungs []int   // blocks, ascending
	Keep  float64 // share that goes on, in (0, 1]
}

// Prune implements goptuna.Pruner.
func (p HalvingPruner) Prune(study *goptuna.Study, trial goptuna.FrozenTrial) (bool, error) {
	step, reported := trial.GetLatestStep()
	if !reported || !slices.Contains(p.Rungs, step) {
		return false, nil
	}
	trials, err := study.GetTrials()
	if err != nil {
		return false, err
	}
	up := study.Direction() == goptuna.StudyDirectionMaximize
	var reached []rating.Standing
	others := slices.DeleteFunc(slices.Clone(trials), func(t goptuna.FrozenTrial) bool { return t.ID == trial.ID })
	for _, t := range append(others, trial) {
		x, ok := t.IntermediateValues[step]
		if !ok {
			continue
		}
		if !up {
			x = -x
		}
		reached = append(reached, rating.Standing{Trial: t.Number, Score: x})
	}
	kept, err := rating.Halve(reached, p.Keep)
	return !slices.Contains(kept, trial.Number), err
}

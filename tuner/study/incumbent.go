package study

import (
	"context"
	"fmt"
	"math"

	"sakusen/tuner"
	"sakusen/tuner/entry"
)

// boundErrors is the number of standard errors by which an incumbent's bound
// lies under its mean.
const boundErrors = 1.96

// bound is the pessimistic end of a trial's interval.
func (st *Study) bound(t *tuner.Trial) float64 {
	e := t.Estimate.Error
	if math.IsNaN(e) {
		e = math.Inf(1)
	}
	if st.Setup.Maximize() {
		return t.Estimate.Value - boundErrors*e
	}
	return t.Estimate.Value + boundErrors*e
}

// best is the feasible complete trial with the best bound. All complete trials have played
// the blocks up to the last rung.
func (st *Study) best() *tuner.Trial {
	if n := len(st.pools); n > 0 {
		return st.champion(st.pools[n-1])
	}
	if st.Setup.Pareto() {
		complete, all := st.complete()
		if at := st.Setup.Choose(all); at >= 0 {
			return complete[at]
		}
		return nil
	}
	var best *tuner.Trial
	for _, t := range st.trials {
		if t.State != entry.TrialComplete || !t.Estimate.Feasible || math.IsNaN(t.Estimate.Value) {
			continue
		}
		if best == nil || st.bound(t) != st.bound(best) && (st.bound(t) > st.bound(best)) == st.Setup.Maximize() {
			best = t
		}
	}
	return best
}

// complete is the trials that passed every Rung, with their estimates.
func (st *Study) complete() ([]*tuner.Trial, []*tuner.Estimate) {
	var trials []*tuner.Trial
	var all []*tuner.Estimate
	for _, t := range st.trials {
		if t.State == entry.TrialComplete {
			trials, all = append(trials, t), append(all, &t.Estimate)
		}
	}
	return trials, all
}

// promote makes the best trial the incumbent and writes the change. Where the
// answer is a model's there is no incumbent: its trials are too short to rank.
func (st *Study) promote(ctx context.Context) error {
	if st.answers {
		return nil
	}
	best := st.best()
	if best == nil || best == st.incumbent {
		return nil
	}
	got, err := step(ctx, st.journal, entry.KindIncumbent, func() (entry.Incumbent, error) {
		b := st.bound(best)
		if math.IsInf(b, 0) {
			b = best.Estimate.Value // one block has no interval
		}
		return entry.Incumbent{Trial: best.Number, Blocks: best.Blocks(), Value: best.Estimate.Value, Bound: b}, nil
	}, nil)
	if err != nil {
		return err
	}
	if got.Trial != best.Number {
		return fmt.Errorf("the log promotes trial %d where trial %d is best: %w", got.Trial, best.Number, tuner.ErrOtherCode)
	}
	st.incumbent = best
	st.meter.incumbent(best)
	return nil
}

package study

import (
	"context"
	"fmt"
	"math"
	"sync"

	"sakusen/engines/arena"
	"sakusen/tuner"
	"sakusen/tuner/entry"
)

// final races the best few on new seeds, so that the luck which brought them here no longer
// counts, and returns the winner; nil if no trial is feasible.
func (st *Study) final(ctx context.Context) (*tuner.Trial, error) {
	trials := append([]*tuner.Trial(nil), st.trials...)
	if st.Setup.Evaluate != nil {
		trials = st.hall(max(1, st.Setup.Final.Top))
	} else {
		st.rank(trials)
	}
	n := 0
	for n < len(trials) && trials[n].Estimate.Feasible && !math.IsNaN(trials[n].Estimate.Value) {
		n++
	}
	trials = trials[:min(n, max(1, st.Setup.Final.Top))]
	if len(trials) < 2 || st.Setup.Final.Top < 2 || st.Setup.Final.Blocks == 0 {
		if len(trials) == 0 {
			return nil, nil
		}
		if st.Setup.Pareto() {
			return st.best(), nil
		}
		return trials[0], nil
	}
	st.meter.phase("final")
	evidence := make([][]entry.Evidence, len(trials))
	errs := make([]error, len(trials))
	logged := st.journal.logged(entry.KindFinal)
	var group sync.WaitGroup
	for i, t := range trials {
		if i < logged {
			continue
		}
		group.Add(1)
		go func() {
			defer group.Done()
			evidence[i], errs[i] = st.play(ctx, t.Entrant, nil, nil, st.Setup.TuneSeed(), arena.Final, 0, st.Setup.Final.Blocks)
		}()
	}
	group.Wait()
	var winner *tuner.Trial
	var best tuner.Estimate
	for i, t := range trials {
		got, err := step(ctx, st.journal, entry.KindFinal, func() (entry.Final, error) {
			return entry.Final{
				Trial: t.Number, Evidence: evidence[i],
				Played: entry.NewPlayed(arena.Final, st.Setup.TuneSeed(), 0, st.Setup.Final.Blocks),
			}, errs[i]
		}, nil)
		if err != nil {
			return nil, err
		}
		if got.Trial != t.Number {
			return nil, fmt.Errorf("the log has trial %d in the final where trial %d is due: %w", got.Trial, t.Number, tuner.ErrOtherCode)
		}
		est := st.Setup.Estimate(got.Evidence)
		st.finals = append(st.finals, Finalist{t, got.Evidence, est})
		if !est.Feasible || math.IsNaN(est.Value) {
			continue
		}
		if winner == nil || est.Value != best.Value && (est.Value > best.Value) == st.Setup.Maximize() {
			winner, best = t, est
		}
	}
	if st.Setup.Pareto() {
		all := make([]*tuner.Estimate, len(st.finals))
		for i := range st.finals {
			all[i] = &st.finals[i].Estimate
		}
		if winner = nil; st.Setup.Choose(all) >= 0 {
			winner = st.finals[st.Setup.Choose(all)].Trial
		}
	}
	return winner, nil
}

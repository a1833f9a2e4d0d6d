package study

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"sakusen/engines/arena"
	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/stats"
)

// race judges a batch on rungs of shared blocks. At each rung every trial that is still in
// plays the same blocks, and the better share goes on (Karnin, Koren and Somekh 2013,
// inside a batch). Halving is a rule for spending games; it claims no error rate. The test against
// the incumbent then stops those that are behind it; see challenge. A parameter set that
// was tried before is not raced again: its trial plays a first rung's blocks more, and so
// does the incumbent.
func (st *Study) race(ctx context.Context, b *batch) error {
	var in, again []*tuner.Trial
	for _, t := range b.trials {
		if t.State == entry.TrialRunning {
			in = append(in, t)
		} else {
			again = append(again, t)
		}
	}
	rungs := st.Setup.Race.Rungs
	first := st.firstBlock(b)
	incumbent := st.incumbent
	if !st.Setup.Race.Incumbent {
		incumbent = nil
	}
	if incumbent != nil && !st.Setup.Race.Fresh() && !slices.Contains(again, incumbent) {
		again = append(again, incumbent) // played again, so that luck which made it the incumbent wears off
	}
	replayed := int64(0) // blocks of this batch that the incumbent has met, if fresh
	if slices.Contains(again, incumbent) {
		replayed = rungs[0]
	}
	if err := st.climb(ctx, again, -1, first, func(*tuner.Trial) int64 { return rungs[0] }); err != nil {
		return err
	}
	for i, blocks := range rungs {
		if err := st.climb(ctx, in, i, first, func(t *tuner.Trial) int64 { return blocks - t.Blocks() }); err != nil {
			return err
		}
		for _, t := range in {
			t.Rung = i + 1
		}
		if i == len(rungs)-1 || st.Setup.Race.Method == "none" {
			continue
		}
		var err error
		if in, err = st.halve(in, blocks); err != nil {
			return err
		}
		if !st.challenged(incumbent, in, blocks) {
			continue
		}
		if st.Setup.Race.Fresh() {
			some := func(*tuner.Trial) int64 { return blocks - replayed }
			if err := st.climb(ctx, []*tuner.Trial{incumbent}, -1, first+replayed, some); err != nil {
				return err
			}
			replayed = blocks
		}
		if in, err = st.challenge(ctx, incumbent, in, i, first); err != nil {
			return err
		}
	}
	for _, t := range in {
		t.State = entry.TrialComplete
	}
	return nil
}

// halve stops the worse share of the trials and returns the others in number
// order. Infeasible trials lose to all others.
func (st *Study) halve(in []*tuner.Trial, blocks int64) ([]*tuner.Trial, error) {
	standings := make([]stats.Standing, len(in))
	scores := st.scores(in)
	for i, t := range in {
		standings[i] = stats.Standing{Trial: t.Number, Score: scores[i]}
	}
	kept, err := stats.Halve(standings, st.Setup.Race.Keep)
	if err != nil {
		return nil, err
	}
	var out []*tuner.Trial
	for _, t := range in {
		if slices.Contains(kept, t.Number) {
			out = append(out, t)
			continue
		}
		t.State, t.End = entry.TrialPruned, entry.Halved
		t.Reason = fmt.Sprintf("not among the better %g of its batch at %d blocks", st.Setup.Race.Keep, blocks)
		if !t.Estimate.Feasible {
			beyond(t, blocks)
		}
	}
	return out, nil
}

// firstBlock is the first block of a batch: 0 if all batches share their blocks, otherwise
// the first that no earlier batch has played.
func (st *Study) firstBlock(b *batch) int64 {
	if !st.Setup.Race.Fresh() {
		return 0
	}
	return int64(b.number) * st.Setup.Race.Rungs[len(st.Setup.Race.Rungs)-1]
}

// climb lets trials play more blocks, side by side, and writes their evidence in number
// order. n is the rung's index, -1 for more blocks of an earlier trial. first is the
// batch's first block; on shared blocks an earlier trial continues after its last one.
func (st *Study) climb(ctx context.Context, trials []*tuner.Trial, n int, first int64, more func(*tuner.Trial) int64) error {
	type answer struct {
		evidence []entry.Evidence
		err      error
	}
	answers, starts := make([]answer, len(trials)), make([]int64, len(trials))
	logged := st.journal.logged(entry.KindRung)
	var group sync.WaitGroup
	for i, t := range trials {
		from := first
		if n >= 0 || !st.Setup.Race.Fresh() {
			from += t.Blocks()
		}
		starts[i] = from
		st.met = max(st.met, from+more(t))
		if i < logged {
			continue // its entry is in the log
		}
		group.Add(1)
		go func() {
			defer group.Done()
			if a := st.ahead[t]; a != nil && n == 0 {
				<-a.done
				answers[i] = answer{a.evidence, a.err}
				return
			}
			e, err := st.play(ctx, t.Entrant, t.Evidence, st.played[t], st.Setup.TuneSeed(), arena.Tune, from, from+more(t))
			answers[i] = answer{e, err}
		}()
	}
	group.Wait()
	for i, t := range trials {
		got, err := step(ctx, st.journal, entry.KindRung, func() (entry.Rung, error) {
			return entry.Rung{
				Trial: t.Number, Rung: n, Blocks: t.Blocks() + more(t), Evidence: answers[i].evidence,
				Played: entry.NewPlayed(arena.Tune, st.Setup.TuneSeed(), starts[i], starts[i]+more(t)),
			}, answers[i].err
		}, st.report)
		if err != nil {
			return err
		}
		if got.Trial != t.Number || got.Rung != n {
			return fmt.Errorf("the log has rung %d of trial %d where rung %d of trial %d is due: %w",
				got.Rung, got.Trial, n, t.Number, tuner.ErrOtherCode)
		}
		st.played[t] = append(st.played[t], stretch{starts[i], starts[i] + more(t)})
		t.Evidence = got.Evidence
		t.Estimate = st.Setup.Estimate(t.Evidence)
		st.count()
	}
	return nil
}

// report writes a rung's value to the record. The record of a finished trial is closed, so
// its further blocks are in the log only.
func (st *Study) report(r entry.Rung, trials tuner.Trials) error {
	est := st.Setup.Estimate(r.Evidence)
	if r.Rung < 0 || math.IsNaN(est.Value) {
		return nil
	}
	return trials.Report(r.Trial, r.Blocks, est.Value)
}

// beyond marks a trial as stopped because it is outside a limit.
func beyond(t *tuner.Trial, blocks int64) {
	t.State, t.End = entry.TrialPruned, entry.Beyond
	t.Reason = fmt.Sprintf("outside the limits at %d blocks", blocks)
}

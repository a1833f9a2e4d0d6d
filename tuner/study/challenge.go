package study

import (
	"context"
	"fmt"

	"sakusen/engines/arena"
	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/stats"
)

// challenged tells whether at this rung there is a trial to compare with the incumbent, and
// enough blocks for it.
func (st *Study) challenged(incumbent *tuner.Trial, in []*tuner.Trial, blocks int64) bool {
	return incumbent != nil && len(in) > 0 && blocks >= stats.FewBlocks
}

// challenge stops the trials that are significantly behind the incumbent on shared blocks.
// stats.Challenge is the test, with its error over all looks; its power is greatest at the
// last look. first is the batch's first block.
func (st *Study) challenge(ctx context.Context, incumbent *tuner.Trial, in []*tuner.Trial, n int, first int64) ([]*tuner.Trial, error) {
	s := st.Setup
	test, err := stats.NewChallenge(s.Race.Alpha, s.Race.LastLook())
	if err != nil {
		return nil, err
	}
	got, err := step(ctx, st.journal, entry.KindCompare, func() (entry.Compare, error) { return st.compare(ctx, incumbent, in, n, first) }, nil)
	if err != nil {
		return nil, err
	}
	if got.Incumbent != incumbent.Number || got.Rung != n || len(got.Trials) != len(in) {
		return nil, fmt.Errorf("the log compares %d trials with trial %d at rung %d where %d trials with trial %d at rung %d are due: %w",
			len(got.Trials), got.Incumbent, got.Rung, len(in), incumbent.Number, n, tuner.ErrOtherCode)
	}
	var out []*tuner.Trial
	for i, t := range in {
		c := got.Trials[i]
		if c.Trial != t.Number {
			return nil, fmt.Errorf("the log compares trial %d where trial %d is due: %w", c.Trial, t.Number, tuner.ErrOtherCode)
		}
		look, err := test.Judge(c.Paired)
		if err != nil {
			return nil, fmt.Errorf("trial %d: %w: %w", t.Number, err, tuner.ErrOtherCode)
		}
		if !look.Stop {
			out = append(out, t)
			continue
		}
		t.State, t.End = entry.TrialPruned, entry.Behind
		t.Reason = fmt.Sprintf("behind the incumbent, trial %d: %s (alpha %g over all looks)", incumbent.Number, look.Reason, s.Race.Alpha)
	}
	return out, nil
}

// compare computes the differences on the shared blocks.
func (st *Study) compare(ctx context.Context, incumbent *tuner.Trial, in []*tuner.Trial, n int, first int64) (entry.Compare, error) {
	blocks := st.Setup.Race.Rungs[n]
	out := entry.Compare{Incumbent: incumbent.Number, Rung: n}
	best, err := st.values(ctx, arena.Tune, incumbent, first, blocks)
	if err != nil {
		return out, err
	}
	for _, t := range in {
		values, err := st.values(ctx, arena.Tune, t, first, blocks)
		if err != nil {
			return out, err
		}
		p, err := stats.NewPaired(values, best)
		if err != nil {
			return out, fmt.Errorf("trial %d: %w", t.Number, err)
		}
		out.Trials = append(out.Trials, entry.Compared{Trial: t.Number, Paired: p.Of(min(distinct(t, blocks), distinct(incumbent, blocks)))})
	}
	return out, nil
}

// distinct is how many of a trial's blocks count as evidence. It is taken from the
// opponent against whom the fewest different games were played.
func distinct(t *tuner.Trial, blocks int64) int64 {
	share := 1.0
	for i := range t.Evidence {
		if e := &t.Evidence[i]; e.Blocks > 0 {
			share = min(share, float64(e.Effective())/float64(e.Blocks))
		}
	}
	return max(1, int64(share*float64(blocks)))
}

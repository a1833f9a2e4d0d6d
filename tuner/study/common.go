package study

import (
	"context"

	"sakusen/engines/arena"
	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/stats"
)

// mostCommon bounds the candidates, and mostCommonBlocks the blocks of each, of
// which the correlation is measured: enough for two digits.
const (
	mostCommon       = 32
	mostFellows      = 8 // of each batch
	mostCommonBlocks = 1024
)

// common measures the correlation on the trials that passed every rung or, if there are
// fewer than two, on the first rung of all trials. It is nil if candidates share no blocks:
// pairs of trials, or a generation that plays itself.
func (st *Study) common(ctx context.Context) (*tuner.Common, error) {
	if st.Setup.Evaluate != nil || st.Setup.Duels || len(st.trials) == 0 {
		return nil, nil
	}
	rungs := st.Setup.Race.Rungs
	last := rungs[len(rungs)-1]
	if st.Setup.Race.Fresh() {
		return st.commonOf(ctx, st.fellows(), rungs[0], last)
	}
	trials, blocks := []*tuner.Trial{}, last
	for _, t := range st.trials {
		if t.State == entry.TrialComplete && t.Blocks() >= last {
			trials = append(trials, t)
		}
	}
	if len(trials) < 2 {
		trials, blocks = trials[:0], rungs[0]
		for _, t := range st.trials {
			if t.Blocks() >= blocks { // not a model's answer
				trials = append(trials, t)
			}
		}
	}
	return st.commonOf(ctx, [][]*tuner.Trial{trials[:min(len(trials), mostCommon)]}, min(blocks, mostCommonBlocks), 0)
}

// fellows are the first trials of each batch, the same number of each. If every batch has
// blocks of its own, only trials of one batch share blocks.
func (st *Study) fellows() [][]*tuner.Trial {
	batches := make([][]*tuner.Trial, st.batches)
	for _, t := range st.trials {
		if t.Batch < st.batches && t.Blocks() > 0 { // no model's answer
			batches[t.Batch] = append(batches[t.Batch], t)
		}
	}
	most := 0
	for _, b := range batches {
		most = max(most, min(len(b), mostFellows))
	}
	var out [][]*tuner.Trial
	for _, b := range batches {
		if len(b) >= most && most > 0 {
			out = append(out, b[:most])
		}
	}
	return out
}

// commonOf measures the correlation in groups of equally many trials, each group on blocks
// of its own; every is the distance between the first blocks of two groups.
func (st *Study) commonOf(ctx context.Context, groups [][]*tuner.Trial, blocks, every int64) (*tuner.Common, error) {
	groups = groups[:min(len(groups), int(max(1, mostCommonBlocks/blocks)))]
	if len(groups) == 0 {
		return nil, nil
	}
	trials := groups[0]
	for _, g := range groups { // games that repeat others would count twice
		blocks = min(blocks, max(2, different(g, blocks)))
	}
	rows := make([][]float64, len(trials))
	for _, g := range groups {
		for i, t := range g {
			row, err := st.values(ctx, arena.Tune, t, int64(t.Batch)*every, blocks)
			if err != nil {
				return nil, err
			}
			if row == nil {
				return &tuner.Common{Candidates: len(trials), Reason: "no information: not all games are kept"}, nil
			}
			mean := 0.0
			for _, x := range row {
				mean += x / float64(len(row))
			}
			for _, x := range row { // about the group's own mean: other groups have other means
				rows[i] = append(rows[i], x-mean)
			}
		}
	}
	shared, err := stats.NewSharedValues(rows)
	if err != nil {
		return nil, err
	}
	c := &tuner.Common{
		Candidates: shared.Candidates, Blocks: shared.Blocks, Correlation: shared.Correlation.Pointer(),
		CI95: shared.CI95.Ends(), VarianceSaved: shared.Correlation.Pointer(), Factor: shared.Factor.Pointer(),
	}
	switch {
	case len(trials) < 2:
		c.Reason = "no information: one candidate"
	case shared.Blocks < 2:
		c.Reason = "no information: one block"
	case c.Correlation == nil:
		c.Reason = "no information: the blocks do not vary"
	}
	return c, nil
}

// different is how many of so many blocks count as evidence if trials repeat their games.
// It goes by the trial that repeats most.
func different(trials []*tuner.Trial, blocks int64) int64 {
	least := blocks
	for _, t := range trials {
		for i := range t.Evidence {
			if e := &t.Evidence[i]; e.Distinct > 0 {
				least = min(least, max(1, blocks*e.Distinct/e.Blocks))
			}
		}
	}
	return least
}

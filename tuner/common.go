package tuner

import (
	"context"
	"fmt"

	"sakusen/engines/arena"

	"sakusen/tuner/entry"
	"sakusen/tuner/stats"
)

// Common is what common blocks were worth in a study: how far the candidates'
// results go together on the blocks that all of them met.
type Common struct {
	Candidates int `json:"candidates"`
	Blocks     int `json:"blocks"`
	// Correlation is that of two candidates' results on the same block, with its
	// 95 % interval. It is also VarianceSaved: the part of the variance of a
	// difference that blocks of their own would add. Factor is how many times the
	// games independent blocks would need to rank as well.
	Correlation   *float64    `json:"correlation"`
	CI95          *[2]float64 `json:"ci95"`
	VarianceSaved *float64    `json:"variance_saved"`
	Factor        *float64    `json:"factor"`
	// Reason says why the other fields are null, if they are.
	Reason string `json:"reason,omitempty"`
}

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
func (st *Study) common(ctx context.Context) (*Common, error) {
	if st.Setup.Evaluate != nil || st.Setup.Duels || len(st.trials) == 0 {
		return nil, nil
	}
	rungs := st.Setup.Race.Rungs
	last := rungs[len(rungs)-1]
	if st.Setup.Race.Fresh() {
		return st.commonOf(ctx, st.fellows(), rungs[0], last)
	}
	trials, blocks := []*Trial{}, last
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
	return st.commonOf(ctx, [][]*Trial{trials[:min(len(trials), mostCommon)]}, min(blocks, mostCommonBlocks), 0)
}

// fellows are the first trials of each batch, the same number of each. If every batch has
// blocks of its own, only trials of one batch share blocks.
func (st *Study) fellows() [][]*Trial {
	batches := make([][]*Trial, st.batches)
	for _, t := range st.trials {
		if t.Batch < st.batches && t.Blocks() > 0 { // no model's answer
			batches[t.Batch] = append(batches[t.Batch], t)
		}
	}
	most := 0
	for _, b := range batches {
		most = max(most, min(len(b), mostFellows))
	}
	var out [][]*Trial
	for _, b := range batches {
		if len(b) >= most && most > 0 {
			out = append(out, b[:most])
		}
	}
	return out
}

// commonOf measures the correlation in groups of equally many trials, each group on blocks
// of its own; every is the distance between the first blocks of two groups.
func (st *Study) commonOf(ctx context.Context, groups [][]*Trial, blocks, every int64) (*Common, error) {
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
				return &Common{Candidates: len(trials), Reason: "no information: not all games are kept"}, nil
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
	c := &Common{
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

// String tells it to people.
func (c *Common) String() string {
	if c.Correlation == nil {
		return c.Reason
	}
	text := fmt.Sprintf("%d candidates, %d blocks, correlation %.2f", c.Candidates, c.Blocks, *c.Correlation)
	if c.CI95 != nil {
		text += fmt.Sprintf(" [%.2f, %.2f]", c.CI95[0], c.CI95[1])
	}
	if c.CI95 != nil && c.CI95[0] <= 0 && c.CI95[1] >= 0 {
		return fmt.Sprintf("playing the same blocks made comparisons neither clearly sharper nor less sharp (%s)", text)
	}
	if *c.VarianceSaved < 0 {
		return fmt.Sprintf("playing the same blocks made comparisons less sharp: differences vary %.0f %% more (%s)", -100**c.VarianceSaved, text)
	}
	saved := fmt.Sprintf("differences vary %.0f %% less", 100**c.VarianceSaved)
	if c.Factor != nil {
		saved = fmt.Sprintf("as if there were %.2g times the games", *c.Factor)
	}
	return fmt.Sprintf("playing the same blocks made comparisons sharper, %s (%s)", saved, text)
}

// different is how many of so many blocks count as evidence if trials repeat their games.
// It goes by the trial that repeats most.
func different(trials []*Trial, blocks int64) int64 {
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

package tuner

import (
	"context"
	"fmt"

	"sakusen/tuner/rating"
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
	// Reason says why the others are null, where they are.
	Reason string `json:"reason,omitempty"`
}

// mostCommon bounds the candidates, and mostCommonBlocks the blocks of each, of
// which the correlation is measured: enough for two digits.
const (
	mostCommon       = 32
	mostCommonBlocks = 1024
)

// common measures the correlation on the trials that passed every rung, and
// where there are fewer than two on the first rung of all. Nil where candidates
// share no blocks: a generation that plays itself.
func (st *Study) common(ctx context.Context) (*Common, error) {
	if st.Spec.Evaluate != nil || len(st.trials) == 0 {
		return nil, nil
	}
	rungs := st.Spec.Race.Rungs
	trials, _ := st.complete()
	blocks := rungs[len(rungs)-1]
	if len(trials) < 2 {
		trials, blocks = st.trials, rungs[0]
	}
	trials, blocks = trials[:min(len(trials), mostCommon)], min(blocks, mostCommonBlocks)
	var rows [][]float64
	for _, t := range trials {
		row, err := st.values(ctx, t, blocks)
		if err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
	shared, err := rating.NewSharedValues(rows)
	if err != nil {
		return nil, err
	}
	c := &Common{
		Candidates: shared.Candidates, Blocks: shared.Blocks, Correlation: known(shared.Correlation),
		CI95: knownInterval(shared.CI95), VarianceSaved: known(shared.Correlation), Factor: known(shared.Factor),
	}
	switch {
	case len(trials) < 2:
		c.Reason = "no information: one candidate"
	case blocks < 2:
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
	text := fmt.Sprintf("%d candidates on the same %d blocks, correlation %.2f", c.Candidates, c.Blocks, *c.Correlation)
	if c.CI95 != nil {
		text += fmt.Sprintf(" [%.2f, %.2f]", c.CI95[0], c.CI95[1])
	}
	if *c.VarianceSaved < 0 {
		return text + fmt.Sprintf(": they cost %.0f %% of the variance of a difference", -100**c.VarianceSaved)
	}
	text += fmt.Sprintf(": %.0f %% of the variance of a difference saved", 100**c.VarianceSaved)
	if c.Factor != nil {
		text += fmt.Sprintf(", worth %.2g times the games", *c.Factor)
	}
	return text
}

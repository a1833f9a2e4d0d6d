package tuner

import (
	"context"
	"fmt"

	"sakusen/tuner/entry"
	"sakusen/tuner/rating"
)

// raceLevel is the level of one look of the Friedman race, and firstLook the
// number of blocks before which it stops nobody: irace's defaults
// (Lopez-Ibanez et al. 2016).
const (
	raceLevel = 0.05
	firstLook = 5
)

// significant stops the trials that are significantly worse than the best on the
// blocks that all have met: Friedman's test with Conover's comparison. The
// level is that of one look.
func (st *Study) significant(ctx context.Context, in []*Trial, blocks int64) ([]*Trial, error) {
	feasible, out := []*Trial{}, []*Trial{}
	for _, t := range in {
		if t.Estimate.Feasible {
			feasible = append(feasible, t)
		} else {
			t.beyond(blocks)
		}
	}
	if len(feasible) < 2 {
		return feasible, nil
	}
	// Repeated games would count twice: only as many blocks are used as there are different
	// ones.
	rows := make([][]float64, different(feasible, blocks))
	for b := range rows {
		rows[b] = make([]float64, len(feasible))
	}
	for c, t := range feasible {
		values, err := st.values(ctx, tunePhase, t, 0, blocks)
		if err != nil {
			return nil, err
		}
		for b := range rows {
			rows[b][c] = values[b]
		}
	}
	race, err := rating.FRace(rows, raceLevel, firstLook)
	if err != nil {
		return nil, err
	}
	for c, t := range feasible {
		if race.Keep[c] {
			out = append(out, t)
			continue
		}
		t.State, t.End = entry.TrialPruned, entry.Worse
		t.Reason = fmt.Sprintf("significantly worse than trial %d at %d blocks (Friedman, level %g a look)",
			feasible[race.Best].Number, blocks, raceLevel)
	}
	return out, nil
}

package tuner

import (
	"context"
	"fmt"

	"sakusen/engines/arena"
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
			t.State, t.Reason = "pruned", fmt.Sprintf("over the limit at %d blocks", blocks)
		}
	}
	if len(feasible) < 2 {
		return feasible, nil
	}
	rows := make([][]float64, blocks)
	for b := range rows {
		rows[b] = make([]float64, len(feasible))
	}
	for c, t := range feasible {
		if err := st.column(ctx, t, rows, c); err != nil {
			return nil, err
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
		t.State = "pruned"
		t.Reason = fmt.Sprintf("significantly worse than trial %d at %d blocks (Friedman, level %g a look)",
			feasible[race.Best].Number, blocks, raceLevel)
	}
	return out, nil
}

// column fills in a trial's value of every block, the mean over its opponents,
// more being better. The blocks have been played, so they come from the cache
// where there is one.
func (st *Study) column(ctx context.Context, t *Trial, rows [][]float64, c int) error {
	opponents := st.Spec.Opponents()
	if len(opponents) == 0 {
		opponents = []arena.Entrant{t.Entrant}
	}
	for _, o := range opponents {
		s := st.Spec.series(t.Entrant, o, st.Spec.tuneSeed(), tunePhase, 0, int64(len(rows)))
		_, err := st.host.Play(ctx, s, func(r *arena.Run) error {
			for b := range r.Blocks {
				one := arena.NewTally(r.Seats, r.Components)
				one.Add(r.Slice(r.From+int64(b), r.From+int64(b)+1))
				e := evidenceOf(one)
				x := st.Spec.value(&e).Value / float64(len(opponents))
				if !st.Spec.maximize() {
					x = -x
				}
				rows[r.From+int64(b)][c] += x
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

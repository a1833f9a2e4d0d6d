package tuner

import (
	"context"

	"sakusen/engines/arena"
)

// recorded.go is about studies whose games cannot be played again: a clock decides
// them, or several threads. What was played is the evidence. A resumed study goes
// on from what its database holds, and plays no block a second time.

// ClassRecorded is the class of such studies in results; that of others is empty.
const ClassRecorded = "recorded"

// again hears of blocks that the study has played before: of those that are kept,
// and where games can be played again of all.
func again(ctx context.Context, st *Study, s arena.Series, observe func(*arena.Run) error) error {
	if st.recorded == "" {
		_, err := st.host.Play(ctx, s, observe)
		return err
	}
	cached, ok := st.host.(*CachedHost)
	if !ok {
		return nil // nothing is kept
	}
	for r, err := range cached.Stored(ctx, s) {
		if err == nil {
			err = observe(r)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

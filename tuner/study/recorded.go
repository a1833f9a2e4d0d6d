package study

import (
	"context"

	"sakusen/engines/arena"
	"sakusen/tuner"
)

// again hears of blocks that the study has played before: of those that are kept,
// and where games can be played again of all.
func again(ctx context.Context, st *Study, s arena.Series, observe func(*arena.Run) error) error {
	if st.recorded == "" {
		_, err := st.host.Play(ctx, s, observe)
		return err
	}
	cached, ok := st.host.(*tuner.CachedHost)
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

package service

import (
	"context"

	"sakusen/engines/arena"
)

// Keep stores blocks that were played for a series on another machine. What is stored
// already is compared and stays.
func (b *Blocks) Keep(ctx context.Context, series *arena.Series, run *arena.Run) error {
	key, err := b.s.keys.Key(ctx, series)
	if err != nil {
		return err
	}
	return b.s.store.Blocks().Save(ctx, key, run)
}

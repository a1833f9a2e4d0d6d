package service

import (
	"context"
	"errors"

	"sakusen/engines/arena"
	"sakusen/tuner/store/blocks"
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

// Impure tells whether blocks were not stored since others are stored in their place.
func Impure(err error) bool {
	_, is := errors.AsType[*blocks.ImpureError](err)
	return is
}

package service

import (
	"context"

	"sakusen/engines/arena"
)

// Keep stores blocks that were played for a series on another machine. What is stored
// already is compared and stays.
func (s *Service) Keep(ctx context.Context, series *arena.Series, run *arena.Run) error {
	key, err := s.keys.Key(ctx, series)
	if err != nil {
		return err
	}
	return s.store.Blocks().Save(ctx, key, run)
}

package service

import (
	"context"
	"fmt"

	"sakusen/tuner/store/blocks"
)

// Blocks is what can be done with the stored blocks.
type Blocks struct{ s *Service }

// Blocks are the stored blocks.
func (s *Service) Blocks() *Blocks { return &Blocks{s} }

// Page lists at most limit runs of blocks of a study's game and seeds, after the
// one with the given id; each with its digests and values where asked.
func (b *Blocks) Page(ctx context.Context, study string, after int64, limit int, values bool) ([]BlockRun, error) {
	scope, err := scope(ctx, b.s.store, study)
	if err != nil {
		return nil, err
	}
	out := []BlockRun{}
	for s, err := range b.s.store.Blocks().Page(ctx, scope, after, limit) {
		if err != nil {
			return out, err
		}
		out = append(out, blockRun(s, values))
	}
	return out, nil
}

// Save keeps blocks of a match that were played elsewhere, apart from those that
// this program has played: they are no part of its own results.
func (b *Blocks) Save(ctx context.Context, p PlayedBlocks) error {
	game, err := b.s.o.Catalogue.Game(p.Game)
	if err != nil {
		return Wrap(Invalid, err)
	}
	key, run, err := p.Run()
	if err == nil {
		if err = game.Possible(run); err != nil {
			err = fmt.Errorf("values: %w", err)
		}
	}
	if err != nil {
		return Wrap(Invalid, err)
	}
	return b.s.store.Blocks().Save(ctx, key, run)
}

// Prune deletes the blocks of series that nobody has added to for so many days,
// or, dry, counts them.
func (b *Blocks) Prune(ctx context.Context, days int, dry bool) (blocks.Pruned, error) {
	p, err := b.s.store.Blocks().Prune(ctx, b.s.o.Clock().AddDate(0, 0, -days), dry)
	if err == nil && !dry {
		b.s.o.Log.Info("pruned", "days", days, "series", p.Series, "blocks", p.Blocks)
	}
	return p, err
}

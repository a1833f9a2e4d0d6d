package blocks

import (
	"context"
	"fmt"
	"sync"

	"sakusen/engines/arena"
	"sakusen/tuner"
	"sakusen/tuner/store/sqlitedb"
)

// mostTogether bounds the runs that one transaction stores, so that none waits long.
const mostTogether = 256

// group is the runs that wait to be stored: while one transaction is committed others gather,
// and the next one stores them together.
type group struct {
	turn sync.Mutex // held by the one who stores

	mu      sync.Mutex
	waiting []*saving
}

// saving is a run that waits; its rest is guarded by the group's turn.
type saving struct {
	key tuner.BlockKey
	run *arena.Run

	over bool
	err  error
}

// Save stores a run, and returns when the transaction is committed in which it is, maybe with
// runs of others. Blocks already there stay as they are; if they differ from the run's,
// nothing of it is stored and the error is an [*ImpureError].
func (b *Cache) Save(ctx context.Context, key tuner.BlockKey, run *arena.Run) error {
	if run.Blocks == 0 {
		return nil
	}
	err := ctx.Err()
	if err == nil {
		err = b.group.save(&saving{key: key, run: run}, b.commit)
	}
	if err != nil {
		return fmt.Errorf("save blocks: %w", err)
	}
	return nil
}

// save waits for its turn, and stores all that wait by then unless somebody has done so.
func (g *group) save(s *saving, commit func([]*saving) error) error {
	g.mu.Lock()
	g.waiting = append(g.waiting, s)
	g.mu.Unlock()
	g.turn.Lock()
	defer g.turn.Unlock()
	for !s.over {
		g.mu.Lock()
		together := g.waiting[:min(len(g.waiting), mostTogether)]
		g.waiting = append([]*saving(nil), g.waiting[len(together):]...)
		g.mu.Unlock()
		err := commit(together)
		for _, s := range together {
			if s.over = true; err != nil && len(together) > 1 {
				s.err = commit([]*saving{s}) // one of them may be at fault
			} else {
				s.err = err
			}
		}
	}
	return s.err
}

// commit stores runs in one transaction.
func (b *Cache) commit(together []*saving) error {
	return b.w.ChangeReplayable(context.Background(), "blocks", func(c *sqlitedb.Change) error {
		for _, s := range together {
			if err := SaveIn(c, s.key, s.run); err != nil {
				return err
			}
		}
		return nil
	})
}

package lifeboats

import (
	"context"
	"sync"

	"sakusen/engines/arena"
	"sakusen/tuner/contest/experiment"
)

// labSeed is the seed of all measurements when no other is asked for.
const labSeed = 77

// seeded is labSeed as an experiment has it.
func seeded() *uint64 {
	seed := uint64(labSeed)
	return &seed
}

// labOf makes a lab that tells how far an experiment of so many blocks is. Games
// are always played, never looked up, as some of the players are watched.
func labOf(o experiment.Options, blocks int64) (*Lab, error) {
	return NewLab(&counter{Host: o.Host, of: blocks, tell: o.Progress}, *o.Seed)
}

// studySeed is the seed of an evolution, counted from 0: 1 and up under the
// seed labSeed, and far from those under any other.
func studySeed(o experiment.Options, run int) uint64 {
	return (*o.Seed-labSeed)<<20 + uint64(run) + 1
}

// counter counts the blocks that are played.
type counter struct {
	arena.Host
	tell func(blocks, of, games int64)

	mu         sync.Mutex
	blocks, of int64
}

// Play implements arena.Host.
func (c *counter) Play(ctx context.Context, s arena.Series, observe func(*arena.Run) error) (arena.Tally, error) {
	return c.Host.Play(ctx, s, func(r *arena.Run) error {
		c.count(r)
		if observe == nil {
			return nil
		}
		return observe(r)
	})
}

func (c *counter) count(r *arena.Run) {
	if c.tell == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.blocks += int64(r.Blocks)
	c.tell(c.blocks, max(c.of, c.blocks), int64(r.Blocks*r.Rotations))
}

package evolution

import (
	"context"
	"sync"

	"sakusen/engines/arena"
	"sakusen/tuner/experiment"
)

// Hosts makes the host of an experiment. Games are always played, never looked
// up, as some of the players are watched.
type Hosts func() arena.Host

// labSeed is the seed of all measurements.
const labSeed = 77

// lab makes a lab that tells how far an experiment of so many blocks is.
func (h Hosts) lab(o experiment.Options, blocks int64) (*Lab, error) {
	return NewLab(&counter{Host: h(), of: blocks, tell: o.Progress}, labSeed)
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

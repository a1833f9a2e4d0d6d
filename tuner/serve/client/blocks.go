package client

import (
	"context"
	"fmt"
	"iter"
	"net/http"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/service"
	"sakusen/tuner/store/blocks"
)

// Blocks are the blocks of a daemon's database.
type Blocks struct{ c *Client }

// Blocks are the daemon's blocks.
func (c *Client) Blocks() *Blocks { return &Blocks{c} }

// Prune deletes series of blocks that nobody has added to for so many days, or,
// dry, counts them.
func (b *Blocks) Prune(ctx context.Context, days int, dry bool) (blocks.Pruned, error) {
	var p blocks.Pruned
	err := b.c.act(ctx, http.MethodPost, "/prune", map[string]any{"days": days, "dry_run": dry}, &p)
	return p, err
}

// Through is a cache of blocks that is read from the file that a daemon holds,
// as any process may, and written through the daemon.
func (b *Blocks) Through(read tuner.Blocks) tuner.Blocks { return &posted{read, b.c} }

// posted stores blocks in the daemon.
type posted struct {
	tuner.Blocks
	c *Client
}

// postedValues bounds the numbers of one request.
const postedValues = 1 << 18

// Load implements tuner.Blocks: what the daemon has played and, for blocks that it has not,
// what clients have posted, with the worker service.PostedBy.
func (p *posted) Load(ctx context.Context, key tuner.BlockKey, from, to int64) iter.Seq2[*arena.Run, error] {
	apart := key
	apart.Posted = true
	return func(yield func(*arena.Run, error) bool) {
		at := from
		fill := func(to int64) bool {
			if at >= to {
				return true
			}
			for r, err := range p.Blocks.Load(ctx, apart, at, to) {
				if err == nil {
					r.Worker = service.PostedBy
				}
				if !yield(r, err) || err != nil {
					return false
				}
			}
			return true
		}
		for r, err := range p.Blocks.Load(ctx, key, from, to) {
			if err != nil {
				yield(nil, err)
				return
			}
			if !fill(r.From) || !yield(r, nil) {
				return
			}
			at = r.From + int64(r.Blocks)
		}
		fill(to)
	}
}

// Save implements tuner.Blocks. The daemon accepts blocks of matches only; an experiment
// may have others, which are not stored.
func (p *posted) Save(ctx context.Context, key tuner.BlockKey, run *arena.Run) error {
	if key.Phase != arena.Match {
		return nil
	}
	most := int64(max(1, postedValues/(run.Rotations*run.Seats*run.Width())))
	for at, end := run.From, run.From+int64(run.Blocks); at < end; at += most {
		part := run.Slice(at, min(at+most, end))
		played := service.PlayedBlocks{
			Game: key.Game, Rules: key.Rules, Signatures: key.Signatures, Entrants: key.Entrants,
			Seed: param.Seed(key.Seed).String(), From: part.From, Blocks: part.Blocks, BlockDetail: *service.DetailOf(part),
		}
		if err := p.c.call(ctx, http.MethodPost, "/blocks", played, nil); err != nil {
			return fmt.Errorf("save blocks: %w", err)
		}
	}
	return nil
}

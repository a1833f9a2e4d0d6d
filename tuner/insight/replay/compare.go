package replay

import (
	"context"
	"fmt"
	"iter"
	"runtime"
	"slices"
	"sync"

	"sakusen/engines/arena"
	"sakusen/tuner"
	"sakusen/tuner/entry"
)

// block is one block with its record.
type block struct {
	series *arena.Series // that it is of
	record *arena.Run    // of the one block
}

// compared is what became of blocks that were played again.
type compared struct {
	blocks, games int64
	differ        int64            // blocks
	first         *entry.Different // of the first block that differs
	at            int64            // its place
}

// add takes in the block at a place: its games, and how it differs unless that is nil.
func (c *compared) add(place, games int64, diff *entry.Different) {
	c.blocks, c.games = c.blocks+1, c.games+games
	if diff == nil {
		return
	}
	if c.differ++; c.first == nil || place < c.at {
		c.first, c.at = diff, place
	}
}

// compare plays blocks again on the host and compares them with their records.
// Workers of the host are kept busy with several at a time, and no more blocks than those
// are held. The error is a *tuner.DifferentError of the first block that differs, in the
// order given.
func compare(ctx context.Context, host arena.Host, all iter.Seq2[block, error]) (blocks, games int64, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	type placed struct {
		block
		place int64
	}
	next := make(chan placed)
	var mu sync.Mutex
	var out compared
	var group sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() {
			for b := range next {
				games, diff, err := again(ctx, host, &b.block)
				if err != nil {
					cancel(err)
					continue
				}
				mu.Lock()
				out.add(b.place, games, diff)
				mu.Unlock()
			}
		})
	}
	place := int64(0)
	for b, err := range all {
		if err != nil {
			cancel(err)
		}
		if ctx.Err() != nil {
			break
		}
		next <- placed{b, place}
		place++
	}
	close(next)
	group.Wait()
	if ctx.Err() != nil {
		return 0, 0, context.Cause(ctx)
	}
	if out.first == nil {
		return out.blocks, out.games, nil
	}
	out.first.Differ, out.first.Replayed = out.differ, out.blocks
	return out.blocks, out.games, &tuner.DifferentError{Different: *out.first}
}

// again plays one block again: the number of its games, and how it differs from its record,
// nil where it does not.
func again(ctx context.Context, host arena.Host, b *block) (games int64, diff *entry.Different, err error) {
	var now *arena.Run
	series := *b.series
	series.From, series.To = b.record.From, b.record.From+1
	_, err = host.Play(ctx, series, func(r *arena.Run) error {
		if now == nil {
			now = arena.NewRun(r.Seats, r.Components, r.Rotations, r.From, r.Blocks)
		}
		now.Join(r)
		return nil
	})
	if err != nil {
		return 0, nil, err
	}
	if now == nil || now.Blocks != 1 || now.Rotations != b.record.Rotations || now.Components != b.record.Components {
		return 0, nil, fmt.Errorf("block %d: played again it has another shape than its record", series.From)
	}
	width := now.Seats * now.Width()
	for i := range now.Digests {
		if now.Digests[i] == b.record.Digests[i] && slices.Equal(now.Values[i*width:(i+1)*width], b.record.Values[i*width:(i+1)*width]) {
			continue
		}
		diff = &entry.Different{
			Phase: series.Phase.String(), Seed: series.Seed, Block: series.From, Rotation: i,
			Recorded: fmt.Sprintf("%016x", b.record.Digests[i]), Again: fmt.Sprintf("%016x", now.Digests[i]),
		}
		for _, e := range series.Entrants {
			diff.Entrants = append(diff.Entrants, e.Canonical())
		}
		break
	}
	return int64(now.Rotations), diff, nil
}

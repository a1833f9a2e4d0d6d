package replay

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"sakusen/engines/arena"
	"sakusen/tuner"
	"sakusen/tuner/entry"
)

// block is one block with its record.
type block struct {
	series arena.Series // From is the block, To the next
	record *arena.Run   // of the one block
}

// compared is what became of a block that was played again.
type compared struct {
	games int64
	diff  *entry.Different
}

// compare plays blocks again on the host and compares them with their records.
// Workers of the host are kept busy with several at a time. The error is a
// *tuner.DifferentError of the first block that differs, in the order given.
func compare(ctx context.Context, host arena.Host, all []block) (games int64, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	results := make([]compared, len(all))
	next := make(chan int)
	var group sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(all)) {
		group.Go(func() {
			for i := range next {
				var err error
				if results[i], err = again(ctx, host, &all[i]); err != nil {
					cancel(err)
				}
			}
		})
	}
	for i := range all {
		if ctx.Err() != nil {
			break
		}
		next <- i
	}
	close(next)
	group.Wait()
	if ctx.Err() != nil {
		return 0, context.Cause(ctx)
	}
	var first *entry.Different
	differ := int64(0)
	for _, r := range results {
		games += r.games
		if r.diff != nil {
			differ++
			if first == nil {
				first = r.diff
			}
		}
	}
	if first == nil {
		return games, nil
	}
	first.Differ, first.Replayed = differ, int64(len(all))
	return games, &tuner.DifferentError{Different: *first}
}

// again plays one block again.
func again(ctx context.Context, host arena.Host, b *block) (compared, error) {
	var now *arena.Run
	_, err := host.Play(ctx, b.series, func(r *arena.Run) error {
		if now == nil {
			now = arena.NewRun(r.Seats, r.Components, r.Rotations, r.From, r.Blocks)
		}
		now.Join(r)
		return nil
	})
	if err != nil {
		return compared{}, err
	}
	if now == nil || now.Blocks != 1 || now.Rotations != b.record.Rotations || now.Components != b.record.Components {
		return compared{}, fmt.Errorf("block %d: played again it has another shape than its record", b.series.From)
	}
	out := compared{games: int64(now.Rotations)}
	width := now.Seats * now.Width()
	for i := range now.Digests {
		if now.Digests[i] == b.record.Digests[i] && slices.Equal(now.Values[i*width:(i+1)*width], b.record.Values[i*width:(i+1)*width]) {
			continue
		}
		out.diff = &entry.Different{
			Phase: b.series.Phase.String(), Seed: b.series.Seed, Block: b.series.From, Rotation: i,
			Recorded: fmt.Sprintf("%016x", b.record.Digests[i]), Again: fmt.Sprintf("%016x", now.Digests[i]),
		}
		for _, e := range b.series.Entrants {
			out.diff.Entrants = append(out.diff.Entrants, e.Canonical())
		}
		break
	}
	return out, nil
}

package study_test

import (
	"context"
	"errors"
	"iter"
	"testing"

	"sakusen/engines/arena"
	"sakusen/tuner"
)

// strictBlocks is a cache that, as a database does, refuses to write under a
// context that has ended.
type strictBlocks struct{ runs []*arena.Run }

func (b *strictBlocks) Load(context.Context, tuner.BlockKey, int64, int64) iter.Seq2[*arena.Run, error] {
	return func(yield func(*arena.Run, error) bool) {
		for _, r := range b.runs {
			if !yield(r, nil) {
				return
			}
		}
	}
}

func (b *strictBlocks) Save(ctx context.Context, _ tuner.BlockKey, run *arena.Run) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	b.runs = append(b.runs, run)
	return nil
}

// leaving is a host that plays to the end and whose caller leaves before.
type leaving struct {
	arena.Host
	leave  context.CancelFunc
	played int64
}

func (l *leaving) Play(ctx context.Context, s arena.Series, observe func(*arena.Run) error) (arena.Tally, error) {
	tally, err := l.Host.Play(context.WithoutCancel(ctx), s, observe)
	l.played += tally.Blocks
	l.leave()
	return tally, errors.Join(err, ctx.Err())
}

// What was played is kept though the study was interrupted then, and is not
// played again.
func TestCachedHostKeepsAfterCancel(t *testing.T) {
	setup := read(t, duelStudy)
	candidate, err := setup.Candidate(0, nil)
	if err != nil {
		t.Fatal(err)
	}
	series := setup.Series(candidate, setup.BaselineEntrant, 3, arena.Tune, 0, 40)
	ctx, cancel := context.WithCancel(t.Context())
	host, cache := &leaving{Host: arena.NewPool(1), leave: cancel}, &strictBlocks{}
	if _, err := (&tuner.CachedHost{Host: host, Blocks: cache}).Play(ctx, series, nil); !errors.Is(err, context.Canceled) {
		t.Fatalf("interrupted: got %v, expected %v", err, context.Canceled)
	}
	kept := int64(0)
	for _, run := range cache.runs {
		kept += int64(run.Blocks)
	}
	if kept != 40 || host.played != 40 {
		t.Errorf("%d blocks were played, %d kept; expected 40", host.played, kept)
	}
	tally, err := (&tuner.CachedHost{Host: host, Blocks: cache}).Play(t.Context(), series, nil)
	if err != nil || tally.Blocks != 40 || host.played != 40 {
		t.Errorf("again: %d blocks, %d played in all (%v)", tally.Blocks, host.played, err)
	}
}

package service

import (
	"context"
	"testing"
	"time"

	"sakusen/tuner"
	"sakusen/tuner/numeral"
	"sakusen/tuner/store"
)

// A job that goes on is as far as it was, while it finds again what it has played.
func TestResumedJobIsAsFar(t *testing.T) {
	var told []tuner.Progress
	clock := func() time.Time { return time.Unix(1000, 0) }
	before := store.Job{ID: 1, Blocks: 10, Of: 20, Games: 40}
	s := &Service{}
	s.o.Clock = clock
	w := execution{s}.newJobWatch(context.Background(), before, func(p tuner.Progress) { told = append(told, p) })
	w.pace, w.noted = numeral.New(clock(), 0), clock()
	for block := range int64(12) {
		w.progress(block+1, 20, 4)
	}
	for _, p := range told {
		if p.Blocks < 10 || p.Games < 40 || p.MaxBlocks != 20 {
			t.Errorf("%d of %d blocks, %d games", p.Blocks, p.MaxBlocks, p.Games)
		}
	}
	if n := len(told); n == 0 || told[n-1].Blocks != 12 || told[n-1].Games != 48 {
		t.Errorf("%+v", told)
	}
}

package service

import (
	"context"
	"sync"
	"time"

	"sakusen/engines/arena"
	"sakusen/tuner"
)

// slicedHost hands a series to a host in slices of about a second, so that a host which
// stores what it has played loses at most that when the process dies. The results do not
// depend on it.
type slicedHost struct {
	arena.Host

	mu   sync.Mutex
	next int64 // blocks of the next slice
}

const (
	leastSlice = 8 // fewer would keep workers waiting for each other
	mostSlice  = 4096
	sliceTime  = time.Second
)

// Play implements arena.Host.
func (h *slicedHost) Play(ctx context.Context, s arena.Series, observe func(*arena.Run) error) (arena.Tally, error) {
	if err := s.Check(); err != nil {
		return arena.Tally{}, err
	}
	tally := arena.NewTally(s.Ruleset.Seats, len(s.Ruleset.Components))
	for from := s.From; from < s.To; {
		slice := s
		slice.From, slice.To = from, min(s.To, from+h.size())
		began := time.Now()
		part, err := h.Host.Play(ctx, slice, observe)
		if part.Blocks > 0 {
			if merged := tally.Merge(part); merged != nil {
				return tally, merged
			}
		}
		if err != nil {
			return tally, err
		}
		h.took(time.Since(began))
		from = slice.To
	}
	return tally, ctx.Err()
}

func (h *slicedHost) size() int64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	return max(leastSlice, h.next)
}

// took makes the next slice longer if the last one was short, and shorter if it was long.
func (h *slicedHost) took(d time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.next = max(leastSlice, h.next)
	switch {
	case d < sliceTime/2:
		h.next = min(mostSlice, 2*h.next)
	case d > 2*sliceTime:
		h.next = max(leastSlice, h.next/2)
	}
}

// keeping is a share of the workers whose blocks are stored as they are played.
func (s execution) keeping(share arena.Host) arena.Host {
	return &slicedHost{Host: &tuner.CachedHost{Host: share, Blocks: s.store.Blocks()}}
}

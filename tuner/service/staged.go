package service

import (
	"context"
	"sync"
	"time"

	"sakusen/engines/arena"
	"sakusen/tuner"
)

// staged hands a host each series in stages of about a second, so that a host
// that keeps what it has played loses no more with a death of the process. What
// is played does not depend on it.
type staged struct {
	arena.Host

	mu   sync.Mutex
	next int64 // blocks of the next stage
}

const (
	leastStage = 8 // fewer would keep workers waiting for each other
	mostStage  = 4096
	stageTime  = time.Second
)

// Play implements arena.Host.
func (h *staged) Play(ctx context.Context, s arena.Series, observe func(*arena.Run) error) (arena.Tally, error) {
	if err := s.Check(); err != nil {
		return arena.Tally{}, err
	}
	tally := arena.NewTally(s.Ruleset.Seats, len(s.Ruleset.Components))
	for from := s.From; from < s.To; {
		stage := s
		stage.From, stage.To = from, min(s.To, from+h.size())
		began := time.Now()
		part, err := h.Host.Play(ctx, stage, observe)
		if part.Blocks > 0 {
			if merged := tally.Merge(part); merged != nil {
				return tally, merged
			}
		}
		if err != nil {
			return tally, err
		}
		h.took(time.Since(began))
		from = stage.To
	}
	return tally, ctx.Err()
}

func (h *staged) size() int64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	return max(leastStage, h.next)
}

// took makes stages longer that were short, and shorter that were long.
func (h *staged) took(d time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.next = max(leastStage, h.next)
	switch {
	case d < stageTime/2:
		h.next = min(mostStage, 2*h.next)
	case d > 2*stageTime:
		h.next = max(leastStage, h.next/2)
	}
}

// keeping is a share of the workers whose blocks are kept as they are played.
func (s *Service) keeping(share arena.Host) arena.Host {
	return &staged{Host: &tuner.CachedHost{Host: share, Blocks: s.store.Blocks()}}
}

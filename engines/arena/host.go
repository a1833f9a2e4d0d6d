package arena

import (
	"context"
	"time"
)

// Play implements Host.
func (p *Pool) Play(ctx context.Context, s Series, observe func(*Run) error) (Tally, error) {
	return p.play(ctx, p.whole, s, observe)
}

// Play implements Host.
func (s *Share) Play(ctx context.Context, series Series, observe func(*Run) error) (Tally, error) {
	return s.pool.play(ctx, s, series, observe)
}

// play plays a series for a share.
func (p *Pool) play(ctx context.Context, share *Share, s Series, observe func(*Run) error) (Tally, error) {
	if err := s.Check(); err != nil {
		return Tally{}, err
	}
	tally := NewTally(s.Ruleset.Seats, len(s.Ruleset.Components))
	total := s.To - s.From
	if total == 0 || ctx.Err() != nil {
		return tally, ctx.Err()
	}
	rotations := s.Ruleset.Seats
	if AllEqual(s.Entrants) {
		rotations = 1
	}
	h := &handout{
		pool: p, share: share, series: &s, key: s.key(), turn: p.turn(ctx), rotations: rotations, paces: p.paces(&s), observe: observe,
		splits: rotations > 1 && s.Story == nil && s.Streams == nil, here: s.here(), next: s.From, emitted: s.From, tally: tally,
		halves: map[int64]*half{}, out: map[*errand]bool{}, waiting: map[int64]*Run{}, done: make(chan struct{}),
	}
	h.ctx, h.cancel = context.WithCancel(ctx)
	defer h.cancel()
	h.seek, h.found = context.WithCancel(h.ctx)
	defer h.found()
	p.wait(total * int64(rotations))
	defer func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		p.wait(-h.left())
	}()
	for range p.requests(total * int64(rotations)) {
		h.group.Go(h.work)
	}
	if !h.here && p.isOpen() {
		h.group.Go(h.watch)
	}
	select {
	case <-h.done:
	case <-h.ctx.Done():
		ended := make(chan struct{})
		go func() { h.group.Wait(); close(ended) }()
		select {
		case <-ended:
		case <-time.After(p.patience):
		}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.failure == nil && h.emitted < s.To {
		h.failure = h.ctx.Err() // nothing that ends later is observed
	}
	return h.tally, h.failure
}

// here tells whether a series is played in this process only: somebody watches its
// games, or another program plays in it.
func (s *Series) here() bool {
	for _, e := range s.Entrants {
		if s.Ruleset.Game.Outside(e.Strategy) {
			return true
		}
	}
	return s.Story != nil || s.Tell != nil || s.Streams != nil || s.Watch != nil
}

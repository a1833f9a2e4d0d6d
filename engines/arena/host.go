package arena

import (
	"context"
	"slices"
	"strings"
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
	where := p.where(&s)
	h := &handout{
		pool: p, share: share, series: &s, key: s.key(), turn: p.turn(ctx), rotations: rotations, paces: p.paces(&s), observe: observe,
		splits: rotations > 1 && s.Story == nil && s.Streams == nil, where: where, next: s.From, emitted: s.From, tally: tally,
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
	if !where.here && p.isOpen() {
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

// where says at which desks a series may be played: at those of this process alone where
// somebody watches its games, or where a program of somebody else plays games in it that
// cannot be played again.
func (p *Pool) where(s *Series) where {
	if s.Story != nil || s.Tell != nil || s.Streams != nil || s.Watch != nil {
		return where{here: true}
	}
	if !slices.ContainsFunc(s.Entrants, func(e Entrant) bool { return s.Ruleset.Game.Outside(e.Strategy) }) {
		return where{}
	}
	if !p.isOpen() { // nothing is started to find out what nobody asks
		return where{here: true}
	}
	programs, recorded, err := s.Programs()
	return where{here: recorded != "" || err != nil, programs: programs} // a desk here meets the error
}

// Programs are those of other people that play in a series, by name, and why its games
// cannot be played again; recorded is empty where they can. It may start them.
func (s *Series) Programs() (all []Program, recorded string, err error) {
	for _, e := range s.Entrants {
		if !s.Ruleset.Game.Outside(e.Strategy) || slices.ContainsFunc(all, func(p Program) bool { return p.Name == e.Strategy }) {
			continue
		}
		id, err := s.Ruleset.identify(e.Strategy)
		if err != nil || id.Recorded != "" {
			return nil, id.Recorded, err
		}
		all = append(all, Program{e.Strategy, id.Hash, id.Way})
	}
	slices.SortFunc(all, func(a, b Program) int { return strings.Compare(a.Name, b.Name) })
	return all, "", nil
}

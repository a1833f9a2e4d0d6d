package arena

import (
	"context"
	"errors"
	"slices"
)

// Elsewhere plays chunks of series on another machine.
type Elsewhere interface {
	// Play plays n blocks from a block on. ErrGivenBack and ErrHereOnly mean that nothing
	// was played and that nothing is wrong with the series.
	Play(ctx context.Context, s *Series, from int64, n int) (*Run, error)
}

// ErrGivenBack says that a chunk was not played, as when a machine is gone: the pool plays
// it at another desk.
var ErrGivenBack = errors.New("the blocks were not played there")

// ErrHereOnly says that other machines cannot play a series: the pool plays the rest of it
// at its own desks.
var ErrHereOnly = errors.New("the series cannot be played on another machine")

// openRoom is how many requests for desks a series of an open pool makes beyond the desks
// that there are, so that it uses those that come.
const openRoom = 64

// NewOpenPool makes a pool with the given number of workers, which may be none, and with
// room for desks on other machines.
func NewOpenPool(workers int) *Pool {
	p := newPool(max(0, workers))
	p.open = true
	return p
}

// Attach adds desks on another machine, until detach is called; what they are playing
// then still counts. They get the chunks of series whose games nobody watches and which
// need no program of somebody else.
func (p *Pool) Attach(e Elsewhere, desks int) (detach func()) {
	added := make([]*desk, desks)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.open = true
	for i := range added {
		added[i] = &desk{elsewhere: e}
		p.attached++
		p.hand(added[i])
	}
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		for _, d := range added {
			if !d.gone {
				d.gone = true
				p.attached--
			}
		}
		p.free = slices.DeleteFunc(p.free, func(d *desk) bool { return d.gone })
	}
}

// desks is the number of desks, here and elsewhere.
func (p *Pool) desks() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return max(1, p.workers+p.attached)
}

// requests is how many desks a series of so many chunks asks for at a time.
func (p *Pool) requests(chunks int) int {
	n := p.desks()
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.open {
		n += openRoom
	}
	return min(n, chunks)
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

// Fits says what is wrong with a run as the result of n blocks of a series, whoever says
// that he has played them.
func (s *Series) Fits(r *Run, from int64, n int) error {
	rotations := s.Ruleset.Seats
	if AllEqual(s.Entrants) {
		rotations = 1
	}
	games := n * rotations
	switch {
	case r.Seats != s.Ruleset.Seats || r.Components != len(s.Ruleset.Components) || r.Rotations != rotations:
		return errors.New("the result has other seats, rotations or numbers than the game")
	case r.From != from || r.Blocks != n || len(r.Digests) != games || len(r.Values) != games*r.Seats*r.Width():
		return errors.New("the result is of other blocks than were asked for")
	}
	return s.Ruleset.Game.Possible(r)
}

package arena

import (
	"errors"
	"slices"
)

// NewOpenPool makes a pool with the given number of workers, which may be none, and with
// room for desks on other machines.
func NewOpenPool(workers int) *Pool {
	p := newPool(max(0, workers))
	p.open = true
	return p
}

// Attach adds desks on another machine, until detach is called; what they are playing
// then still counts. They get the chunks of series whose games nobody watches and whose
// programs of other people, if there are some, the machine has.
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

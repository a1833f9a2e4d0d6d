package arena

import (
	"context"
	"fmt"
)

// Series is the blocks From..To (To excluded) of the same entrants.
type Series struct {
	Ruleset  *Ruleset
	Entrants []Entrant // entrant e sits in seat (e + rotation) mod seats
	Seed     uint64
	Phase    Phase
	From, To int64
	// Story, unless nil, is told every game line by line; see Fixture. Only a
	// pool of one worker tells the games in order.
	Story func(line string)
	// Tell, unless nil, chooses the story of each game instead, nil for none.
	Tell func(block int64, rotation int) (story func(line string))
	// Streams, unless nil, is told of the streams of every game; see Fixture. Ask
	// a pool of one worker.
	Streams func(seat int, p Purpose)
	// Watch, unless nil, chooses who watches each game, nil for nobody; see
	// Fixture.
	Watch func(block int64, rotation int) (watch func(event any))
}

// Host plays series: a local pool, or workers elsewhere.
type Host interface {
	// Play plays a series and returns its tally. observe, unless nil, is handed
	// the runs in the order of their blocks, one at a time; it may keep them. On
	// an error or a cancelled context the tally covers the runs observed so far.
	Play(ctx context.Context, s Series, observe func(*Run) error) (Tally, error)
}

// Check says what is wrong with a series.
func (s *Series) Check() error {
	switch {
	case s.Ruleset == nil:
		return fmt.Errorf("series: it has no rules")
	case len(s.Entrants) != s.Ruleset.Seats:
		return fmt.Errorf("%s takes %d entrants, got %d", s.Ruleset.Game.Name, s.Ruleset.Seats, len(s.Entrants))
	case s.From < 0 || s.To < s.From:
		return fmt.Errorf("series: expected blocks 0 <= from <= to, got %d..%d", s.From, s.To)
	}
	return nil
}

// key identifies the players and the referee that a series needs.
func (s *Series) key() string {
	k := s.Ruleset.Hash()
	for _, e := range s.Entrants {
		k += "\n" + e.Canonical()
	}
	return k
}

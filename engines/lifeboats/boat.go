package lifeboats

import (
	"fmt"
	"slices"
)

// States of a boat.
const (
	Afloat = "afloat"
	Home   = "home"
	Lost   = "lost"
)

// Boat is one boat as people write a position.
type Boat struct {
	State string // afloat, home or lost
	Steps int    // to go, 1 to 3 where afloat
	Leaks int    // seats flooded
	Crew  []int  // aboard, by player
}

// NewPosition makes the position of the given boats before a vote of the given
// phase; boat is that of an expulsion and else ignored. The number of players
// is that of the boats less one. A position that cannot come about is refused
// with an error that names the boat.
func NewPosition(boats []Boat, phase Phase, boat int) (*Position, error) {
	p := &Position{Players: len(boats) - 1, Boats: len(boats), Phase: phase}
	if p.Players < MinPlayers || p.Players > MaxPlayers {
		return nil, fmt.Errorf("boats: expected %d to %d of them, one more than players, got %d", MinPlayers+1, MaxPlayers+1, len(boats))
	}
	for i := range boats {
		if err := p.put(i, &boats[i]); err != nil {
			return nil, fmt.Errorf("boats[%d].%w", i, err)
		}
	}
	for q := range p.Players {
		if n := p.Saved[q] + p.At[1][q] + p.At[2][q] + p.At[3][q]; n > Crew {
			return nil, fmt.Errorf("crew of player %d: expected at most %d in all boats, got %g", q, Crew, n)
		}
	}
	if p.Over() {
		return nil, fmt.Errorf("boats: expected at least one afloat, got none: the game is over")
	}
	if phase != Expel {
		return p, nil
	}
	switch p.Boat = boat; {
	case boat < 0 || boat >= p.Boats || !p.Afloat.Has(boat):
		return nil, fmt.Errorf("boat: expected the index of a boat afloat for an expulsion, got %d", boat)
	case p.Leaks[boat] >= Leaks-1:
		return nil, fmt.Errorf("boat: expected one that outlives the leak for an expulsion, got boat %d with %d leaks", boat, p.Leaks[boat])
	case !p.full(boat):
		return nil, fmt.Errorf("boat: expected a full one for an expulsion, got boat %d with %d crew and %d leaks", boat, p.Aboard[boat], p.Leaks[boat])
	}
	return p, nil
}

// put places boat i, or says what is wrong with it.
func (p *Position) put(i int, b *Boat) error {
	if !slices.Contains([]string{Afloat, Home, Lost}, b.State) {
		return fmt.Errorf("state: expected %s, %s or %s, got %q", Afloat, Home, Lost, b.State)
	}
	if len(b.Crew) != p.Players {
		return fmt.Errorf("crew: expected %d numbers, one for each player, got %d", p.Players, len(b.Crew))
	}
	total := 0
	for _, n := range b.Crew {
		if n < 0 || n > Seats {
			return fmt.Errorf("crew: expected numbers in 0..%d, got %d", Seats, n)
		}
		total += n
	}
	if b.State == Lost {
		if b.Leaks != Leaks {
			return fmt.Errorf("leaks: expected %d of a lost boat, got %d", Leaks, b.Leaks)
		}
		if total > 0 {
			return fmt.Errorf("crew: expected nobody on a lost boat, got %d", total)
		}
		if b.Steps < 1 || b.Steps > Distance {
			return fmt.Errorf("steps: expected 1..%d of a lost boat, got %d", Distance, b.Steps)
		}
		p.Steps[i], p.Leaks[i] = uint8(b.Steps), Leaks
		return nil
	}
	if b.Leaks < 0 || b.Leaks >= Leaks {
		return fmt.Errorf("leaks: expected 0..%d of a boat %s, got %d", Leaks-1, b.State, b.Leaks)
	}
	if total > Seats-b.Leaks {
		return fmt.Errorf("crew: expected at most %d, the seats that are not flooded, got %d", Seats-b.Leaks, total)
	}
	if b.State == Afloat && (b.Steps < 1 || b.Steps > Distance) || b.State == Home && b.Steps != 0 {
		return fmt.Errorf("steps: expected 1..%d of a boat afloat and 0 of one home, got %d of one %s", Distance, b.Steps, b.State)
	}
	p.Steps[i], p.Leaks[i] = uint8(b.Steps), uint8(b.Leaks)
	p.Aboard[i] = uint8(total)
	for q, n := range b.Crew {
		p.Crew[i][q] = float64(n)
		if n > 0 {
			p.Parties[i]++
		}
	}
	if b.State == Afloat {
		p.Afloat = p.Afloat.With(i)
		p.enter(i)
		return nil
	}
	p.Home = p.Home.With(i)
	for q, n := range b.Crew {
		p.Saved[q] += float64(n)
	}
	return nil
}

// Look is a boat of a position as people write it.
func (p *Position) Look(i int) Boat {
	b := Boat{State: Lost, Steps: int(p.Steps[i]), Leaks: int(p.Leaks[i])}
	switch {
	case p.Afloat.Has(i):
		b.State = Afloat
	case p.Home.Has(i):
		b.State = Home
	}
	for q := range p.Players {
		b.Crew = append(b.Crew, int(p.Crew[i][q]))
	}
	return b
}

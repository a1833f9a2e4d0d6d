package lifeboats

import (
	"fmt"
	"slices"

	"sakusen/engines/arena"
)

// Slots is the length of arrays by boat or option: a power of two above both, so
// that an index is masked and not checked.
const Slots = 8

// Sizes of the game.
const (
	MinPlayers = 3
	MaxPlayers = 6
	MaxBoats   = MaxPlayers + 1
	Crew       = 7 // of each player
	Seats      = 6 // of each boat
	Distance   = 3 // steps to the harbour
	Leaks      = 4 // at which a boat is lost
)

// Phase is what is being voted on.
type Phase uint8

// The phases of a round.
const (
	Leak    Phase = iota // which boat loses a seat
	Expel                // whose crew leaves the full boat that leaks
	Advance              // which boat moves one step
)

// Counts are crew by player. They are real numbers because evaluations multiply
// by them; the values are integers from 0 to 7.
type Counts [MaxPlayers]float64

// Position is the game between two votes, which every player sees. It is a value: a copy is
// independent. Its sums are kept up to date by its methods, so strategies read and never
// write it.
type Position struct {
	Players int
	Boats   int // Players + 1
	Phase   Phase
	Boat    int // the boat of an expulsion
	// Afloat are the boats neither home nor lost, Home those home.
	Afloat, Home Set
	Steps        [Slots]uint8 // to go, 1 to 3; 0 is home
	Leaks        [Slots]uint8 // seats flooded, 4 is lost
	Crew         [Slots]Counts
	Aboard       [Slots]uint8 // crew of all players
	Parties      [Slots]uint8 // players with crew aboard
	// At holds the crew on boats afloat, Fleet the number of those boats, both by
	// steps to go.
	At    [Distance + 1]Counts
	Fleet [Distance + 1]uint8
	Saved Counts // crew home
}

// Options returns what may be voted for.
func (p *Position) Options() Set {
	if p.Phase != Expel {
		return p.Afloat
	}
	var s Set
	for q := range p.Players {
		if p.Crew[p.Boat][q] > 0 {
			s = s.With(q)
		}
	}
	return s
}

// Votes returns the number of votes that a player has: one, or its crew on the boat
// of an expulsion.
func (p *Position) Votes(player int) int {
	if p.Phase == Expel {
		return int(p.Crew[p.Boat][player])
	}
	return 1
}

// full reports whether a boat afloat has no empty seat.
func (p *Position) full(boat int) bool { return p.Aboard[boat]+p.Leaks[boat] >= Seats }

// Expels reports whether a leak of the boat calls for an expulsion: the boat is
// full and outlives the leak.
func (p *Position) Expels(boat int) bool { return p.Leaks[boat] < Leaks-1 && p.full(boat) }

// Flood floods a seat of a boat afloat; at the fourth the boat is lost with its
// crew.
func (p *Position) Flood(boat int) {
	p.Leaks[boat]++
	if p.Leaks[boat] < Leaks {
		return
	}
	p.leave(boat)
	p.Afloat = p.Afloat.Without(boat)
	p.Crew[boat] = Counts{}
	p.Aboard[boat], p.Parties[boat] = 0, 0
}

// Remove puts one crew member of a player off a boat afloat.
func (p *Position) Remove(boat, player int) {
	p.Crew[boat][player]--
	p.At[p.Steps[boat]&3][player]--
	p.Aboard[boat]--
	if p.Crew[boat][player] == 0 {
		p.Parties[boat]--
	}
}

// Move moves a boat afloat one step; the last brings it home.
func (p *Position) Move(boat int) {
	p.leave(boat)
	p.Steps[boat]--
	if p.Steps[boat] > 0 {
		p.enter(boat)
		return
	}
	p.Afloat = p.Afloat.Without(boat)
	p.Home = p.Home.With(boat)
	for q, n := range p.Crew[boat] {
		p.Saved[q] += n
	}
}

// enter and leave keep the sums of a distance.
func (p *Position) enter(boat int) {
	at := &p.At[p.Steps[boat]&3]
	for q, n := range p.Crew[boat] {
		at[q] += n
	}
	p.Fleet[p.Steps[boat]&3]++
}

func (p *Position) leave(boat int) {
	at := &p.At[p.Steps[boat]&3]
	for q, n := range p.Crew[boat] {
		at[q] -= n
	}
	p.Fleet[p.Steps[boat]&3]--
}

// Over reports whether no boat is afloat.
func (p *Position) Over() bool { return p.Afloat == 0 }

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

// Look returns a boat of a position as people write it.
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

// nobody marks an empty seat of a deal.
const nobody = MaxPlayers

// Deal puts all crew on boats, uniformly at random over all seats; there are
// 6 - players empty ones. The position is before the first leak.
func Deal(players int, chance *arena.Stream) Position {
	var p Position
	p.deal(players, chance)
	return p
}

func (p *Position) deal(players int, chance *arena.Stream) {
	*p = Position{Players: players, Boats: players + 1}
	var seats [MaxBoats * Seats]uint8
	n := p.Boats * Seats
	for i := range n {
		seats[i] = nobody
	}
	for i := range players * Crew {
		seats[i] = uint8(i / Crew)
	}
	draw := *chance // in registers
	for i := n - 1; i > 0; i-- {
		j := draw.IntN(i + 1)
		seats[i], seats[j] = seats[j], seats[i]
	}
	*chance = draw
	for b := range p.Boats {
		p.Steps[b] = Distance
		p.Afloat = p.Afloat.With(b)
		// A boat is counted in a register, a byte for each player and one for the
		// empty seats.
		var crew uint64
		for _, q := range seats[b*Seats : b*Seats+Seats] {
			crew += 1 << uint(8*q&63)
		}
		p.Aboard[b] = uint8(Seats - crew>>(8*nobody))
		for q := range players {
			c := uint8(crew >> uint(8*q&63))
			p.Crew[b][q] = float64(c)
			if c > 0 {
				p.Parties[b]++
			}
		}
	}
	for q := range players {
		p.At[Distance][q] = Crew
	}
	p.Fleet[Distance] = uint8(p.Boats)
}

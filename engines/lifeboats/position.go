package lifeboats

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

// Position is the game between two votes, as everybody sees it. It is a value:
// a copy is independent. Its sums are kept up to date by its methods, so
// strategies read and never write it.
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

// Options are what may be voted for.
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

// Votes is the number of votes that a player has: one, or its crew on the boat
// of an expulsion.
func (p *Position) Votes(player int) int {
	if p.Phase == Expel {
		return int(p.Crew[p.Boat][player])
	}
	return 1
}

// Rank is the place of the boats afloat at a distance: 1 and the number of
// boats afloat that are strictly ahead.
func (p *Position) Rank(steps int) int {
	r := 1
	for d := 1; d < steps; d++ {
		r += int(p.Fleet[d])
	}
	return r
}

// full tells whether a boat afloat has no empty seat.
func (p *Position) full(boat int) bool { return p.Aboard[boat]+p.Leaks[boat] >= Seats }

// Expels tells whether a leak of the boat calls for an expulsion: the boat is
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

// Over tells whether no boat is afloat.
func (p *Position) Over() bool { return p.Afloat == 0 }

// Follow is the position that follows if the vote on p is won by an option: for
// an expulsion after the removal and with the leak counted, for a leak of a
// full boat with everybody still aboard.
func (p *Position) Follow(option int) Position {
	next := *p
	switch p.Phase {
	case Leak:
		next.Flood(option)
	case Expel:
		next.Remove(p.Boat, option)
		next.Flood(p.Boat)
	default:
		next.Move(option)
	}
	return next
}

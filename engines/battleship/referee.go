package battleship

import (
	"fmt"
	"slices"
	"strings"

	"sakusen/engines/arena"
)

// A Player places a fleet and shoots at another. It is used by one goroutine
// for many games; nothing it keeps from one game may change the next.
type Player interface {
	// Place says where the fleet goes, one placement for each ship in the
	// fleet's order. Ships may touch; a ship that leaves the board or overlaps
	// another is a fault. chance is the seat's stream for placing.
	Place(chance *arena.Stream, fleet []Placement)
	// Aim is called once before the first shot of a game.
	Aim(v *View)
	// Shoot chooses the next square; a square shot before is a fault.
	Shoot(v *View) Square
}

// A View is what a shooter sees: the answers to its shots and what follows
// from them. The enemy's board is not in it.
type View struct {
	// Knowledge is kept by the referee and must not be changed.
	*Knowledge
	// Chance is the seat's stream for shooting.
	Chance arena.Stream
	work   uint64 // placements visited
}

// workCap bounds the work counted for one side of one game, placements, so
// that sums over millions of games stay within 64 bits.
const workCap = 1_000_000_000_000

// Visit adds to the work of the shooter's side: the fleet placements, high
// and low 64 bits, that plain enumeration would have visited to find what the
// shooter has counted, which is the number found. Above a million million
// placements a game nothing more is added.
func (v *View) Visit(high, low uint64) {
	if high != 0 || low > workCap {
		low = workCap
	}
	v.work = min(v.work+low, workCap)
}

// Purposes of the streams of a seat.
const (
	Placing arena.Purpose = iota
	Shooting
)

// Placed is an event for watchers of a game: a seat has placed its fleet.
type Placed struct {
	Seat    int
	Fleet   []Placement
	Illegal bool // it loses the game
}

// Shot is an event for watchers of a game: a seat has shot. All shots of seat 0
// until the enemy fleet is sunk come before those of seat 1: no attack depends
// on the other, and the referee plays each to its end.
type Shot struct {
	Seat    int
	Turn    int // of the seat, from 1
	At      Square
	Answer  Answer
	Illegal bool // a square off the board or shot before; there is no answer
}

// Decided is the last event for watchers of a game.
type Decided struct {
	Winner int
	Shots  [2]int // shots of each seat up to the end; later ones are no part of the game
}

// tell writes the game as it was played to people: the fleets, then the shots in turn.
func (ref *referee) tell(story func(string), last, winner int) {
	for seat := range ref.sides {
		ref.tellFleet(story, seat)
	}
	for turn := 1; turn <= ref.sides[last].end; turn++ {
		for seat, s := range &ref.sides {
			switch {
			case turn <= s.fired:
				story(fmt.Sprintf("shot %d of seat %d: %s, %s", turn, seat, ref.rules.board.Name(s.shots[turn-1]), ref.word(s.answers[turn-1])))
			case s.illegal:
				story(fmt.Sprintf("shot %d of seat %d is illegal", turn, seat))
			}
			if turn == ref.sides[last].end && seat == last {
				break
			}
		}
	}
	for seat, s := range &ref.sides {
		if seat != winner && !s.illegal {
			story(fmt.Sprintf("seat %d would have needed %d shots", seat, s.fired))
		}
	}
	story(fmt.Sprintf("seat %d wins", winner))
}

// tellFleet draws a seat's board, one letter for each ship.
func (ref *referee) tellFleet(story func(string), seat int) {
	s, b := ref.sides[seat], ref.rules.board
	var names []string
	for i := range ref.rules.fleet.Ships() {
		names = append(names, fmt.Sprintf("%c %s", 'A'+i, ref.rules.fleet.Ship(i).Class))
	}
	story(fmt.Sprintf("fleet of seat %d: %s", seat, strings.Join(names, ", ")))
	for row := range b.Height() {
		line := make([]byte, b.Width())
		for column := range line {
			line[column] = '.'
			if ship := s.ship[b.At(column, row)]; ship != 0 {
				line[column] = 'A' + ship - 1
			}
		}
		story(fmt.Sprintf("%2d %s", row+1, line))
	}
}

// tellFault writes about a fleet that was placed against the rules.
func (ref *referee) tellFault(fx *arena.Fixture, loser int) {
	if fx.Story != nil {
		fx.Story(fmt.Sprintf("seat %d places an impossible fleet", loser))
		fx.Story(fmt.Sprintf("seat %d wins", 1-loser))
	}
}

// word returns an answer as text for people.
func (ref *referee) word(a Answer) string {
	if ship, ok := a.Ship(); ok {
		return ref.rules.fleet.Ship(ship).Class + " sunk"
	}
	if a == Hit {
		return "hit"
	}
	return "miss"
}

// A referee plays games: both fleets are placed, then each side shoots on its
// own until the enemy fleet is sunk. As no attack depends on one's own board,
// this is the alternating game and what would have followed it; the first
// player wins if it needs no more shots than the second.
type referee struct {
	rules *Rules
	sides [2]*party
}

func newReferee(r *Rules) *referee {
	ref := &referee{rules: r}
	for i := range ref.sides {
		s := &party{fleet: make([]Placement, r.fleet.Ships())}
		s.view.Knowledge = &s.knowledge
		ref.sides[i] = s
	}
	return ref
}

// party is one seat: its fleet, and what its shooting has come to.
type party struct {
	fleet []Placement
	ship  [MaxSquares]uint8 // ship on each square, counted from 1; 0 is water

	view      View
	knowledge Knowledge
	fired     int // legal shots
	struck    int // hits among them
	shots     [MaxSquares]Square
	answers   [MaxSquares]Answer
	hitAt     [MaxSquares]uint8 // the number of the shot of each hit, less 1
	end       int               // number of the shot that sank the fleet, or was illegal
	illegal   bool
}

// put takes the fleet as placed and reports whether it is legal.
func (s *party) put(r *Rules) bool {
	clear(s.ship[:])
	squares := r.board.Squares()
	for i, p := range s.fleet {
		if p.Ship != i || int(p.Start) >= squares {
			return false
		}
		length := r.fleet.Length(i)
		if !r.board.fits(p.Start, length, p.Vertical) {
			return false
		}
		step := 1
		if p.Vertical {
			step = r.board.width
		}
		at := int(p.Start)
		for range length {
			if s.ship[at&(MaxSquares-1)] != 0 {
				return false
			}
			s.ship[at&(MaxSquares-1)] = uint8(i + 1)
			at += step
		}
	}
	return true
}

// attack lets a player shoot at the enemy's fleet until it is sunk, or until
// the player makes an illegal shot. watch, unless nil, is shown the shots of
// the seat.
func (s *party) attack(r *Rules, p Player, enemy *party, t *arena.Transcript, seat int, watch func(event any)) {
	s.knowledge.Reset(r.board, r.fleet)
	s.view.work, s.fired, s.struck, s.illegal = 0, 0, 0, false
	left := r.fleet.lengths
	p.Aim(&s.view)
	for afloat := r.fleet.count; afloat > 0; {
		at := p.Shoot(&s.view)
		if int(at) >= r.board.Squares() || s.knowledge.shot.Has(at) {
			s.illegal, s.end = true, s.fired+1
			if watch != nil {
				watch(Shot{Seat: seat, Turn: s.end, At: at, Illegal: true})
			}
			return
		}
		answer := Miss
		if ship := int(enemy.ship[at]); ship != 0 {
			ship--
			answer = Hit
			if left[ship]--; left[ship] == 0 {
				answer = Sunk(int(r.fleet.alike[ship]))
				afloat--
			}
			s.hitAt[s.struck] = uint8(s.fired)
			s.struck++
		}
		s.knowledge.Record(at, answer)
		s.shots[s.fired], s.answers[s.fired] = at, answer
		s.fired++
		t.Add(uint64(at)<<8 | uint64(answer))
		if watch != nil {
			watch(Shot{Seat: seat, Turn: s.fired, At: at, Answer: answer})
		}
	}
	s.end = s.fired
}

// hits returns the number of hits among the first n shots.
func (s *party) hits(n int) int64 {
	count := s.struck
	for count > 0 && int(s.hitAt[count-1]) >= n {
		count--
	}
	return int64(count)
}

// Play implements arena.Referee.
func (ref *referee) Play(fx *arena.Fixture, players []Player, out *arena.Outcome) error {
	var placed [2]bool
	for seat, s := range &ref.sides {
		chance := fx.Stream(seat, Placing)
		players[seat].Place(&chance, s.fleet)
		for _, p := range s.fleet {
			out.Transcript.Add(uint64(p.Start)<<1 | uint64(side(p.Vertical)))
		}
		placed[seat] = s.put(ref.rules)
		if fx.Watch != nil {
			fx.Watch(Placed{Seat: seat, Fleet: slices.Clone(s.fleet), Illegal: !placed[seat]})
		}
	}
	if !placed[0] || !placed[1] {
		// The first player to place an impossible fleet loses.
		loser := 0
		if placed[0] {
			loser = 1
		}
		out.Faults[loser] = true
		out.Win(1 - loser)
		if fx.Watch != nil {
			fx.Watch(Decided{Winner: 1 - loser})
		}
		ref.tellFault(fx, loser)
		return nil
	}
	for seat, s := range ref.sides {
		s.view.Chance = fx.Stream(seat, Shooting)
		s.attack(ref.rules, players[seat], ref.sides[1-seat], &out.Transcript, seat, fx.Watch)
	}
	ref.decide(fx, out)
	return nil
}

// decide finds the shot that ends the game, of both sides' shooting the one
// that comes first in turn, and counts the game up to it.
func (ref *referee) decide(fx *arena.Fixture, out *arena.Outcome) {
	last := 0
	if ref.sides[1].end < ref.sides[0].end {
		last = 1
	}
	winner := last
	if ref.sides[last].illegal {
		out.Faults[last] = true
		winner = 1 - last
	}
	out.Win(winner)
	end := Decided{Winner: winner}
	for seat, s := range &ref.sides {
		turns := ref.sides[last].end
		if seat == 1 && last == 0 {
			turns-- // the second player has no turn after the first's last shot
		}
		shots := min(turns, s.fired)
		end.Shots[seat] = shots
		counts := out.Counts(seat)
		counts[shotsFired] = int64(shots)
		counts[shotsHit] = s.hits(shots)
		counts[shotsToWin] = int64(s.fired)
		counts[placementsVisited] = int64(s.view.work)
	}
	if fx.Watch != nil {
		fx.Watch(end)
	}
	if fx.Story != nil {
		ref.tell(fx.Story, last, winner)
	}
}

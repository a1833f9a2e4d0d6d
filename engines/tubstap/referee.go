package tubstap

import (
	"fmt"
	"slices"
	"strings"

	"sakusen/engines/arena"
)

// Board is a position as a watcher of a game keeps it: the units are a copy.
// Those with HP 0 are off the board and lie where they fell.
type Board struct {
	Map     *Map // is not changed
	Units   []Unit
	Mover   Team // whose turn it is
	Counter int  // half-turns played
}

// Board returns a copy of what is on the board.
func (s *State) Board() Board {
	return Board{Map: s.m, Units: slices.Clone(s.units), Mover: s.mover, Counter: s.counter}
}

// HP returns the sum of the HP of a side, points.
func (b *Board) HP(t Team) int {
	sum := 0
	for i := range b.Units {
		if b.Units[i].Team == t {
			sum += int(b.Units[i].HP)
		}
	}
	return sum
}

// Alive returns the number of units a side has.
func (b *Board) Alive(t Team) int {
	n := 0
	for i := range b.Units {
		if b.Units[i].Team == t && b.Units[i].Alive() {
			n++
		}
	}
	return n
}

// Began is the event of the game's start.
type Began struct{ Board Board }

// Acted is the event of one unit's action.
type Acted struct {
	Step  Step
	Board Board // after the action
}

// TurnEnded is the event of a turn's end.
type TurnEnded struct {
	Team  Team  // whose turn it was
	Board Board // the other side is to move
}

// Refused is the event of an action against the rules, which loses the game.
type Refused struct {
	Team   Team
	Reason string
	Board  Board
}

// Ended is the event of the game's end, not told after Refused.
type Ended struct {
	Winner Team // Nobody for a draw
	Ending Ending
	Board  Board
}

// Events writes a recorded game as the referee writes one that it plays; units
// that a turn's end leaves where they are act in no event of their own. A record
// that Replay refuses is not told at all. An error of watch ends the telling and
// is returned.
func (r *replayFile) Events(rules Rules, watch func(event any) error) error {
	if _, err := r.Replay(rules); err != nil {
		return err
	}
	s := r.start(rules)
	if err := watch(Began{Board: s.Board()}); err != nil {
		return err
	}
	for _, t := range r.Turns {
		for _, step := range t.Steps {
			if err := eventSink(watch).tell(s, step); err != nil {
				return err
			}
		}
		s.EndTurn()
		if err := watch(TurnEnded{Team: t.Team, Board: s.Board()}); err != nil {
			return err
		}
	}
	if winner, end := s.Result(); end != Running {
		return watch(Ended{Winner: winner, Ending: end, Board: s.Board()})
	}
	return nil
}

// eventSink takes the events of a game.
type eventSink func(event any) error

// tell does a step that has been checked, and passes on what it did.
func (watch eventSink) tell(s *State, step Step) error {
	switch step.Type {
	case TypeResign:
		s.resign()
		return nil
	case TypeTurnEnd:
		s.StayAll()
		return nil
	}
	a, err := step.Action()
	if err != nil {
		return err
	}
	s.Do(a)
	return watch(Acted{Step: step, Board: s.Board()})
}

// Purposes of the fixture's streams.
const (
	chanceNoise arena.Purpose = iota
	chancePlay
)

// referee plays games of one map.
type referee struct {
	options *Options
	start   *State
	state   *State
	shown   *State
	units   []Unit
	streams [2]arena.Stream
}

func newReferee(o *Options) (arena.Referee[Player], error) {
	m, err := o.Map()
	if err != nil {
		return nil, err
	}
	s := m.Start(o.Rules())
	return &referee{options: o, start: s, state: s.Clone(), shown: s.Clone()}, nil
}

// Play implements arena.Referee. A player that answers with an illegal
// action loses the game at once.
func (r *referee) Play(fx *arena.Fixture, players []Player, out *arena.Outcome) error {
	s := r.state
	s.CopyFrom(r.start)
	if r.options.NoiseHP || r.options.NoisePos {
		chance := fx.Chance(chanceNoise)
		r.units = append(r.units[:0], r.start.units...)
		shake(s.m, r.units, r.options.NoisePos, r.options.NoiseHP, &chance)
		copy(s.units, r.units)
		s.settle()
	}
	for seat := range r.streams {
		r.streams[seat] = fx.Stream(seat, chancePlay)
	}
	if fx.Watch != nil {
		fx.Watch(Began{Board: s.Board()})
	}
	for !s.Over() {
		if !r.turn(fx, players, out) {
			out.Win(int(s.mover.Other()))
			r.count(out)
			return nil
		}
		s.EndTurn()
		if fx.Watch != nil {
			fx.Watch(TurnEnded{Team: s.mover.Other(), Board: s.Board()})
		}
	}
	winner, end := s.Result()
	if winner == Nobody {
		out.Share(func(int) bool { return true })
	} else {
		out.Win(int(winner))
	}
	if fx.Story != nil {
		fx.Story(fmt.Sprintf("%v after %d half-turns, winner %v, HP %d to %d", end, s.counter, winner, s.hp[Red], s.hp[Blue]))
	}
	if fx.Watch != nil {
		fx.Watch(Ended{Winner: winner, Ending: end, Board: s.Board()})
	}
	r.count(out)
	return nil
}

// turn plays the mover's turn; it returns false after a fault.
func (r *referee) turn(fx *arena.Fixture, players []Player, out *arena.Outcome) bool {
	s := r.state
	if s.TurnDone() {
		return true
	}
	p := players[s.mover]
	r.shown.CopyFrom(s)
	p.Turn(r.shown, &r.streams[s.mover])
	for !s.TurnDone() {
		r.shown.CopyFrom(s)
		a := p.Act(r.shown)
		if err := s.Check(a); err != nil {
			out.Faults[s.mover] = true
			if fx.Story != nil {
				fx.Story(fmt.Sprintf("turn %d, %v: illegal: %v", s.counter, s.mover, err))
			}
			if fx.Watch != nil {
				fx.Watch(Refused{Team: s.mover, Reason: err.Error(), Board: s.Board()})
			}
			return false
		}
		if fx.Story != nil {
			fx.Story(fmt.Sprintf("turn %d, %v: %s", s.counter, s.mover, s.Describe(a)))
		}
		if fx.Watch == nil {
			s.Do(a)
		} else {
			step := s.StepOf(a)
			s.Do(a)
			fx.Watch(Acted{Step: step, Board: s.Board()})
		}
		out.Transcript.Add(uint64(uint16(a.Unit))<<32 | uint64(uint16(a.Target))<<16 | uint64(a.X)<<8 | uint64(a.Y))
	}
	return true
}

func (r *referee) count(out *arena.Outcome) {
	s := r.state
	_, end := s.Result()
	for seat := range 2 {
		c := out.Counts(seat)
		c[0], c[1], c[2] = int64(s.hp[seat]), int64(s.alive[seat]), int64(s.counter)
		if end == TurnLimit {
			c[3] = 1
		}
	}
}

// Describe returns an action in words, before it is done.
func (s *State) Describe(a Action) string {
	u := s.units[a.Unit]
	text := fmt.Sprintf("%s%d (%d HP) stays at (%d,%d)", u.Kind.Mark(), a.Unit, u.HP, u.X, u.Y)
	if a.X != u.X || a.Y != u.Y {
		text = fmt.Sprintf("%s%d (%d HP) goes (%d,%d) to (%d,%d)", u.Kind.Mark(), a.Unit, u.HP, u.X, u.Y, a.X, a.Y)
	}
	if a.Target == NoUnit {
		return text
	}
	d := s.units[a.Target]
	damage, counter := s.Exchange(a)
	return fmt.Sprintf("%s, hits %s%d (%d HP) for %d, takes %d", text, d.Kind.Mark(), a.Target, d.HP, damage, counter)
}

// terrainMarks are the letters of the terrains on a drawn board.
const terrainMarks = "#.~*^=%"

// terminal colours of the sides and of units that have acted.
const (
	redInk   = "\x1b[31m"
	blueInk  = "\x1b[34m"
	dimInk   = "\x1b[2m"
	resetInk = "\x1b[0m"
)

// Draw returns the board as text, one line a row, for a terminal. A unit is its
// letter (upper case Red, lower case Blue), its HP (X for 10), and ' once it
// has acted. Terrain: # wall, . plain, ~ sea, * forest, ^ mountain, = road,
// % fortress.
func (s *State) Draw(colour bool) string {
	var b strings.Builder
	b.WriteString("    ")
	for x := 1; x <= s.m.SizeX-2; x++ {
		fmt.Fprintf(&b, "%-4d", x)
	}
	b.WriteByte('\n')
	for y := 1; y <= s.m.SizeY-2; y++ {
		fmt.Fprintf(&b, "%-4d", y)
		for x := 1; x <= s.m.SizeX-2; x++ {
			b.WriteByte(terrainMarks[s.m.At(x, y)])
			if id := s.unitAt(x, y); id == NoUnit {
				b.WriteString("   ")
			} else {
				b.WriteString(s.units[id].draw(colour))
			}
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "turn %d of %d, %v to move, HP red %d, blue %d\n", s.counter, s.m.TurnLimit, s.mover, s.hp[Red], s.hp[Blue])
	return b.String()
}

// draw returns the unit in three columns of a terminal.
func (u Unit) draw(colour bool) string {
	mark, ink := u.Kind.Mark(), redInk
	if u.Team == Blue {
		mark, ink = strings.ToLower(mark), blueInk
	}
	hp := fmt.Sprint(u.HP)
	if u.HP >= FullHP {
		hp = "X"
	}
	acted := " "
	if u.Finished {
		acted, ink = "'", ink+dimInk
	}
	if !colour {
		return mark + hp + acted
	}
	return ink + mark + hp + acted + resetInk
}

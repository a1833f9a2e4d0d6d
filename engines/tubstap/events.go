package tubstap

import "slices"

// Board is a position as a watcher of a game keeps it: the units are a copy.
// Those with HP 0 are off the board and lie where they fell.
type Board struct {
	Map     *Map // is not changed
	Units   []Unit
	Mover   Team // whose turn it is
	Counter int  // half-turns played
}

// Board is a copy of what is on the board.
func (s *State) Board() Board {
	return Board{Map: s.m, Units: slices.Clone(s.units), Mover: s.mover, Counter: s.counter}
}

// HP is the sum of the HP of a side, points.
func (b *Board) HP(t Team) int {
	sum := 0
	for i := range b.Units {
		if b.Units[i].Team == t {
			sum += int(b.Units[i].HP)
		}
	}
	return sum
}

// Alive is the number of units a side has.
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

// Events tells a recorded game as the referee tells one that it plays; units
// that a turn's end leaves where they are act in no event of their own. A record
// that Replay refuses is not told at all. An error of watch ends the telling and
// is returned.
func (r *ReplayFile) Events(rules Rules, watch func(event any) error) error {
	if _, err := r.Replay(rules); err != nil {
		return err
	}
	s := r.start(rules)
	if err := watch(Began{Board: s.Board()}); err != nil {
		return err
	}
	for _, t := range r.Turns {
		for _, step := range t.Steps {
			if err := s.tellStep(step, watch); err != nil {
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

// tellStep does a step that has been checked, and tells it.
func (s *State) tellStep(step Step, watch func(event any) error) error {
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

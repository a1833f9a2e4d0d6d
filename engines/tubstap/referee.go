package tubstap

import (
	"fmt"

	"sakusen/engines/arena"
)

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

// Describe tells an action in words, before it is done.
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

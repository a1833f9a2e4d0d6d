package tubstap

// Ending is how a game ended.
type Ending uint8

// The endings.
const (
	Running      Ending = iota
	Annihilation        // a side has no unit
	Resignation
	TurnLimit // judged by the sums of HP
)

// String is the word used in records of games.
func (e Ending) String() string {
	return [...]string{"running", "annihilation", "resignation", "turnlimit"}[e]
}

// Over says whether the game has ended. It is asked between turns, after
// EndTurn.
func (s *State) Over() bool {
	_, e := s.Result()
	return e != Running
}

// Result is the winner (Nobody for a draw or a running game) and the
// ending, tested in the order of the program. A difference of HP equal to
// the threshold is a draw.
func (s *State) Result() (Team, Ending) {
	switch {
	case s.alive[Red] == 0:
		return Blue, Annihilation
	case s.alive[Blue] == 0:
		return Red, Annihilation
	case s.resigned != Nobody:
		return s.resigned.Other(), Resignation
	case s.counter < s.m.TurnLimit:
		return Nobody, Running
	case s.hp[Red] > s.hp[Blue]+s.m.Threshold:
		return Red, TurnLimit
	case s.hp[Blue] > s.hp[Red]+s.m.Threshold:
		return Blue, TurnLimit
	}
	return Nobody, TurnLimit
}

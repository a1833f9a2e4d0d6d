package tubstap

import "math"

// LogMoves is the estimated number of legal moves of team t's turn, as a
// logarithm to base 10: |U|! times the product of |A(s,u)|, over all units
// of the team, acted or not (Sagehashi, Muto and Nishino 2017, equation 2).
func (s *State) LogMoves(t Team) float64 {
	var buf [256]Action
	sum, n := 0.0, 0
	for id := range s.units {
		if s.units[id].HP == 0 || s.units[id].Team != t {
			continue
		}
		n++
		sum += math.Log10(float64(n))
	}
	for id := range s.units {
		if s.units[id].HP > 0 && s.units[id].Team == t {
			sum += math.Log10(float64(len(s.AppendActions(buf[:0], id))))
		}
	}
	return sum
}

// Choices is the number of unit actions the mover has now: the sum of
// |A(s,u)| over its units that have not acted, which is the number of children
// at the root of a search over unit actions.
func (s *State) Choices() int {
	var buf [256]Action
	n := 0
	for id := range s.units {
		if s.Movable(id) {
			n += len(s.AppendActions(buf[:0], id))
		}
	}
	return n
}

package match

import (
	"sakusen/engines/arena"
	"sakusen/tuner/rating"
)

// addRaces notes the lengths of a run's games, where the game is a race: both play alone, and
// the shorter length wins, the first seat's on a tie. A game that was decided otherwise, such
// as by a fault, ends that.
func (m *Match) addRaces(r *arena.Run) {
	rs := m.Series.Ruleset
	at := rs.Component(rs.Game.Race)
	if at < 0 || m.Test != nil || m.uneven || r.Seats != 2 || r.Rotations != 2 {
		m.uneven = true
		return
	}
	for b := range r.Blocks {
		var one rating.Lengths
		for rotation := range 2 {
			first, second := r.Game(b, rotation, 0), r.Game(b, rotation, 1) // by seat
			if won := first[0] > second[0]; won != (first[2+at] <= second[2+at]) || first[1]+second[1] > 0 {
				m.uneven, m.races = true, nil
				return
			}
			if rotation == 1 {
				first, second = second, first
			}
			one.First[rotation], one.Second[rotation] = first[2+at], second[2+at]
		}
		m.races = append(m.races, one)
	}
}

// allPairs is the estimate from them, nil where there is none.
func (m *Match) allPairs() *rating.Pairs {
	if m.uneven || m.repeated() > 0 {
		return nil
	}
	if p := rating.AllPairs(m.races); p.Score.Defined {
		return &p
	}
	return nil
}

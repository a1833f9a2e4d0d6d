package entry

import (
	"sakusen/engines/arena"
	"sakusen/tuner/rating"
)

// Race gathers the lengths of the games of a race between two: both play alone, and the
// shorter length wins, the first seat's on a tie. See [rating.Place]. A nil Race gathers
// nothing.
type Race struct {
	at     int // the component that is the length
	blocks []rating.Lengths
	uneven bool
}

// NewRace is nil where the game is no race between two.
func NewRace(rs *arena.Ruleset) *Race {
	at := rs.Component(rs.Game.Race)
	if at < 0 || rs.Seats != 2 {
		return nil
	}
	return &Race{at: at}
}

// Add adds the games of a run. A game that was decided otherwise than by its lengths, such
// as by a fault, and a mirror block end that there are any.
func (r *Race) Add(run *arena.Run) {
	if r == nil || r.uneven {
		return
	}
	if run.Seats != 2 || run.Rotations != 2 {
		r.uneven = true
		return
	}
	for b := range run.Blocks {
		var one rating.Lengths
		for rotation := range 2 {
			first, second := run.Game(b, rotation, 0), run.Game(b, rotation, 1) // by seat
			if won := first[0] > second[0]; won != (first[2+r.at] <= second[2+r.at]) || first[1]+second[1] > 0 {
				r.uneven = true
				return
			}
			if rotation == 1 {
				first, second = second, first
			}
			one.First[rotation], one.Second[rotation] = first[2+r.at], second[2+r.at]
		}
		r.blocks = append(r.blocks, one)
	}
}

// Lengths are those of the blocks so far, none where a game was decided otherwise.
func (r *Race) Lengths() []rating.Lengths {
	if r == nil || r.uneven {
		return nil
	}
	return r.blocks
}

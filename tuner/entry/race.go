package entry

import (
	"sakusen/engines/arena"
	"sakusen/tuner/rating"
)

// Race gathers the lengths of the games of a race between two: both play alone, and the
// shorter length wins, the first seat's on a tie. See [rating.Place]. A nil Race gathers
// nothing.
type Race struct {
	at     int                // the component that is the length
	blocks [][]rating.Lengths // in parts of partBlocks
	uneven bool
}

// partBlocks is the number of blocks of a part: whole parts stay where they are while the
// race goes on.
const partBlocks = 4096

// NewRace is nil where the game is no race between two.
func NewRace(rs *arena.Ruleset) *Race {
	at := rs.Component(rs.Game.Race)
	if at < 0 || rs.Seats != 2 {
		return nil
	}
	return &Race{at: at}
}

// Add adds the games of a run. A game that was decided otherwise than by its lengths, such
// as by a fault, a length of 2^31 or more, and a mirror block end that there are any.
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
			x, y := first[2+r.at], second[2+r.at]
			one.First[rotation], one.Second[rotation] = int32(x), int32(y)
			if int64(one.First[rotation]) != x || int64(one.Second[rotation]) != y {
				r.uneven = true
				return
			}
		}
		last := len(r.blocks) - 1
		if last < 0 || len(r.blocks[last]) == partBlocks {
			r.blocks = append(r.blocks, nil)
			last++
		}
		r.blocks[last] = append(r.blocks[last], one)
	}
}

// Lengths are those of the blocks so far, in parts; none where a game was decided otherwise.
func (r *Race) Lengths() [][]rating.Lengths {
	if r == nil || r.uneven {
		return nil
	}
	return r.blocks
}

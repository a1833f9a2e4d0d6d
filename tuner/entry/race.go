package entry

import (
	"iter"

	"sakusen/engines/arena"
	"sakusen/tuner/stats"
)

// Race gathers the lengths of the games of a race between two: both play alone, and the
// shorter length wins, the first seat's on a tie. See [stats.Place]. A nil Race gathers
// nothing.
type Race struct {
	at     int // the component that is the length
	parts  []part
	uneven bool
}

// part is blocks that follow each other, at most partBlocks: a long race keeps the lengths of
// every block, nearly always in 8 bytes. Either short or long is empty.
type part struct {
	short [][4]uint16 // as in stats.Lengths, the first entrant's before the second's
	long  []stats.Lengths
}

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
		var one stats.Lengths
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
		r.parts = appendLengths(r.parts, one)
	}
}

// appendLengths appends the lengths of a block.
func appendLengths(parts []part, one stats.Lengths) []part {
	short := [4]uint16{uint16(one.First[0]), uint16(one.First[1]), uint16(one.Second[0]), uint16(one.Second[1])}
	fits := lengths(short) == one
	last := len(parts) - 1
	if last < 0 || len(parts[last].short)+len(parts[last].long) == partBlocks || fits != (parts[last].long == nil) {
		parts = append(parts, part{})
		last++
	}
	if p := &parts[last]; fits {
		p.short = append(p.short, short)
	} else {
		p.long = append(p.long, one)
	}
	return parts
}

// lengths are those of a block of a part.
func lengths(short [4]uint16) stats.Lengths {
	return stats.Lengths{First: [2]int64{int64(short[0]), int64(short[1])}, Second: [2]int64{int64(short[2]), int64(short[3])}}
}

// Lengths yields those of the blocks so far, none where a game was decided otherwise.
func (r *Race) Lengths() iter.Seq[stats.Lengths] {
	return func(yield func(stats.Lengths) bool) {
		if r == nil || r.uneven {
			return
		}
		for i := range r.parts {
			for _, short := range r.parts[i].short {
				if !yield(lengths(short)) {
					return
				}
			}
			for _, long := range r.parts[i].long {
				if !yield(long) {
					return
				}
			}
		}
	}
}

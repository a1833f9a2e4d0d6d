package arena

// Run is the exact result of consecutive blocks, all integers: what is stored,
// and what a tally is added up from.
type Run struct {
	Seats, Components int
	// Rotations is the number of games of each block: Seats, or 1 for mirror
	// blocks, whose rotations are all the same game.
	Rotations int
	From      int64 // index of the first block
	Blocks    int
	// Digests holds the transcript digest of each game, block by block and
	// rotation by rotation.
	Digests []uint64
	// Values holds, in the same order and seat by seat, Width() integers: the
	// score in units of 1/Scale(Seats), 1 for a fault, and the components.
	Values []int64
	// Worker is the name of the worker who played it, empty if it has none. It is no part
	// of the result. Runs of two workers that are joined have none.
	Worker string
}

// NewRun is an empty run with room for n blocks.
func NewRun(seats, components, rotations int, from int64, n int) *Run {
	r := &Run{Seats: seats, Components: components, Rotations: rotations, From: from}
	r.Digests = make([]uint64, 0, n*rotations)
	r.Values = make([]int64, 0, n*rotations*seats*r.Width())
	return r
}

// Width is the number of integers of one seat in one game.
func (r *Run) Width() int { return 2 + r.Components }

// Game is the integers of one seat in one game: score, fault, components.
func (r *Run) Game(block, rotation, seat int) []int64 {
	w := r.Width()
	at := ((block*r.Rotations+rotation)*r.Seats + seat) * w
	return r.Values[at : at+w]
}

// Mirror tells whether the blocks are mirror blocks.
func (r *Run) Mirror() bool { return r.Rotations == 1 && r.Seats > 1 }

// Slice is the run of the blocks from..to, which must lie inside r. It shares
// r's memory.
func (r *Run) Slice(from, to int64) *Run {
	i, j := int(from-r.From), int(to-r.From)
	per := r.Rotations * r.Seats * r.Width()
	return &Run{
		Seats: r.Seats, Components: r.Components, Rotations: r.Rotations, From: from, Blocks: j - i, Worker: r.Worker,
		Digests: r.Digests[i*r.Rotations : j*r.Rotations],
		Values:  r.Values[i*per : j*per],
	}
}

// add appends one game's outcome.
func (r *Run) add(o *Outcome) {
	r.Digests = append(r.Digests, o.Transcript.Sum())
	for s, score := range o.Scores {
		fault := int64(0)
		if o.Faults[s] {
			fault = 1
		}
		r.Values = append(r.Values, score, fault)
		r.Values = append(r.Values, o.Counts(s)...)
	}
}

// Join appends the run that follows r, block after block.
func (r *Run) Join(next *Run) {
	if r.Blocks == 0 {
		r.Worker = next.Worker
	} else if r.Worker != next.Worker {
		r.Worker = ""
	}
	r.Digests = append(r.Digests, next.Digests...)
	r.Values = append(r.Values, next.Values...)
	r.Blocks += next.Blocks
}

// VoidComponent is the component that counts the games of void blocks, where a game
// has it.
const VoidComponent = "void"

// voidLast makes draws of the games of the last block, whole in r but not yet
// counted, and counts them in a component, unless that is negative.
func (r *Run) voidLast(component int) {
	share := Scale(r.Seats) / int64(r.Seats)
	for rotation := range r.Rotations {
		for seat := range r.Seats {
			values := r.Game(r.Blocks, rotation, seat)
			values[0] = share
			if component >= 0 {
				values[2+component] = 1
			}
		}
	}
}

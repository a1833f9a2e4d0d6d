package film

import (
	"fmt"
	"slices"

	"sakusen/engines/arena"
	"sakusen/engines/param"
)

// Film is one game, frame by frame.
type Film struct {
	Game     string
	Entrants []arena.Entrant // by entrant; entrant e sits in seat (e + Rotation) mod seats
	Rules    param.Values
	Seed     uint64
	Phase    arena.Phase
	Block    int64
	Rotation int
	Frames   []Frame
	// Result is how the game ended; nil where the film was cut before.
	Result *Result
	// Cut says why the film stops before the end of the game; empty if it does not.
	Cut string
}

// Frame is the game after one step.
type Frame struct {
	Step int    // from 0, the beginning
	Seat int    // who has acted, Nobody if that is no seat
	Text string // the step in words, one line, not escaped
	SVG  string // one drawing or several, each an svg element; empty where the game has no drawer
	// Standing is how each seat stands, by seat, from 0 to 1 in the measure that the scene
	// names; nil where it is as before, or the drawer does not say.
	Standing []float64
	// Mark is what stands out at this step, such as "sunk"; empty where nothing does.
	Mark string
}

// Nobody is the seat of what no seat has done.
const Nobody = -1

// Result is the end of a game.
type Result struct {
	Digest string // of the transcript, sixteen hexadecimal digits
	Seats  []Seat
	// Run is the game as the arena counts it: one block of one game.
	Run *arena.Run
}

// Seat is what became of one seat.
type Seat struct {
	Entrant int     // index of who sat there
	Score   float64 // share of the game, 0 to 1
	Fault   bool    // made an illegal move
}

// nameLength is the length of the names in captions, letters: entrants spelled out
// may have a thousand.
const nameLength = 48

// SeatNames are the entrants' names by seat, told apart and cut to a length that
// captions bear.
func SeatNames(entrants []arena.Entrant, rotation int) []string {
	names := make([]string, len(entrants))
	short := slices.Clone(entrants)
	for e := range short {
		short[e].Name = Clip(short[e].Name, nameLength)
	}
	for e, one := range arena.Distinct(short) {
		names[(e+rotation)%len(entrants)] = one.Name
	}
	return names
}

// resultOf reads the result of a run of one game.
func resultOf(run *arena.Run, rotation int) *Result {
	r := &Result{Digest: fmt.Sprintf("%016x", run.Digests[0]), Run: run}
	for seat := range run.Seats {
		v := run.Game(0, 0, seat)
		r.Seats = append(r.Seats, Seat{
			Entrant: (seat - rotation + run.Seats) % run.Seats,
			Score:   float64(v[0]) / float64(arena.Scale(run.Seats)),
			Fault:   v[1] != 0,
		})
	}
	return r
}

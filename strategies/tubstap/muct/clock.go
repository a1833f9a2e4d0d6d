package muct

import (
	"sakusen/engines/param"
	"sakusen/engines/tubstap"
)

// Clock is the original program's time for a turn as a number of playouts, so
// that the same seed plays the same game on any machine.
//
// The program stops a search when it has lasted longer than what is left of the
// turn's 9.7 seconds, divided by the mover's units that have not acted. A playout
// takes it about as long as the square of the units on the board. It makes a new
// generator for each playout and seeds it by a clock that moves every 15.6 ms, so
// that all playouts of such a moment draw the same numbers.
//
// Source: TUBSTAP 0.108, the class of M-UCT.
type Clock struct {
	Rate    float64 // playouts a second with 24 units on the board
	Seconds float64 // for each turn
	Shared  bool    // playouts of one moment draw the same numbers
}

// moment is how often the program's clock moves, seconds.
const moment = 0.0156

// declare binds the clock's parameters.
func (c *Clock) declare(f *param.Fields) {
	f.Float(&c.Rate, "playouts_a_second", 850, param.Log(1, 1_000_000), "speed with 24 units on the board; fewer units are faster by the square of their number, playouts/s", param.Fixed())
	f.Float(&c.Seconds, "seconds_a_turn", 9.7, param.Range(0.001, 100_000), "time for each turn, divided among the units that have not acted, seconds", param.Fixed())
	f.Bool(&c.Shared, "shared_stream", true, "the playouts of 15.6 ms draw the same numbers, as those of the program do", param.Fixed())
}

// pace is what the clock leaves to one search.
type pace struct {
	playouts int // at most
	shared   int // consecutive playouts that draw the same numbers; 0 is none
}

// spend gives a search its share of what is left of the turn's time, and tells
// what is left after it. A search has at least one playout.
func (c *Clock) spend(left float64, simulations int, s *tubstap.State) (pace, float64) {
	units := float64(s.Alive(tubstap.Red) + s.Alive(tubstap.Blue))
	rate := float64(c.Rate * (24 * 24) / (units * units))
	share := max(0, left) / float64(s.Unmoved(s.Mover()))
	p := pace{playouts: simulations}
	if most := float64(rate * share); most < float64(simulations) {
		p.playouts = max(1, int(most))
	}
	if c.Shared {
		p.shared = max(1, int(rate*moment))
	}
	return p, left - float64(p.playouts)/rate
}

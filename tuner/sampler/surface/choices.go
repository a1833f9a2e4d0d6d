package surface

import (
	"math"

	"sakusen/engines/arena"
	"sakusen/tuner/sampler/shared"
)

const (
	choiceKey = 0x63686f696365 // of the random numbers of choices
	// choiceReach is how far from the iterate, a share of the range, the numbers are taken to be
	// tuned when values of choices are compared for a pair of the climb.
	choiceReach = 0.3
	// lookShare is the share of the pairs of a search of rateBlocks blocks that look for tops elsewhere.
	// It grows with the root of the blocks, to mostLooks. leapSure is how many errors higher such a
	// top must be for the climb to go on there.
	lookShare, mostLooks, leapSure = 0.06, 0.3, 3
	// sweeps bounds the rounds in which a top is looked for, and stillness is the move below which
	// it is found.
	sweeps    = 30
	stillness = 1e-4
)

// chooser chooses the values of switches and choices.
type chooser struct {
	*model
	climb *climb
}

// draw returns the top, within a reach of the iterate, of a surface drawn from what is believed (W. Thompson, On the
// likelihood that one unknown probability exceeds another, 1933). Each value of a choice is judged
// with its numbers tuned, so that one that pays only once tuned is not judged as it stands.
func (c chooser) draw(seed uint64, draw int, reach float64) []float64 {
	rng := arena.NewStream(seed^choiceKey, uint64(draw))
	w := make([]float64, c.size())
	for i := range w {
		w[i] = shared.Normal(&rng)
	}
	c.root.Backward(w)
	for i := range w {
		w[i] += c.mean[i]
	}
	return c.top(w, c.climb.under(c.box, c.centre), reach)
}

// top returns the highest point of a surface that is found from a point and, for every value of
// every choice, from the same point with that value.
func (c chooser) top(w, from []float64, reach float64) []float64 {
	best := append([]float64(nil), from...)
	high := c.climbFrom(w, best, from, reach)
	for _, i := range c.choices {
		for v := range c.axes[i].Cells {
			if float64(v) == from[i] {
				continue
			}
			x := append([]float64(nil), from...)
			x[i] = float64(v)
			if h := c.climbFrom(w, x, from, reach); h > high {
				best, high = x, h
			}
		}
	}
	return best
}

// climbFrom moves each parameter of a point to its best value until none moves, and returns the
// height.
func (c chooser) climbFrom(w, x, from []float64, reach float64) float64 {
	for range sweeps {
		moved := c.sweep(w, x, from, reach)
		on := c.active(x)
		for _, i := range c.choices {
			if !on[i] {
				continue
			}
			before, at, high := x[i], x[i], math.Inf(-1)
			for v := range c.axes[i].Cells {
				x[i] = float64(v)
				if h := c.height(w, x); h > high+stillness {
					at, high = x[i], h
				}
			}
			if x[i] = at; at != before {
				moved = 1
				c.mark(on, x)
			}
		}
		if moved < stillness {
			break
		}
	}
	return c.height(w, x)
}

// looking reports whether a pair is two tops of what may be, anywhere.
func (s *Surface) looking(pair int) bool {
	share := math.Min(lookShare*math.Sqrt(s.climb.of/rateBlocks), mostLooks)
	if s.circle {
		share = circleLooks
	}
	return math.Floor(share*float64(pair+1)) > math.Floor(share*float64(pair))
}

// leap moves the climb to the model's optimum if that is surely higher and no pair reaches it.
func (s *Surface) leap() {
	c := chooser{s.model, s.climb}
	top := c.top(s.model.mean, s.climb.under(s.box, s.box.centre), 1)
	at := s.climb.under(s.box, top)
	reach, _ := s.climb.gains()
	far := 0.0
	for _, i := range s.box.numbers {
		far = math.Max(far, math.Abs(top[i]-at[i]))
	}
	if h, sd := s.model.above(top, at); far > reach && h > leapSure*sd {
		s.climb.jump(top)
	}
}

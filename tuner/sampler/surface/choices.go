package surface

import (
	"math"

	"sakusen/engines/arena"
	"sakusen/tuner/sampler/shared"
)

const (
	choiceKey = 0x63686f696365 // of the random numbers of choices
	// lookShare is the share of the pairs of a search of rateBlocks blocks that look for tops elsewhere;
	// it grows with the root of the blocks, to mostLooks.
	lookShare, mostLooks = 0.06, 0.3
	// choiceReach is how far from the iterate, a share of the range, the numbers are taken to be
	// tuned when values of choices are compared for a pair of the climb.
	choiceReach = 0.3
	// sweeps bounds the rounds in which a top is looked for, and stillness is the move below which
	// it is found.
	sweeps    = 30
	stillness = 1e-4
)

// draw returns the top, within a reach of a point, of a surface drawn from what is believed (W. Thompson,
// On the likelihood that one unknown probability exceeds another, 1933). Each value of a choice is
// judged with its numbers tuned, so that one that pays only once tuned is not judged as it stands.
func (m *model) draw(seed uint64, draw int, from []float64, reach float64) []float64 {
	rng := arena.NewStream(seed^choiceKey, uint64(draw))
	w := make([]float64, m.size())
	for i := range w {
		w[i] = shared.Normal(&rng)
	}
	m.root.Backward(w)
	for i := range w {
		w[i] += m.mean[i]
	}
	return m.top(w, from, reach)
}

// top returns the highest point of a surface that is found from a point and, for every value of
// every choice on which other parameters depend, from the same point with that value; numbers go no
// farther than reach.
func (m *model) top(w, from []float64, reach float64) []float64 {
	best := append([]float64(nil), from...)
	high := m.climbFrom(w, best, from, reach)
	for _, i := range m.choices {
		for v := range m.axes[i].Cells {
			if float64(v) == from[i] || !m.decides[i] && !m.has(shift) && !m.has(both) {
				continue
			}
			x := append([]float64(nil), from...)
			x[i] = float64(v)
			if h := m.climbFrom(w, x, from, reach); h > high {
				best, high = x, h
			}
		}
	}
	return best
}

// climbFrom moves each parameter of a point to its best value until none moves, and returns the
// height.
func (m *model) climbFrom(w, x, from []float64, reach float64) float64 {
	for range sweeps {
		moved := m.sweep(w, x, from, reach)
		for _, i := range m.choices {
			if !m.on[i] {
				continue
			}
			before, at, high, l := x[i], x[i], math.Inf(-1), m.first[i]
			for v := range m.axes[i].Cells {
				h := 0.0
				if m.decides[i] {
					x[i] = float64(v)
					h = m.height(w, x)
				} else if float64(v) != m.centre[i] {
					h = m.part(w, l)
					l++
				}
				if h > high+stillness {
					at, high = float64(v), h
				}
			}
			if x[i] = at; at != before {
				moved = 1
			}
			if at != before || m.decides[i] {
				m.look(x)
			}
		}
		if moved < stillness {
			break
		}
	}
	return m.height(w, x)
}

// looking reports whether a pair is a look: the tops of two drawn surfaces, anywhere in the box.
func (s *Surface) looking(pair int) bool {
	share := math.Min(lookShare*math.Sqrt(s.climb.of/rateBlocks), mostLooks)
	if s.model.circle {
		share = circleLooks
	}
	return math.Floor(share*float64(pair+1)) > math.Floor(share*float64(pair))
}

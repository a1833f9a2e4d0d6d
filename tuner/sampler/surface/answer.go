package surface

import (
	"math"

	"sakusen/tuner"
)

// misfit is by how much the height of a model may be wrong, as a share of the height, and
// leastMisfit at least, Elo.
const misfit, leastMisfit = 0.7, 15

// answer returns the point that is believed best: halfway from the mean iterate to the model's top
// nearby, as the errors of these two are nearly independent. In a circle it is the top.
func (s *Surface) answer(m *model) []float64 {
	trust, _ := s.climb.gains()
	part := 0.5
	if m.circle {
		trust, part = 1, 1
	}
	x := s.climb.mean(m.top(m.mean, s.climb.mean(s.box.centre), trust)) // the choices of the top
	top := append([]float64(nil), x...)
	for range sweeps {
		if m.sweep(m.mean, top, x, trust) < stillness {
			break
		}
	}
	for _, i := range s.box.numbers {
		x[i] += float64(part * (top[i] - x[i]))
	}
	return x
}

// Answer implements tuner.Answerer.
func (s *Surface) Answer(v *tuner.View) (a tuner.Answer, ok bool, err error) {
	s.follow(v)
	if len(s.rows) == 0 {
		return a, false, nil
	}
	m := s.model.fitted(s.rows)
	a.Values = s.values(s.answer(m))
	if v.Plan.Duels && v.Baseline == nil {
		return a, true, nil // no player is known to be at height 0
	}
	height, sd := s.claim(m, s.box.point(s.space.Activate(s.fixed, a.Values)))
	if known := v.Baseline != nil && v.Seats > 0 && (v.Plan.Duels || v.Pinned); known && height < 0 {
		a.Values, height = s.values(s.box.centre), 0
	}
	value, slope := m.score(height)
	a.Belief = &tuner.Belief{Mean: value, StandardError: sd * math.Abs(slope)}
	return a, true, nil
}

// claim returns what is believed of the answer's height: the mean, weighted by precision, of the model's
// height, which extrapolates and may be wrong by misfit, and of what the last games showed, on which
// no choice depended.
func (s *Surface) claim(m *model, x []float64) (height, sd float64) {
	height, sd = m.above(x, nil)
	off := math.Max(leastMisfit, float64(misfit*math.Abs(height)))
	precision := 1 / (float64(sd*sd) + float64(off*off))
	sum := float64(precision * height)
	if s.last != nil && s.last.seen[0].blocks > 0 {
		height, sd = m.shown(&s.last.seen[0])
		precision += 1 / float64(sd*sd)
		sum += height / float64(sd*sd)
	}
	return sum / precision, 1 / math.Sqrt(precision)
}

// shown returns the height that a row alone shows, and its standard error.
func (m *model) shown(r *row) (height, sd float64) {
	for range passes {
		y, variance := m.linear(r, height)
		if math.Abs(y) > steepest {
			break
		}
		height, sd = y, math.Sqrt(variance)
	}
	return height, sd
}

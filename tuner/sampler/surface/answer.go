package surface

import (
	"math"

	"sakusen/tuner"
)

// part is the part of the way from the mean iterate to that top at which the answer lies: two errors
// that have little to do with each other are smaller between.
const part = 0.5

// answer returns the point that is believed best.
func (s *Surface) answer(m *model) []float64 {
	c := chooser{m, s.climb}
	trust, _ := s.climb.gains()
	part := part
	if s.circle {
		trust, part = 1, 1
	}
	x := s.climb.mean(c.top(m.mean, s.climb.mean(s.box.centre), trust)) // of whose numbers nothing is left
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
	x := s.answer(m)
	a.Values = s.values(x)
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

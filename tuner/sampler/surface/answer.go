package surface

import (
	"math"

	"sakusen/tuner"
)

// Answer implements tuner.Answerer: it is the maximum of the posterior mean, on
// the grid of what can be played, where games show it (see shows).
func (s *Surface) Answer(v *tuner.View) (a tuner.Answer, ok bool, err error) {
	s.view = v
	if m := membersOf(s); m != nil {
		a, ok = m.Answer(v)
		return a, ok, nil
	}
	s.fit()
	if len(s.rows) == 0 {
		return a, false, nil
	}
	x := shows(s, s.believed())
	a.Values = s.values(x)
	if v.Plan.Duels && v.Baseline == nil {
		return a, true, nil // nobody is known to be at height 0
	}
	height, sd := s.claim(x)
	if v.Baseline != nil && v.Seats > 0 && height < (s.rich()-1)*sd && (v.Plan.Duels || v.Pinned) {
		x, height = s.basis.origin(), 0 // nothing better than the baseline was seen; few games tell too little to say so of what is doubtful
		a.Values = s.values(x)
	}
	value, slope := s.whole.link.seen(height)
	a.Belief = &tuner.Belief{Mean: value, StandardError: sd * math.Abs(slope)}
	return a, true, nil
}

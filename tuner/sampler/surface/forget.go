package surface

import "sakusen/tuner"

var _ tuner.Forgetful = (*Surface)(nil)

// Forget implements tuner.Forgetful.
func (s *Surface) Forget() { *s = Surface{seed: s.seed, space: s.space, options: s.options} }

// start is where a walk begins: at the baseline unless the view says otherwise.
func start(s *Surface) []float64 {
	if s.view.From == nil {
		return s.basis.origin()
	}
	return append([]float64(nil), s.basis.point(s.view.From)...)
}

package surface

import "sakusen/tuner/sampler/shared"

// shape is a surface of given weights, made ready for its height to be asked often.
type shape struct {
	b      *basis
	w      []float64
	relief relief // nil without bumps
	phi    []float64

	members []*shape  // unless empty, the height is the mean of theirs
	weights []float64 // of the members
}

func (b *basis) shape(w []float64) *shape {
	s := &shape{b: b, w: w[:b.plain], phi: make([]float64, b.plain)}
	if b.bumps != nil {
		s.relief = b.bumps.relief(b, w[b.plain:])
	}
	return s
}

// height is that of a point; near tells whether it lies where a bump stands.
func (s *shape) height(x []float64) (h float64, near bool) {
	b := s.b
	if len(s.members) > 0 {
		sum := 0.0
		near = true
		for i, m := range s.members {
			g, close := m.height(x)
			h += float64(s.weights[i] * g)
			sum += s.weights[i]
			near = near && close
		}
		return h / sum, near
	}
	b.fillPlain(x, s.phi)
	h = shared.Dot(s.w, s.phi)
	if s.relief == nil {
		return h, true
	}
	return s.relief.height(b, h, x)
}

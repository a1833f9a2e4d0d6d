package members

import (
	"math"

	"sakusen/tuner/sampler/dense"
	"sakusen/tuner/sampler/normal"
)

// toGain is the most, in Elo, that any member may be expected to gain on the best: the mean of
// how far it lies above it, where it does (the expected improvement; J. Mockus, 1978).
func (m *Model) toGain() float64 {
	best := 0
	for i := range m.space.values {
		if m.height(m.now.mean, i) > m.height(m.now.mean, best) {
			best = i
		}
	}
	most := 0.0
	phi := make([]float64, m.size())
	for i := range m.space.values {
		if i == best {
			continue
		}
		clear(phi)
		phi[i], phi[best] = 1, -1
		behind := m.height(m.now.mean, best) - m.height(m.now.mean, i)
		m.now.root.Forward(phi)
		sd := math.Sqrt(dense.Dot(phi, phi))
		z := behind / sd
		density := math.Exp(-z*z/2) / math.Sqrt(2*math.Pi)
		most = math.Max(most, sd*(density-float64(z*normal.Below(-z))))
	}
	return most
}

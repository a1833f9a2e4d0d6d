package points

import (
	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner"
)

// Uniform makes independent uniform draws.
func Uniform(s tuner.SamplerSpec, space tuner.Space, _ param.Values) (tuner.Proposer, error) {
	return &cube{space, func(draw int) []float64 {
		chance := arena.NewStream(s.Seed, uint64(draw))
		u := make([]float64, len(space))
		for i := range u {
			u[i] = chance.Float64()
		}
		return u
	}}, nil
}

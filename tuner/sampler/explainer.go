package sampler

import (
	"sakusen/tuner"
	"sakusen/tuner/sampler/surface"
)

// Explainer is a model that is laid over the games of a study when it has ended, to say what
// they tell of each parameter, whoever proposed; nil where there is none for its space.
func (Kinds) Explainer(s *tuner.Setup) tuner.Explainer {
	space, still := s.Tune.Params.Searched(s.Tune.Fix)
	p, err := surface.New(tuner.SamplerSpec{
		Name: "surface", Seed: s.Sampler.Seed, Batch: s.Sampler.Batch,
	}, space, still)
	if err != nil || len(space) == 0 {
		return nil
	}
	e, _ := p.(tuner.Explainer)
	return e
}

package sampler

import (
	"sakusen/tuner"
	"sakusen/tuner/sampler/surface"
)

// Explainer is a model that is laid over the games of a study when it has ended, to say what
// they tell of each parameter, whoever proposed; nil where there is none for its space.
func (Kinds) Explainer(s *tuner.Setup) tuner.Explainer {
	p, err := surface.New(tuner.SamplerSpec{
		Name: "surface", Seed: s.Sampler.Seed, Batch: s.Sampler.Batch,
	}, s.Tune.Params, s.Tune.Fix)
	if err != nil {
		return nil
	}
	e, _ := p.(tuner.Explainer)
	return e
}

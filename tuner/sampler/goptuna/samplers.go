package goptuna

import (
	"errors"
	"fmt"

	"github.com/c-bata/goptuna"
	"github.com/c-bata/goptuna/cmaes"
	"github.com/c-bata/goptuna/tpe"

	"sakusen/engines/param"
	"sakusen/tuner"
)

// called is what error messages call a sampler.
func called(s tuner.SamplerSpec) string {
	return fmt.Sprintf("sampler %s with seed %d", s.Name, s.Seed)
}

// Random is goptuna's random sampler.
func Random(s tuner.SamplerSpec, space tuner.Space, _ param.Values) (tuner.Proposer, error) {
	return &asker{name: called(s), seed: s.Seed, space: space, texts: true, stage: newViewStorage(space, true), fresh: func(seed int64) goptuna.Sampler {
		return goptuna.NewRandomSampler(goptuna.RandomSamplerOptionSeed(seed))
	}}, nil
}

// TPE is goptuna's tree-structured Parzen estimator.
func TPE(s tuner.SamplerSpec, space tuner.Space, _ param.Values) (tuner.Proposer, error) {
	return &asker{name: called(s), seed: s.Seed, space: space, texts: true, stage: newViewStorage(space, true), fresh: func(seed int64) goptuna.Sampler {
		return tpe.NewSampler(tpe.SamplerOptionSeed(seed))
	}}, nil
}

// CMAES is goptuna's CMA-ES. It refuses what that handles silently wrong:
// conditional parameters stop it, a single number makes it random search.
func CMAES(s tuner.SamplerSpec, space tuner.Space, _ param.Values) (tuner.Proposer, error) {
	if len(space) < 2 {
		return nil, errors.New("it needs at least two parameters")
	}
	for _, d := range space {
		if d.Kind == param.Bool || d.Kind == param.Choice {
			return nil, fmt.Errorf("it tunes numbers only, and %s is not a number", d.Name)
		}
		if len(d.When) > 0 {
			return nil, fmt.Errorf("it cannot tune conditional parameters, and %s is one", d.Name)
		}
	}
	return &asker{
		name: called(s), seed: s.Seed, space: space, stage: newViewStorage(space, false), flip: true,
		relative: cmaes.NewSampler(cmaes.SamplerOptionSeed(int64(mixed(s.Seed, 0) >> 1))),
	}, nil
}

// Single is a user's own sampler of single parameters, made anew for every trial with a
// seed that follows from the study's and the trial's number. It must be a function of that
// seed and of the trials that it is shown, so that a study which was interrupted ends as if
// it had not been. It is asked under a lock, with the process-wide math/rand seeded too.
func Single(fresh func(seed int64) goptuna.Sampler) func(tuner.SamplerSpec, tuner.Space, param.Values) (tuner.Proposer, error) {
	return func(s tuner.SamplerSpec, space tuner.Space, _ param.Values) (tuner.Proposer, error) {
		return &asker{name: s.Name, seed: s.Seed, space: space, stage: newViewStorage(space, false), fresh: fresh}, nil
	}
}

// Relative is a user's own sampler of whole parameter sets, with the seed of its study. It
// may be made several times; only one is asked. It may keep a state: a study that goes on
// asks it again for all that its log holds, and compares. It must answer for every parameter.
func Relative(once func(seed int64) goptuna.RelativeSampler) func(tuner.SamplerSpec, tuner.Space, param.Values) (tuner.Proposer, error) {
	return func(s tuner.SamplerSpec, space tuner.Space, _ param.Values) (tuner.Proposer, error) {
		return &asker{name: s.Name, seed: s.Seed, space: space, stage: newViewStorage(space, false), relative: once(int64(mixed(s.Seed, 0) >> 1))}, nil
	}
}

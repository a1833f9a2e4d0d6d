package sampler_test

import (
	"testing"

	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/sampler"
)

// A sampler of the user's own that answers with its model has the budget of one that does.
func TestOwnAnswererHasItsTrait(t *testing.T) {
	kinds := sampler.Kinds{Own: []sampler.Own{{Name: "own", New: func(s tuner.SamplerSpec, space tuner.Space, fixed param.Values) (tuner.Proposer, error) {
		return sampler.Kinds{}.New(tuner.SamplerSpec{Name: "surface", Seed: s.Seed}, space, fixed)
	}}}}
	if !kinds.Traits(tuner.SamplerSpec{Name: "own"}, reals(2, 0, 1), tuner.SearchSize{Games: 1000, BlockGames: 2}).Answers {
		t.Error("its trait is of a sampler that has no answer")
	}
}

package lifeboats

import (
	"fmt"

	"sakusen/strategies"
	"sakusen/studies"
	"sakusen/tuner"
	"sakusen/tuner/sampler"
	"sakusen/tuner/studyfile"
)

// The embedded studies of evolution: at the paper's setting, and with a fifth of
// its games.
const (
	PaperStudy = "lifeboats-evolution"
	FastStudy  = "lifeboats-evolution-fast"
)

// Study reads an embedded study and gives it a seed.
func Study(name string, seed uint64) (*tuner.Setup, error) {
	text, err := studies.Read(name)
	if err != nil {
		return nil, err
	}
	spec, err := studyfile.Read(name, text, strategies.Catalogue(), sampler.Kinds{})
	if err != nil {
		return nil, fmt.Errorf("study %s: %w", name, err)
	}
	spec.Sampler.Seed = seed
	return spec, nil
}

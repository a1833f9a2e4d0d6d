package studyfile

import (
	"sakusen/tuner"
	"sakusen/tuner/studyfile/yamlfile"
)

// Samplers tells which samplers there are and refuses the spaces that one
// cannot serve.
type Samplers interface {
	Names() []string
	// Refuse says why a sampler cannot serve a space or its options, or nil.
	Refuse(s tuner.SamplerSpec, space tuner.Space) error
	// Traits are those of a sampler of a known name.
	Traits(s tuner.SamplerSpec, space tuner.Space, in tuner.SearchSize) tuner.Traits
}

// draft is a study file while it is read.
type draft struct {
	*tuner.Setup
	scale      tuner.Budget      // what the defaults are scaled to
	traits     tuner.Traits      // of the sampler
	tuned      *yamlfile.Mapping // tune, where it has been opened already
	fewMembers bool              // a model of the members searches, which meet the baseline
}

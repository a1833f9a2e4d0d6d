package sampler

import (
	"errors"
	"fmt"
	"hash/fnv"

	"github.com/c-bata/goptuna"
	theircma "github.com/c-bata/goptuna/cmaes"
	theirtpe "github.com/c-bata/goptuna/tpe"

	"sakusen/engines/param"
	"sakusen/tuner"
)

// Kinds is the samplers that there are. It implements studyfile.Samplers.
type Kinds struct{}

// kind is one sampler.
type kind struct {
	name string
	doc  string
	// texts asks for short integer grids as lists of texts.
	texts bool
	// stateful samplers are a function of all calls so far: they are asked again
	// for what the log holds.
	stateful bool
	refuse   func(tuner.Space) error
	make     func(seed uint64, space tuner.Space, fixed param.Values) (*asker, error)
	// traits is nil where all are the general ones.
	traits func(s tuner.SamplerSpec, space tuner.Space, in tuner.Setting) tuner.Traits
	// configure stands in for refuse and make where a sampler has options.
	configure func(s tuner.SamplerSpec, space tuner.Space, fixed param.Values) (*asker, error)
}

func kinds() []kind {
	return []kind{
		{name: "uniform", doc: "independent uniform draws", make: newUniform},
		{name: "quasi", doc: "scrambled Halton sequence", make: newQuasi},
		{name: "grid", doc: "every parameter set of a finite space, in order", refuse: refuseGrid, make: newGrid},
		{name: "surface", doc: "response surface: Bayesian quadratic regression, the answer is its maximum", configure: newSurface, traits: surfaceTraits},
		{name: "tpe", doc: "multivariate tree-structured Parzen estimator", configure: newTPE},
		{name: "cmaes", doc: "evolution strategy with an adapted covariance matrix", stateful: true, configure: newCMAES, traits: cmaesTraits},
		{name: "spsa", doc: "stochastic approximation from pairs, head to head in duels", configure: newSPSA, traits: spsaTraits},
		{name: "jgg", doc: "real-coded genetic algorithm: Just Generation Gap with REX-star", stateful: true, configure: newJGG},
		{name: "goptuna-random", doc: "goptuna's random sampler, a baseline", texts: true,
			make: fresh(func(seed int64) goptuna.Sampler {
				return goptuna.NewRandomSampler(goptuna.RandomSamplerOptionSeed(seed))
			})},
		{name: "goptuna-tpe", doc: "goptuna's tree-structured Parzen estimator, a baseline", texts: true,
			make: fresh(func(seed int64) goptuna.Sampler { return theirtpe.NewSampler(theirtpe.SamplerOptionSeed(seed)) })},
		{name: "goptuna-cmaes", doc: "goptuna's CMA-ES, a baseline", stateful: true, refuse: refuseCMA,
			make: func(seed uint64, _ tuner.Space, _ param.Values) (*asker, error) {
				return &asker{global: true, relative: theircma.NewSampler(theircma.SamplerOptionSeed(int64(mixed(seed, 0) >> 1))), flip: true}, nil
			}},
	}
}

// Names are the names of the samplers.
func (Kinds) Names() []string {
	var names []string
	for _, k := range kinds() {
		names = append(names, k.name)
	}
	return names
}

// Doc says in a line what a sampler is, empty where there is none of that name.
func (Kinds) Doc(name string) string {
	k, _ := find(name)
	return k.doc
}

func find(name string) (kind, error) {
	for _, k := range kinds() {
		if k.name == name {
			return k, nil
		}
	}
	return kind{}, fmt.Errorf("unknown sampler %q", name)
}

// Refuse implements studyfile.Samplers.
func (Kinds) Refuse(s tuner.SamplerSpec, space tuner.Space) error {
	k, err := find(s.Name)
	if err != nil {
		return err
	}
	if k.configure != nil {
		_, err := k.configure(s, space, nil)
		return err
	}
	if len(s.Options) > 0 {
		return fmt.Errorf("it has no options, so not %s", s.Options[0].Name)
	}
	if k.refuse != nil {
		return k.refuse(space)
	}
	return nil
}

// Traits implements studyfile.Samplers.
func (Kinds) Traits(s tuner.SamplerSpec, space tuner.Space, in tuner.Setting) tuner.Traits {
	k, err := find(s.Name)
	if err != nil || k.traits == nil {
		return tuner.Traits{}
	}
	return k.traits(s, space, in)
}

// New makes a proposer for a space that it does not refuse.
func (Kinds) New(s tuner.SamplerSpec, space tuner.Space, fixed param.Values) (tuner.Proposer, error) {
	k, err := find(s.Name)
	if err != nil {
		return nil, err
	}
	space = space.Given(fixed)
	if k.configure == nil {
		k.configure = func(s tuner.SamplerSpec, space tuner.Space, fixed param.Values) (*asker, error) {
			return k.make(s.Seed, space, fixed)
		}
	}
	a, err := k.configure(s, space, fixed)
	if err != nil {
		return nil, err
	}
	a.seed, a.space, a.texts, a.stateful = s.Seed, space, k.texts, k.stateful
	a.stage = newStage(space, k.texts)
	if a.model != nil {
		return answering{a}, nil
	}
	return a, nil
}

func refuseGrid(space tuner.Space) error {
	if space.Size() == 0 || space.Size() > maxGrid {
		return fmt.Errorf("a grid needs at most %d parameter sets: give every number a step, or narrow the ranges", maxGrid)
	}
	return nil
}

// refuseCMA keeps goptuna's CMA-ES away from what it handles silently wrong:
// conditional parameters stop it, a single number makes it random search.
func refuseCMA(space tuner.Space) error {
	if len(space) < 2 {
		return errors.New("it needs at least two parameters")
	}
	for _, d := range space {
		if d.Kind == param.Bool || d.Kind == param.Choice {
			return fmt.Errorf("it serves numbers only, and %s is none", d.Name)
		}
		if len(d.When) > 0 {
			return fmt.Errorf("it serves no conditional parameters, and %s is one", d.Name)
		}
	}
	return nil
}

// mixed is a seed for one draw.
func mixed(seed uint64, draw int) uint64 {
	h := fnv.New64a()
	fmt.Fprintf(h, "%d/%d", seed, draw)
	return h.Sum64()
}

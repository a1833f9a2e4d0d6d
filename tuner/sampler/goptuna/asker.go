// Package goptuna holds goptuna's own samplers behind tuner.Proposer, as baselines
// to measure ours against. It is the one place where goptuna is asked for a proposal.
//
// Goptuna's samplers learn from a storage of trials. They are shown one in memory,
// in which every told trial is complete and carries its shrunken mean, so that
// they learn from stopped trials too. They draw from the process-wide math/rand,
// so they are seeded and asked under one lock.
//
//	p, err := goptuna.TPE(spec.Sampler, space, nil)
//	values, ok, err := p.Propose(view, draw)
package goptuna

import (
	"cmp"
	"errors"
	"fmt"
	"hash/fnv"
	"log/slog"
	"math/rand" // the global source of goptuna's samplers; nothing else draws from it

	"github.com/c-bata/goptuna"
	"github.com/c-bata/goptuna/cmaes"
	"github.com/c-bata/goptuna/tpe"

	"sakusen/engines/param"
	"sakusen/tuner"
)

var _ tuner.Stateful = (*asker)(nil)

// global has the turns of all samplers of this process.
var global = newTurns(hungAfter)

// asker asks one of goptuna's samplers. It implements tuner.Stateful.
type asker struct {
	name  string // as error messages have it
	seed  uint64
	space tuner.Space
	turns *turns // nil for those of the process
	texts bool   // short integer grids are shown as lists of texts
	stage *viewStorage

	// One of the two is set: fresh makes a sampler of single parameters anew for
	// every trial, so that it keeps no state of its own; relative proposes whole
	// sets, and keeps a state.
	fresh    func(seed int64) goptuna.Sampler
	relative goptuna.RelativeSampler
	flip     bool // it minimises whatever it gets: values are negated for it
}

// Propose implements tuner.Proposer.
func (a *asker) Propose(v *tuner.View, draw int) (param.Values, bool, error) {
	end, err := cmp.Or(a.turns, global).take(a.name, v.Left)
	if err != nil {
		return nil, false, err
	}
	defer end()
	//lint:ignore SA1019 goptuna draws from the process-wide source, and there is no other way to seed it
	rand.Seed(int64(mixed(a.seed, draw) >> 1))
	direction := goptuna.StudyDirectionMinimize
	if v.Maximize && !a.flip {
		direction = goptuna.StudyDirectionMaximize
	}
	if err := a.stage.show(v, a.flip && v.Maximize); err != nil {
		return nil, false, err
	}
	var single goptuna.Sampler = refusing{}
	if a.fresh != nil {
		single = a.fresh(int64(mixed(a.seed, draw) >> 1))
	}
	space := make(map[string]any, len(a.space))
	for i := range a.space {
		_, space[a.space[i].Name] = scale(&a.space[i], a.texts)
	}
	options := []goptuna.StudyOption{
		goptuna.StudyOptionStorage(a.stage),
		goptuna.StudyOptionDirection(direction),
		goptuna.StudyOptionSampler(single),
		goptuna.StudyOptionLogger(slog.New(slog.DiscardHandler)),
		goptuna.StudyOptionDefineSearchSpace(space),
	}
	if a.relative != nil {
		options = append(options, goptuna.StudyOptionRelativeSampler(a.relative))
	}
	study, err := goptuna.CreateStudy("view", options...)
	if err != nil {
		return nil, false, err
	}
	id, err := a.stage.CreateNewTrial(study.ID)
	if err != nil {
		return nil, false, err
	}
	a.stage.open.Number = draw
	t := goptuna.Trial{Study: study, ID: id}
	if err := t.CallRelativeSampler(); err != nil {
		return nil, false, err
	}
	out := make(param.Values, len(a.space))
	for i := range a.space {
		if out[i], err = a.suggest(&t, &a.space[i]); err != nil {
			return nil, false, fmt.Errorf("%s: %w", a.space[i].Name, err)
		}
	}
	return out, true, nil
}

// Stateful implements tuner.Stateful.
func (a *asker) Stateful() bool { return a.relative != nil }

// suggest draws one parameter.
func (a *asker) suggest(t *goptuna.Trial, d *tuner.Dimension) (param.Value, error) {
	dist, _ := scale(d, a.texts)
	var err error
	switch x := dist.(type) {
	case *goptuna.UniformDistribution:
		_, err = t.SuggestFloat(d.Name, x.Low, x.High)
	case *goptuna.LogUniformDistribution:
		_, err = t.SuggestLogFloat(d.Name, x.Low, x.High)
	case *goptuna.DiscreteUniformDistribution:
		_, err = t.SuggestDiscreteFloat(d.Name, x.Low, x.High, x.Q)
	case *goptuna.IntUniformDistribution:
		_, err = t.SuggestInt(d.Name, x.Low, x.High)
	case *goptuna.StepIntUniformDistribution:
		_, err = t.SuggestStepInt(d.Name, x.Low, x.High, x.Step)
	case *goptuna.CategoricalDistribution:
		_, err = t.SuggestCategorical(d.Name, x.Choices)
	default:
		err = fmt.Errorf("no way to suggest a %T", dist)
	}
	if err != nil {
		return param.Value{}, err
	}
	text, err := d.External(dist, a.stage.open.InternalParams[d.Name])
	return param.Value{Name: d.Name, Text: text}, err
}

// refusing stands in where a relative sampler must answer for every parameter.
type refusing struct{}

func (refusing) Sample(_ *goptuna.Study, _ goptuna.FrozenTrial, name string, _ any) (float64, error) {
	return 0, fmt.Errorf("the relative sampler proposed nothing for %s", name)
}

// mixed returns a seed for one draw.
func mixed(seed uint64, draw int) uint64 {
	h := fnv.New64a()
	fmt.Fprintf(h, "%d/%d", seed, draw)
	return h.Sum64()
}

// called returns what error messages call a sampler.
func called(s tuner.SamplerSpec) string {
	return fmt.Sprintf("sampler %s with seed %d", s.Name, s.Seed)
}

// Random returns goptuna's random sampler.
func Random(s tuner.SamplerSpec, space tuner.Space, _ param.Values) (tuner.Proposer, error) {
	return &asker{name: called(s), seed: s.Seed, space: space, texts: true, stage: newViewStorage(space, true), fresh: func(seed int64) goptuna.Sampler {
		return goptuna.NewRandomSampler(goptuna.RandomSamplerOptionSeed(seed))
	}}, nil
}

// TPE returns goptuna's tree-structured Parzen estimator.
func TPE(s tuner.SamplerSpec, space tuner.Space, _ param.Values) (tuner.Proposer, error) {
	return &asker{name: called(s), seed: s.Seed, space: space, texts: true, stage: newViewStorage(space, true), fresh: func(seed int64) goptuna.Sampler {
		return tpe.NewSampler(tpe.SamplerOptionSeed(seed))
	}}, nil
}

// CMAES returns goptuna's CMA-ES. It refuses what that handles silently wrong:
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

// Single returns a user's own sampler of single parameters, made anew for every trial with a
// seed that follows from the study's and the trial's number. It must be a function of that
// seed and of the trials that it is shown, so that a study which was interrupted ends as if
// it had not been. It is asked under a lock, with the process-wide math/rand seeded too.
func Single(fresh func(seed int64) goptuna.Sampler) func(tuner.SamplerSpec, tuner.Space, param.Values) (tuner.Proposer, error) {
	return func(s tuner.SamplerSpec, space tuner.Space, _ param.Values) (tuner.Proposer, error) {
		return &asker{name: s.Name, seed: s.Seed, space: space, stage: newViewStorage(space, false), fresh: fresh}, nil
	}
}

// Relative returns a user's own sampler of whole parameter sets, with the seed of its study.
// It may be made several times; only one is asked. It may keep a state: a study that goes on
// asks it again for all that its log holds, and compares. It must answer for every parameter.
func Relative(once func(seed int64) goptuna.RelativeSampler) func(tuner.SamplerSpec, tuner.Space, param.Values) (tuner.Proposer, error) {
	return func(s tuner.SamplerSpec, space tuner.Space, _ param.Values) (tuner.Proposer, error) {
		return &asker{name: s.Name, seed: s.Seed, space: space, stage: newViewStorage(space, false), relative: once(int64(mixed(s.Seed, 0) >> 1))}, nil
	}
}

package sampler

import (
	"errors"
	"fmt"
	"maps"
	"math/rand" // the global source of goptuna's samplers; nothing else draws from it
	"slices"
	"sync"

	"github.com/c-bata/goptuna"

	"sakusen/engines/param"
	"sakusen/tuner"
)

// globalRand is held while goptuna's samplers are asked: they share the
// process-wide math/rand.
var globalRand sync.Mutex

// asker asks one Goptuna sampler. It implements tuner.Proposer.
type asker struct {
	seed     uint64
	space    tuner.Space
	texts    bool
	stateful bool
	stage    *stage

	sampler  goptuna.Sampler         // of single parameters
	relative goptuna.RelativeSampler // of whole sets
	fresh    func(seed int64) goptuna.Sampler
	global   bool // draws from math/rand
	flip     bool // minimises whatever it is told: values are negated for it
	size     int  // proposals it has, 0 where there is no end
	notes    bool // what it notes of a proposal is for people too
	model    model
}

// model is a relative sampler that learns from the view itself and has an answer.
type model interface {
	see(v *tuner.View)
	answer(v *tuner.View) (param.Values, bool, error)
	claimed() (mean, standardError float64, ok bool)
}

// answering is an asker with a model. It implements tuner.Answerer and
// tuner.Claimer.
type answering struct{ *asker }

// Answer implements tuner.Answerer.
func (a answering) Answer(v *tuner.View) (param.Values, bool, error) { return a.model.answer(v) }

// Claim implements tuner.Claimer.
func (a answering) Claim() (mean, standardError float64, ok bool) { return a.model.claimed() }

// Stateful tells whether the proposer must be asked again for what the log
// already holds, to come to the same state.
func (a *asker) Stateful() bool { return a.stateful }

// Propose implements tuner.Proposer.
func (a *asker) Propose(v *tuner.View, draw int) (param.Values, bool, error) {
	if a.size > 0 && draw >= a.size {
		return nil, false, nil
	}
	if a.global {
		globalRand.Lock()
		defer globalRand.Unlock()
		//lint:ignore SA1019 goptuna draws from the process-wide source, and there is no other way to seed it
		rand.Seed(int64(mixed(a.seed, draw) >> 1))
	}
	direction := goptuna.StudyDirectionMinimize
	if v.Maximize && !a.flip {
		direction = goptuna.StudyDirectionMaximize
	}
	if err := a.stage.show(v, a.flip && v.Maximize); err != nil {
		return nil, false, err
	}
	if a.model != nil {
		a.model.see(v)
	}
	single := a.sampler
	if a.fresh != nil {
		single = a.fresh(int64(mixed(a.seed, draw) >> 1))
	}
	if single == nil {
		single = refusing{}
	}
	space := make(map[string]any, len(a.space))
	for i := range a.space {
		space[a.space[i].Name] = a.space[i].ByValue(a.texts)
	}
	options := []goptuna.StudyOption{
		goptuna.StudyOptionStorage(a.stage),
		goptuna.StudyOptionDirection(direction),
		goptuna.StudyOptionSampler(single),
		goptuna.StudyOptionLogger(quiet{}),
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
	if err := t.CallRelativeSampler(); errors.Is(err, errNotYet) {
		return nil, false, nil
	} else if err != nil {
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

// Attributes implements tuner.Annotator.
func (a *asker) Attributes(draw int) param.Values {
	if !a.notes || draw >= len(a.stage.attrs) {
		return nil
	}
	var out param.Values
	for _, name := range slices.Sorted(maps.Keys(a.stage.attrs[draw])) {
		out = append(out, param.Value{Name: name, Text: a.stage.attrs[draw][name]})
	}
	return out
}

// suggest draws one parameter.
func (a *asker) suggest(t *goptuna.Trial, d *tuner.Dimension) (param.Value, error) {
	dist := d.Distribution(a.texts)
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

// quiet drops goptuna's log lines: what matters comes back as an error.
type quiet struct{}

func (quiet) Debug(string, ...any) {}
func (quiet) Info(string, ...any)  {}
func (quiet) Warn(string, ...any)  {}
func (quiet) Error(string, ...any) {}

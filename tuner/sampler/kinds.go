package sampler

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/sampler/classic"
	"sakusen/tuner/sampler/goptuna"
	"sakusen/tuner/sampler/surface"
)

// Kinds is the samplers that there are: those of this program, and the user's own. It
// implements studyfile.Samplers.
type Kinds struct{ Own []Own }

// Own is a sampler of the user's program, which study files name. It has no options.
type Own struct {
	Name string // letters, digits, - and _; of no other sampler
	Doc  string // in a line
	// New makes the sampler, or says why it does not serve a space. It may be called several
	// times for a study, of which one sampler is asked; see
	// [sakusen/tuner/sampler/goptuna.Single] and Relative for those of Goptuna.
	New func(s tuner.SamplerSpec, space tuner.Space, fixed param.Values) (tuner.Proposer, error)
	// Begins says that points which others name may be tried among its own.
	Begins bool
}

var ownName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]{0,49}$`)

// Check returns an error that says what is wrong with the user's own samplers.
func (ks Kinds) Check() error {
	var errs []error
	for i, o := range ks.Own {
		_, err := Kinds{ks.Own[:i]}.find(o.Name)
		switch {
		case !ownName.MatchString(o.Name):
			errs = append(errs, fmt.Errorf("own sampler %q: expected a name of letters, digits, - and _", o.Name))
		case err == nil:
			errs = append(errs, fmt.Errorf("own sampler %q: another sampler has this name", o.Name))
		case o.New == nil:
			errs = append(errs, fmt.Errorf("own sampler %q: it has no New", o.Name))
		}
	}
	return errors.Join(errs...)
}

// kind is one sampler.
type kind struct {
	name    string
	doc     string
	options bool // it has some
	covers  bool // it serves a space in which nothing is left to search
	begins  bool // points that others name may be tried among its own
	learns  bool // it learns from games that it did not ask for
	// make makes the sampler, or says why it does not serve the space or the
	// options.
	make func(s tuner.SamplerSpec, space tuner.Space, fixed param.Values) (tuner.Proposer, error)
	// traits is nil where all are the general ones.
	traits func(in tuner.SearchSize) tuner.Traits
}

func kinds() []kind {
	return []kind{
		{name: "uniform", doc: "independent uniform draws", covers: true, begins: true, make: classic.Uniform},
		{name: "quasi", doc: "scrambled Halton sequence", covers: true, begins: true, make: classic.Quasi},
		{name: "grid", doc: "every parameter set of a finite space, in order", covers: true, begins: true, make: classic.Grid},
		{name: "surface", doc: "pairs that climb, and a model of all games for the answer",
			begins: true, learns: true, make: surface.New, traits: surface.Traits},
		{name: "tpe", doc: "multivariate tree-structured Parzen estimator", options: true, begins: true, learns: true, make: classic.NewTPE},
		{name: "spsa", doc: "stochastic approximation from pairs, head to head in duels",
			options: true, make: classic.NewSPSA, traits: classic.SPSATraits},
		{name: "jgg", doc: "genetic algorithm (Just Generation Gap with REX-star)",
			options: true, make: classic.NewJGG},
		{name: "goptuna-random", doc: "goptuna's random sampler, a baseline", begins: true, make: goptuna.Random},
		{name: "goptuna-tpe", doc: "goptuna's tree-structured Parzen estimator, a baseline", begins: true, make: goptuna.TPE},
		{name: "goptuna-cmaes", doc: "goptuna's CMA-ES, a baseline", make: goptuna.CMAES},
	}
}

// all returns the samplers of this program, and then the user's.
func (ks Kinds) all() []kind {
	all := kinds()
	for _, o := range ks.Own {
		all = append(all, kind{name: o.Name, doc: o.Doc, begins: o.Begins, make: o.New})
	}
	return all
}

// Names returns the names of the samplers.
func (ks Kinds) Names() []string {
	var names []string
	for _, k := range ks.all() {
		names = append(names, k.name)
	}
	return names
}

// Doc describes a sampler in a line; it is empty if there is none of that name.
func (ks Kinds) Doc(name string) string {
	k, _ := ks.find(name)
	return k.doc
}

func (ks Kinds) find(name string) (kind, error) {
	for _, k := range ks.all() {
		if k.name == name {
			return k, nil
		}
	}
	return kind{}, fmt.Errorf("unknown sampler %q", name)
}

// Options implements studyfile.Samplers.
func (ks Kinds) Options(name string) []param.Param {
	return classic.Options(name)
}

// Refuse implements studyfile.Samplers.
func (ks Kinds) Refuse(s tuner.SamplerSpec, space tuner.Space) error {
	k, err := ks.find(s.Name)
	if err != nil {
		return err
	}
	if !k.options && len(s.Options) > 0 {
		var errs []error
		for _, o := range s.Options {
			errs = append(errs, &param.Error{Name: o.Name, Want: "none, as " + s.Name + " has no options", Got: o.Text})
		}
		return errors.Join(errs...)
	}
	searched, still := space.Searched(nil)
	if len(searched) == 0 && !k.covers {
		return errors.New("every tuned parameter has one value, so that nothing is left to search; sampler grid tries the one parameter set")
	}
	_, err = k.make(s, searched, still)
	return err
}

// Traits implements studyfile.Samplers.
func (ks Kinds) Traits(s tuner.SamplerSpec, space tuner.Space, in tuner.SearchSize) tuner.Traits {
	k, err := ks.find(s.Name)
	if err != nil {
		return tuner.Traits{}
	}
	var t tuner.Traits
	space, still := space.Searched(nil)
	if k.traits != nil {
		t = k.traits(in)
	}
	if p, err := k.make(s, space, still); err == nil {
		state, ok := p.(tuner.Stateful)
		t.State = ok && state.Stateful()
		_, t.Answers = p.(tuner.Answerer)
	}
	t.Begins, t.Learns = k.begins, k.learns
	return t
}

// Takes reports whether a sampler lets others name points that are tried, and whether it
// learns from games that others asked for.
func (ks Kinds) Takes(name string) (points, games bool) {
	k, _ := ks.find(name)
	return k.begins, k.learns
}

// New makes a proposer for a space that it does not refuse. It sees the parameters with more
// than one value; see [tuner.Space.Searched].
func (ks Kinds) New(s tuner.SamplerSpec, space tuner.Space, fixed param.Values) (tuner.Proposer, error) {
	k, err := ks.find(s.Name)
	if err != nil {
		return nil, err
	}
	searched, still := space.Searched(fixed)
	return k.make(s, searched.Given(still), still)
}

// List returns a line of help for each sampler.
func (ks Kinds) List() string {
	var list strings.Builder
	for _, name := range ks.Names() {
		fmt.Fprintf(&list, "  %-15s %s\n", name, ks.Doc(name))
	}
	return list.String()
}

// Explainer returns a model that is laid over the games of a study when it has ended, to say what
// they tell of each parameter, for studies of any sampler; nil where there is none for its space.
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

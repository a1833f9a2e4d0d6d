package tuner

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"

	"go.yaml.in/yaml/v3"

	"sakusen/engines/arena"
	"sakusen/engines/param"
)

// specVersion is the version of the study file format that this program reads.
const specVersion = 1

// studyName keeps names usable in URLs, file names and shells.
var studyName = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,79}$`)

// Samplers tells which samplers there are and refuses the spaces that one
// cannot serve, when the file is read.
type Samplers interface {
	Names() []string
	// Refuse says why a sampler cannot serve a space or its options, or nil.
	Refuse(s SamplerSpec, space Space) error
	// Traits are those of a sampler of a known name.
	Traits(s SamplerSpec, space Space, in Setting) Traits
}

// Setting is what a sampler's defaults may depend on.
type Setting struct {
	Games      int64 // of the whole study
	BlockGames int64 // of one block of a candidate, or of a pair in a duel
	Duels      bool
}

// Traits are what a study file's reader must know of a sampler. Defaults of zero
// are the general ones.
type Traits struct {
	Answers bool    // the answer is a model's or a mean: no final, and no end of a finite space
	Duels   bool    // it learns from duels
	Batch   int     // default of sampler.batch, trials
	Race    *Race   // default of race
	Proving float64 // default share of the games that is kept for validation
}

// ReadSpec reads and checks a study file. All mistakes are in the error, each
// an *Error with its line and column; with a mistake the spec is nil.
func ReadSpec(file string, text []byte, games arena.Catalogue, samplers Samplers) (*Setup, error) {
	return ReadSpecScaled(file, text, games, samplers, nil)
}

// ReadSpecScaled is ReadSpec with the defaults scaled to another budget than
// the file's: that with which the study was begun, where only the budget has
// grown since.
func ReadSpecScaled(file string, text []byte, games arena.Catalogue, samplers Samplers, scale *Budget) (*Setup, error) {
	return readSpec(&reader{file: file}, text, games, samplers, scale)
}

// draft is a study file while it is read.
type draft struct {
	*Setup
	scale  Budget // what the defaults are scaled to
	traits Traits // of the sampler
}

func readSpec(r *reader, text []byte, games arena.Catalogue, samplers Samplers, scale *Budget) (*Setup, error) {
	root := r.document(text)
	if root == nil {
		return nil, errors.Join(r.errs...)
	}
	m := r.mapping(root, "")
	s := &draft{Setup: &Setup{Spec: &Spec{}}}
	if m.require("version", "version: 1") {
		s.Version = int(m.integer("version", specVersion, specVersion, specVersion))
	}
	s.Name = r.name(m)
	s.Doc = m.text("doc", "")
	if s.Ruleset = m.openGame(games); s.Ruleset != nil {
		s.Game, s.Rules = s.Ruleset.Game.Name, s.Ruleset.Rules
	}
	s.readTune(m)
	s.readOpponents(m)
	s.readEvaluate(m)
	s.readObjective(m)
	s.checkPool(m)
	s.checkDuels(m)
	s.readBudget(m)
	s.scale = s.Budget
	if scale != nil {
		s.scale = *scale
		if !m.r.mapping(m.take("budget"), "budget").has("trials") {
			s.scale.Trials = s.Budget.Trials // what boundTrials made of the games chose no sampler
		}
	}
	s.readSampler(m, samplers)
	s.readRace(m)
	s.readFinal(m)
	s.readValidation(m)
	m.done()
	if len(r.errs) == 0 {
		s.checkBudget(m)
		s.boundTrials(m)
	}
	if len(r.errs) > 0 {
		slices.SortStableFunc(r.errs, func(a, b error) int {
			x, y := a.(*Error), b.(*Error)
			if x.Line != y.Line {
				return x.Line - y.Line
			}
			return x.Column - y.Column
		})
		return nil, errors.Join(r.errs...)
	}
	return Prepare(s.Spec, games)
}

func (r *reader) name(m *mapping) string {
	want := "a name of lower-case letters, digits, '.', '_' and '-', at most 80"
	if !m.require("name", want) {
		return ""
	}
	before := len(r.errs)
	name := m.text("name", "")
	if len(r.errs) == before && !studyName.MatchString(name) {
		r.fail(m.take("name"), "name", want, describe(m.take("name")))
	}
	return name
}

// openGame reads the keys game and rules and opens the game under the rules; nil
// where there is a mistake.
func (m *mapping) openGame(games arena.Catalogue) *arena.Ruleset {
	values, places := m.values("rules")
	if !m.require("game", "the name of a game") {
		return nil
	}
	before := len(m.r.errs)
	name := m.text("game", "")
	if len(m.r.errs) > before {
		return nil
	}
	g, err := games.Game(name)
	if err != nil {
		m.r.fail(m.take("game"), "game", "a game", err.Error())
		return nil
	}
	rs, errs := g.Open(values)
	m.r.placed("rules", m.take("rules"), values, places, errs)
	return rs
}

// placed reports mistakes of values where each value stands.
func (r *reader) placed(field string, list *yaml.Node, values param.Values, places []*yaml.Node, errs []error) {
	for _, err := range errs {
		at := list
		var p *param.Error
		if errors.As(err, &p) {
			for i, v := range values {
				if v.Name == p.Name || v.Name == p.Got {
					at = places[i]
				}
			}
		}
		if at == nil {
			at = &yaml.Node{Line: 1, Column: 1}
		}
		r.declared(at, field, err)
	}
}

// mostPool bounds the pool, as a tournament bounds its entrants: every candidate
// meets every one of them.
const mostPool = 256

// readOpponents reads the baseline and the pool.
func (s *draft) readOpponents(m *mapping) {
	if n := m.take("baseline"); n != nil && s.Ruleset != nil {
		if e, ok := m.r.entrant(s.Ruleset, n, "baseline"); ok {
			s.BaselineEntrant, s.Baseline = e, e.Canonical()
		}
	}
	pool := m.list("pool")
	if len(pool) > mostPool {
		m.r.fail(m.take("pool"), "pool", fmt.Sprintf("at most %d entrants", mostPool), strconv.Itoa(len(pool)))
		return
	}
	for i, n := range pool {
		if s.Ruleset == nil {
			break
		}
		if e, ok := m.r.entrant(s.Ruleset, n, fmt.Sprintf("pool[%d]", i)); ok {
			s.PoolEntrants = append(s.PoolEntrants, e)
			s.Pool = append(s.Pool, e.Canonical())
		}
	}
}

// entrant reads an entrant's text, or {strategy, params}.
func (r *reader) entrant(rs *arena.Ruleset, n *yaml.Node, field string) (arena.Entrant, bool) {
	if n.Kind == yaml.ScalarNode {
		e, err := rs.Entrant(n.Value)
		if err != nil {
			r.fail(n, field, "an entrant of "+rs.Game.Name, err.Error())
			return e, false
		}
		return e, true
	}
	m := r.mapping(n, field)
	if m.node == nil {
		return arena.Entrant{}, false
	}
	values, places := m.values("params")
	ok := m.require("strategy", "the name of a strategy")
	name := m.text("strategy", "")
	m.done()
	if !ok {
		return arena.Entrant{}, false
	}
	e, err := rs.NewEntrant(name, name, values)
	if err != nil {
		if _, unknown := rs.Space(name); unknown != nil {
			r.fail(m.take("strategy"), field+".strategy", "a strategy", unknown.Error())
		} else {
			r.placed(field+".params", n, values, places, unjoin(err))
		}
		return e, false
	}
	return e, true
}

// unjoin takes joined errors apart, through one layer of wrapping.
func unjoin(err error) []error {
	for e := err; e != nil; e = errors.Unwrap(e) {
		if j, ok := e.(interface{ Unwrap() []error }); ok {
			return j.Unwrap()
		}
	}
	return []error{err}
}

func cmpNode(a, b *yaml.Node) *yaml.Node {
	if a != nil {
		return a
	}
	return b
}

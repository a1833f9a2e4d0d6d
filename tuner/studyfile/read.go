// Package studyfile is study files: YAML that people write, in, and out a tuner.Setup with
// every default filled in, or all mistakes with their lines.
//
//	setup, err := studyfile.Read("mp.yaml", text, games, sampler.Kinds{})
//
// One table says which keys there are: Keys in keys.go. The reading (read.go) goes through the
// parts of a file in order: tune.go (what is tuned), params.go (the ranges), worth.go (whom
// candidates meet and what they are worth), search.go (sampler, race, budget), proof.go (final
// and validation). Types, ranges, words and constant defaults are the table's; a function
// here fills in what hangs on the game, the sampler or the budget (defaults.go), and refuses
// what does not go together. describe.go and schema.go tell the table to people and editors;
// form.go, edit.go and settle.go write and change files; template.go begins one.
package studyfile

import (
	"cmp"
	"fmt"
	"strconv"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/studyfile/yamlfile"
)

// Samplers tells which samplers there are and refuses the spaces that one
// cannot serve.
type Samplers interface {
	Names() []string
	// Options are the declarations of a sampler's options.
	Options(name string) []param.Param
	// Refuse says why a sampler cannot serve a space or its options, or nil.
	Refuse(s tuner.SamplerSpec, space tuner.Space) error
	// Traits are those of a sampler of a known name.
	Traits(s tuner.SamplerSpec, space tuner.Space, in tuner.SearchSize) tuner.Traits
}

// Read reads and checks a study file. All mistakes are in the error, each a
// *yamlfile.Error with its line and column; with a mistake the setup is nil.
func Read(file string, text []byte, games arena.Catalogue, samplers Samplers) (*tuner.Setup, error) {
	return ReadScaled(file, text, games, samplers, nil)
}

// ReadScaled is Read with the defaults scaled to another budget than the file's:
// that with which the study was begun, where only the budget has grown since.
func ReadScaled(file string, text []byte, games arena.Catalogue, samplers Samplers, scale *tuner.Budget) (*tuner.Setup, error) {
	d := yamlfile.Read(file, text, Keys(samplers))
	s := readDraft(d, games, samplers, scale, 0)
	if d.Mistakes() == 0 {
		s.checkBudget(func(budget int64) (*draft, bool) {
			again := d.Again()
			s := readDraft(again, games, samplers, scale, budget)
			return s, again.Mistakes() == 0
		})
		s.boundTrials()
	}
	if err := d.Err(); err != nil {
		return nil, err
	}
	setup, err := tuner.Prepare(s.Spec, s.games)
	if err == nil {
		setup.Warnings = s.Warnings
	}
	return setup, err
}

// draft is a study file while it is read.
type draft struct {
	*yamlfile.Document
	*tuner.Setup
	games      arena.Catalogue // with the game that the file declares
	samplers   Samplers
	scale      tuner.Budget // what the defaults are scaled to
	traits     tuner.Traits // of the sampler
	fewMembers bool         // a model of the members searches, which meet the baseline
}

// rule is a mistake at a path, if it is bad; an empty got is what stands there.
type rule struct {
	bad             bool
	path, want, got string
}

// refuse reports the first of some rules that is broken, and returns whether one is.
func (s *draft) refuse(rules ...rule) bool {
	for _, r := range rules {
		if r.bad {
			s.Fail(r.path, r.want, cmp.Or(r.got, s.Got(r.path)))
			return true
		}
	}
	return false
}

// readDraft reads the whole file, with other games than its budget's unless budget is 0.
func readDraft(d *yamlfile.Document, games arena.Catalogue, samplers Samplers, scale *tuner.Budget, budget int64) *draft {
	s := &draft{Document: d, Setup: &tuner.Setup{Spec: &tuner.Spec{}}, games: games, samplers: samplers}
	s.Fill("", s.Spec)
	if s.readDeclared() {
		if s.Ruleset = s.Document.Rules(s.games); s.Ruleset != nil {
			s.Game, s.Setup.Rules = s.Ruleset.Game.Name, s.Ruleset.Rules
		}
	}
	s.readTune()
	s.readOpponents()
	s.readEvaluate()
	s.readObjective()
	s.checkMeeting()
	s.Fill("budget", &s.Budget)
	if s.Budget.Trials == 0 {
		s.Budget.Trials = defaultTrials
	}
	if budget > 0 {
		s.Budget.Games = budget
	}
	s.scale = s.Budget
	if scale != nil {
		s.scale = *scale
		if !s.Has("budget.trials") {
			// The number of trials that boundTrials computed had no part in the
			// choice of the sampler.
			s.scale.Trials = s.Budget.Trials
		}
	}
	s.readSampler()
	s.readRace()
	s.readFinal()
	(&proof{s, &s.Validation, s.Proved().Of == "score", maxBlocks}).read()
	s.readBegin()
	s.Known("")
	return s
}

// readOpponents reads the baseline and the pool.
func (s *draft) readOpponents() {
	n := s.Len("pool")
	many := s.refuse(rule{n > mostPool, "pool", fmt.Sprintf("at most %d entrants", mostPool), strconv.Itoa(n)})
	if s.Ruleset == nil {
		return
	}
	if s.Has("baseline") {
		if e, ok := s.Entrant(s.Ruleset, "baseline"); ok {
			s.BaselineEntrant, s.Baseline = e, e.Canonical()
		}
	}
	for i := 0; i < n && !many; i++ {
		if e, ok := s.Entrant(s.Ruleset, fmt.Sprintf("pool[%d]", i)); ok {
			s.PoolEntrants = append(s.PoolEntrants, e)
			s.Pool = append(s.Pool, e.Canonical())
		}
	}
}

// Package studyfile is study files: YAML that people write, in, and out a tuner.Setup with
// every default filled in, or all mistakes with their lines.
//
//	setup, err := studyfile.Read("mp.yaml", text, games, sampler.Kinds{})
//
// A stored study continues by its stored spec. A file that is given again is the same study
// where its text is the stored one, or where its [tuner.Spec.Hash], which leaves the budget
// out, is equal; defaults then scale with the budget at which the study began. Other files
// are refused with the difference.
//
// One table says which keys there are: Keys in keys.go. Types, ranges, words, constant defaults,
// numbers of items and keys that exclude each other are the table's, by which the whole file is
// read in one go. Then functions go through its parts in order, fill in defaults that depend on the
// game, the sampler or the budget, and refuse contradictions. They are in read.go (opponents, whom
// candidates meet and what they are worth), tune.go (what is tuned, in which ranges), search.go
// (sampler and its default, race, first points), proof.go (final, validation, budget). keys.go
// tells the table to people and editors; edit.go writes and changes files, settle.go puts the
// content of files in place of their paths and begins a file from a template.
package studyfile

import (
	"cmp"
	"fmt"
	"slices"

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

// ReadScaled does what Read does, with the defaults scaled to another budget than the
// file's: that with which the study was begun, where only the budget has grown since.
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
		if text := setup.Ruleset.Game.Unclocked(setup.Tune.Strategy, setup.ProofRule("limit")); text != "" {
			setup.Warnings = append(setup.Warnings, text)
		}
	}
	return setup, err
}

// fields are what the keys of a file are read into: those of a spec, and keys that become others.
type fields struct {
	*tuner.Spec
	Tune struct {
		*tuner.Tuned
		Params []dimension `json:"params"`
	} `json:"tune"`
	Evaluate struct {
		tuner.PoolSpec
		Mode string `json:"mode"`
	} `json:"evaluate"`
	Validation struct {
		*tuner.ValidationSpec
		Gain       []float64 `json:"gain_elo"`
		Regression []float64 `json:"regression_elo"`
	} `json:"validation"`
}

// draft is a study file while it is read.
type draft struct {
	*yamlfile.Document
	*tuner.Setup
	in         fields
	games      arena.Catalogue // with the game that the file declares
	samplers   Samplers
	scale      tuner.Budget // what the defaults are scaled to
	traits     tuner.Traits // of the sampler
	fewMembers bool         // the parameter sets are so few that they meet the baseline
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

// sound reports whether nothing is wrong with the game and with what is tuned, so that the parts
// of the file that hang on it can be checked.
func (s *draft) sound() bool {
	return s.Ruleset != nil && !slices.ContainsFunc([]string{"game", "rules", "tune", "baseline", "pool", "evaluate", "objective", "budget", "sampler"}, s.Wrong)
}

// readDraft reads the whole file, with other games than its budget's unless budget is 0.
func readDraft(d *yamlfile.Document, games arena.Catalogue, samplers Samplers, scale *tuner.Budget, budget int64) *draft {
	s := &draft{Document: d, Setup: &tuner.Setup{Spec: &tuner.Spec{}}, games: games, samplers: samplers}
	s.in.Spec, s.in.Tune.Tuned, s.in.Validation.ValidationSpec = s.Spec, &s.Tune, &s.Validation
	s.Fill("", &s.in)
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
	s.Budget.Trials = cmp.Or(s.Budget.Trials, defaultTrials)
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
	return s
}

// readOpponents reads the baseline and the pool.
func (s *draft) readOpponents() {
	if s.Ruleset == nil {
		return
	}
	if s.Has("baseline") {
		if e, ok := s.Entrant(s.Ruleset, "baseline"); ok {
			s.BaselineEntrant, s.Baseline = e, e.Canonical()
		}
	}
	for i := 0; i < s.Len("pool") && !s.TooManyMistakes(); i++ {
		if e, ok := s.Entrant(s.Ruleset, fmt.Sprintf("pool[%d]", i)); ok {
			s.PoolEntrants = append(s.PoolEntrants, e)
			s.Pool = append(s.Pool, e.Canonical())
		}
	}
}

// readEvaluate reads evaluate, which lets candidates play each other in place of a
// baseline: pairs of trials (duels), or a generation that plays itself (pool), whose filler
// is also the baseline of final and validation unless the file names one.
func (s *draft) readEvaluate() {
	e := &s.in.Evaluate
	switch {
	case !s.Has("evaluate") || e.Mode == "baseline":
	case e.Mode == "duels":
		s.Duels = true
		if s.Ruleset != nil && s.Ruleset.Seats != 2 {
			s.Fail("evaluate.mode", "pool, or a game for two, as duels are", fmt.Sprintf("%s for %d", s.Game, s.Ruleset.Seats))
		}
	case s.Ruleset != nil:
		s.readPool(&e.PoolSpec)
	}
}

// readPool reads the keys of a generation that plays itself.
func (s *draft) readPool(e *tuner.PoolSpec) {
	s.Evaluate = e
	seats := int64(s.Ruleset.Seats)
	if !s.Within("evaluate.group", 1, float64(seats)) {
		e.Group = int(max(1, seats-1))
	}
	if !s.Within("evaluate.games", float64(seats), anyInt) {
		e.Games = 4 * seats
	}
	s.refuse(rule{e.Games%seats != 0, "evaluate.games", fmt.Sprintf("a multiple of the %d seats, so that everybody has each as often", seats), fmt.Sprint(e.Games)})
	if s.Require("evaluate.filler", "an entrant for the seats that are left") {
		if f, ok := s.Entrant(s.Ruleset, "evaluate.filler"); ok {
			s.FillerEntrant, e.Filler = f, f.Canonical()
		}
	}
	if !s.Has("baseline") {
		s.BaselineEntrant, s.Baseline = s.FillerEntrant, e.Filler
	}
}

// checkMeeting refuses objectives that a pool or duels do not serve.
func (s *draft) checkMeeting() {
	of, limits := s.Objective.Of, len(s.Objective.Limits)
	alone := s.Ruleset != nil && len(s.Tune.Params) > 0 && len(s.searched()) == 0
	s.refuse(
		rule{s.Evaluate != nil && (of != "score" || limits > 0), "objective", "of: score without limits, as individuals of a pool are only compared", of},
		rule{s.Duels && alone, "evaluate.mode", "baseline, as every tuned parameter has one value, and one parameter set has no other to meet", ""},
		rule{s.Duels && of != "score", "objective.of", "score, as duels are won and lost", of},
		rule{s.Duels && limits > 0, "objective.limits", "none, as a duel's metrics are those of both", fmt.Sprint(limits)})
}

// readObjective reads what a trial is worth.
func (s *draft) readObjective() {
	o := &s.Objective
	if o.Of == "pareto" {
		s.readObjectives()
	} else {
		s.readGoal("objective", o)
	}
	for i := range o.Limits {
		s.checkLimit(fmt.Sprintf("objective.limits[%d]", i), &o.Limits[i])
	}
	if s.Ruleset == nil {
		return
	}
	scored := slices.ContainsFunc(o.Goals(), func(g tuner.Objective) bool { return g.Of == "score" })
	if scored && s.Ruleset.Game.Unscored {
		s.FailAt("objective", "objective.of", "metric, as "+s.Game+" has no score", o.Of)
	}
	if scored && s.Evaluate == nil {
		s.Require("baseline", "an entrant: the frozen opponent")
	}
	if s.Relative() && s.sound() {
		if err := s.Refer(); err != nil {
			s.FailAt("", "baseline", "an entrant, which relative metrics are relative to", err.Error())
		}
	}
}

// readGoal settles what one value is, and refuses what does not go together.
func (s *draft) readGoal(path string, o *tuner.Objective) {
	if o.Of == "metric" && s.Require(path+".metric", "the name of a metric") {
		if s.Ruleset == nil {
			return
		}
		found, err := s.Ruleset.Metric(o.Metric)
		if err != nil && !s.Wrong(path+".metric") {
			s.Fail(path+".metric", "a metric", err.Error())
		}
		if o.Goal == "" && found.Lower {
			o.Goal = "minimize"
		}
		o.Goal = cmp.Or(o.Goal, "maximize")
		s.refuse(rule{o.Relative && found.Per != "", path + ".relative", "false: " + o.Metric + " is a ratio itself", ""})
	}
	s.refuse(rule{o.Of == "score" && o.Relative, path + ".relative", "false: a score is against the baseline as it is", ""})
	s.refuse(rule{o.Over != "mean" && s.Evaluate != nil, path + ".over", "mean, as individuals of a pool are only compared", ""})
}

// readObjectives reads those of a Pareto objective.
func (s *draft) readObjectives() {
	o := &s.Objective
	if !s.Require("objective.objectives", "a list of two to four objectives") {
		return
	}
	n, weights := s.Len("objective.objectives"), s.Len("objective.weights")
	seen := map[string]bool{}
	for i := range o.Objectives {
		path, g := fmt.Sprintf("objective.objectives[%d]", i), &o.Objectives[i]
		s.readGoal(path, g)
		s.refuse(rule{seen[g.Name()] && !s.Wrong(path), path, "each objective once", g.Name() + " a second time"})
		seen[g.Name()] = true
	}
	switch {
	case !s.Has("objective.weights"):
		o.Knee = tuner.KneeOfGains
	case weights != n:
		s.Fail("objective.weights", fmt.Sprintf("%d weights, one an objective", n), fmt.Sprintf("%d of them", weights))
	case len(o.Weights) == weights:
		s.refuse(rule{n == 0 || slices.Max(o.Weights) == 0, "objective.weights", "a weight above 0", "none"})
	}
}

// checkLimit checks one of objective.limits.
func (s *draft) checkLimit(path string, l *tuner.Limit) {
	if s.Got(path) != "a mapping" {
		return
	}
	if s.Has(path+".metric") && s.Ruleset != nil {
		if found, err := s.Ruleset.Metric(l.Metric); err != nil {
			s.Fail(path+".metric", "a metric", err.Error())
		} else {
			s.refuse(rule{l.Relative() && found.Per != "", path + ".metric", "a metric that is a mean per game, for a ratio to the baseline's", l.Metric + ", which is a ratio itself"})
		}
	}
	if !slices.ContainsFunc([]string{".max", ".min", ".max_ratio", ".min_ratio"}, func(key string) bool { return s.Has(path + key) }) {
		s.Require(path+".max", "at least one of max, min, max_ratio and min_ratio")
	}
	ordered := func(low, high *float64, least, most string) {
		s.refuse(rule{low != nil && high != nil && *low > *high, path + "." + least, "a number not above " + most, ""})
	}
	ordered(l.Min, l.Max, "min", "max")
	ordered(l.MinRatio, l.MaxRatio, "min_ratio", "max_ratio")
}

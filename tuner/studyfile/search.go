package studyfile

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/stats"
	"sakusen/tuner/studyfile/yamlfile"
)

// anySpace stands for the space of a study that has mistakes: a sampler's options are
// still checked.
var anySpace = tuner.Space{{Param: param.Param{Name: "x", Kind: param.Float, Domain: param.Range(0, 1), Default: "0.5", Doc: "any"}}}

// readSampler reads who proposes, and what its traits say of the study.
func (s *draft) readSampler() {
	c, space := &s.Sampler, s.Tune.Params.Given(s.Tune.Fix)
	choice := &chooser{s, space, s.searched()}
	if c.Name == "" {
		c.Name = choice.sampler()
	}
	s.fewMembers = s.fewMembers && !s.Has("sampler.name")
	if c.Flight == 1 {
		c.Flight = 0 // left out of the stored spec
	}
	if !s.sound() {
		// Options that name a parameter of the space, as in start.NAME, are not known here.
		plain := *c
		plain.Options = slices.DeleteFunc(slices.Clone(c.Options), func(v param.Value) bool { return strings.Contains(v.Name, ".") })
		s.checkOptions(s.samplers.Refuse(plain, anySpace))
		return
	}
	s.Duels = s.Duels || choice.duels()
	if err := s.samplers.Refuse(*c, space); err != nil {
		if s.checkOptions(err) {
			return
		}
		at := "sampler.name"
		if len(c.Options) > 0 {
			at = s.Place("sampler.options", c.Options[0].Name)
		}
		s.FailAt(at, "sampler."+c.Name, "a sampler and options that fit this study", c.Name+": "+err.Error())
		return
	}
	s.traits = s.samplers.Traits(*c, space, tuner.SearchSize{Games: s.scale.Games, BlockGames: s.BlockGames(), Duels: s.Duels})
	if !s.Has("sampler.batch") {
		c.Batch = cmp.Or(s.traits.Batch, defaultBatch)
		if s.Evaluate != nil {
			c.Batch = maxBatch // a pool is as large as the sampler's generation
		}
	}
	flight := c.InFlight() > 1
	s.refuse(rule{s.Duels && !s.traits.Duels, "sampler.name", "a sampler that learns from duels", c.Name})
	s.refuse(rule{s.Duels && c.Batch%2 != 0, "sampler.batch", "an even number, as duels are between two", fmt.Sprint(c.Batch)})
	s.refuse(
		rule{flight && s.Evaluate != nil, "sampler.flight", "1, as a pool is proposed from the one before it", ""},
		rule{flight && s.traits.State, "sampler.flight", fmt.Sprintf("1, as %s proposes a generation from the values of the one before it", c.Name), ""})
	s.refuse(rule{s.traits.Answers && s.Pareto(), "sampler.name", "a sampler that ranks its trials, as a Pareto objective has no one value to model", c.Name})
}

// checkOptions reports every mistake of a sampler's options that its refusal tells, each
// where the option stands, and returns whether there was one.
func (s *draft) checkOptions(refusal error) bool {
	told := false
	for _, err := range yamlfile.Unjoin(refusal) {
		e, ok := errors.AsType[*param.Error](err)
		if !ok {
			continue
		}
		name := strings.TrimPrefix(e.Name, "options: ")
		if _, given := s.Sampler.Options.Get(name); given {
			s.Declared("sampler.options", &param.Error{Name: name, Got: e.Got, Want: e.Want, Unknown: e.Unknown, What: "option of " + s.Sampler.Name})
			told = true
		}
	}
	return told
}

// readRace reads how a batch is judged.
func (s *draft) readRace() {
	if s.Evaluate != nil {
		s.Race = tuner.Race{Method: "none", Keep: 1, Rungs: []int64{s.Evaluate.Blocks(s.Ruleset.Seats)}}
		return
	}
	rungs := []int64{8, 16, 32, 64, 128}
	def := tuner.Race{Method: "halving", Rungs: rungs, Keep: 0.5}
	if s.Duels {
		def.Method, def.Rungs = "none", rungs[len(rungs)-1:]
	}
	if s.traits.Race != nil {
		def = *s.traits.Race
	}
	r := &s.Race
	r.Method, r.Keep, r.Blocks = cmp.Or(r.Method, def.Method), cmp.Or(r.Keep, def.Keep), cmp.Or(r.Blocks, def.Blocks)
	if s.Duels {
		r.Blocks = ""
		s.refuse(rule{r.Method != "none", "race.method", "none, as duels are not raced", r.Method})
		s.refuse(rule{s.Has("race.blocks"), "race.blocks", "none, as duels have blocks of their own", ""})
	} else if r.Blocks == "shared" {
		r.Blocks = "" // left out of the stored spec
	}
	switch n := s.Len("race.rungs"); {
	case !s.Has("race.rungs") || s.Got("race.rungs") != "a list":
		if r.Rungs = def.Rungs; r.Method != def.Method {
			r.Rungs = rungs
		}
		if r.Method == "none" {
			r.Rungs = r.Rungs[len(r.Rungs)-1:]
		}
	case len(r.Rungs) == n:
		for i := 1; i < n; i++ {
			if s.refuse(rule{r.Rungs[i] <= r.Rungs[i-1], fmt.Sprintf("race.rungs[%d]", i), "more blocks than at the rung before", ""}) {
				break
			}
		}
	}
	r.Rungs = slices.Clone(r.Rungs)
	for i := range r.Rungs {
		r.Rungs[i] = supplied(s, arena.Tune, fmt.Sprintf("race.rungs[%d]", i), r.Rungs[i])
	}
	r.Rungs = slices.Compact(r.Rungs)
	s.refuse(rule{r.Method == "none" && len(r.Rungs) > 1, "race.rungs", "one rung, as nobody is stopped", fmt.Sprint(len(r.Rungs))})
	s.readIncumbent()
}

// supplied returns a number of blocks, at most those that the game has for a phase; a path that
// asks for more is refused.
func supplied(s *draft, p arena.Phase, path string, blocks int64) int64 {
	rs := s.RulesetOf(p)
	if rs == nil || rs.Blocks == 0 || blocks <= rs.Blocks {
		return blocks
	}
	s.refuse(rule{s.Has(path), path, fmt.Sprintf("at most %d: %s has so many blocks for each phase under these rules", rs.Blocks, s.Game), fmt.Sprint(blocks)})
	return rs.Blocks
}

// readIncumbent reads whether the incumbent is played again with each batch and tested
// against. By default it is, if the test can stop a trial: at a rung before the last, with
// enough blocks, by the mean of one value.
func (s *draft) readIncumbent() {
	r := &s.Race
	means := s.Objective.Of != "pareto" && s.Objective.Over == "mean"
	can := r.Method != "none" && means && r.LastLook() >= stats.FewBlocks && !s.traits.Answers
	if text, _ := s.Scalar("race.incumbent"); text != "true" && text != "false" {
		r.Incumbent = can
	}
	const incumbent = "race.incumbent"
	s.refuse(
		rule{r.Incumbent && !means, incumbent, "false: blocks are compared by one mean", s.Objective.Of + " over " + s.Objective.Over},
		rule{r.Incumbent && s.traits.Answers, incumbent, "false: the sampler " + s.Sampler.Name + " answers with its model, so there is no incumbent", "true"},
		rule{r.Incumbent && !can && s.Mistakes() == 0, incumbent, fmt.Sprintf("false, or a rung of at least %d blocks before the last one", stats.FewBlocks), "true"},
		rule{!r.Incumbent && s.Has("race.alpha"), "race.alpha", "none without race.incumbent", ""})
	if !r.Incumbent {
		r.Alpha = 0
	}
}

// readBegin reads the points that are tried first, and the study with whose games the
// search begins.
func (s *draft) readBegin() {
	n, from := s.Len("begin"), s.Has("begin_from")
	if s.Mistakes() > 0 || n == 0 && !from {
		return
	}
	sampler := "sampler " + s.Sampler.Name
	if s.refuse(
		rule{from && s.BeginFrom == s.Name, "begin_from", "an earlier study, with another name than this one", ""},
		rule{from && s.Pareto(), "begin_from", "none with several objectives, whose games no model takes together", ""},
		rule{from && !s.traits.Learns, "begin_from", "a sampler that learns from games that others asked for: surface or tpe", sampler},
		rule{n > 0 && !s.traits.Begins, "begin", "a sampler that can try points of others: surface, tpe, uniform, quasi, grid, goptuna-random or goptuna-tpe", sampler}) {
		return
	}
	for i := range n {
		s.readPoint(fmt.Sprintf("begin[%d]", i))
	}
	b := s.Budget.Trials
	s.refuse(rule{s.Mistakes() == 0 && len(s.Begin) > b, "begin", fmt.Sprintf("at most budget.trials points, which is %d", b), fmt.Sprint(len(s.Begin))})
}

// readPoint reads one point, {parameter: value, ...}.
func (s *draft) readPoint(path string) {
	named, isMapping := s.Values(path), s.Got(path) == "a mapping"
	first := &s.Tune.Params[0]
	if isMapping && !s.Paired(path) || s.refuse(rule{!isMapping || named == nil, path, "a point such as {" + first.Name + ": " + first.Default + "}", ""}) {
		return
	}
	point, err := s.Point(named)
	if err != nil {
		s.Declared(path, err)
		return
	}
	active := func(v param.Values) string { return s.Tune.Params.Activate(s.Tune.Fix, v).Hash() }
	twice := slices.ContainsFunc(s.Begin, func(v param.Values) bool { return active(v) == active(point) })
	if !s.refuse(rule{twice, path, "each point once", "the same point a second time: " + point.String()}) {
		s.Begin = append(s.Begin, point)
	}
}

// The shares of the games that are kept for validation, unless the sampler asks for another.
// The default is 30 %; it is half of a small number of games, since the proof is then the
// harder part, and a fifth with many parameters, since the search is. See docs/keys.md.
const (
	provingShare    = 0.3
	fewGames        = 5000
	provingFew      = 0.5
	manyParameters  = 9
	provingManyDims = 0.2
)

// proving returns the default share of the games that is kept for validation.
func (s *draft) proving() float64 {
	switch {
	case s.traits.Proving > 0:
		return s.traits.Proving
	case s.scale.Games <= fewGames:
		return provingFew
	case len(s.searched()) >= manyParameters:
		return provingManyDims
	}
	return provingShare
}

// searched returns the space that a sampler sees: parameters with more than one value.
func (s *draft) searched() tuner.Space {
	space, still := s.Tune.Params.Searched(s.Tune.Fix)
	return space.Given(still)
}

// chooser chooses the sampler of a study file that names none, and how its candidates meet.
type chooser struct {
	*draft
	space    tuner.Space // as the sampler is given it
	searched tuner.Space // of it, what the sampler sees
}

// sampler returns the first that serves the study of those that do best on its kind of
// space; docs/research/searches.md tells what was measured.
func (c *chooser) sampler() string {
	size := c.Tune.Params.Size()
	ranked := len(c.Objective.Limits) > 0 || c.Has("final") || c.Has("race") // which a surface does not do
	// A model of all games finds the strongest parameter set sooner than a list of trials,
	// however few there are.
	strongest := c.Objective.Of == "score" && !ranked
	var wanted []string
	switch {
	case c.Evaluate != nil:
		wanted = []string{"jgg"}
	case c.Duels:
		wanted = []string{"surface", "spsa"}
	case strongest && c.serves("surface") && (c.few() || size > 1 && size <= c.scale.Trials):
		c.fewMembers = c.few()
		return "surface"
	case strongest && c.crowded() && c.serves("spsa"):
		return "spsa"
	case size > 0 && size <= c.scale.Trials && !c.Has("begin_from"):
		wanted = []string{"grid"}
	case c.Pareto():
		wanted = []string{"quasi"} // it covers the space evenly, so that it finds all parts of a front
	case ranked && c.conditional():
		wanted = []string{"tpe"}
	default:
		wanted = []string{"surface", "tpe"}
	}
	if i := slices.IndexFunc(wanted, c.serves); i >= 0 {
		return wanted[i]
	}
	return "quasi"
}

// serves reports whether a sampler can search the space, and begin as the file says.
func (c *chooser) serves(name string) bool {
	spec := tuner.SamplerSpec{Name: name, Seed: 1, Batch: defaultBatch}
	if !slices.Contains(c.samplers.Names(), name) || c.samplers.Refuse(spec, c.space) != nil {
		return false
	}
	begin, from := c.Has("begin"), c.Has("begin_from")
	if !begin && !from {
		return true
	}
	t := c.samplers.Traits(spec, c.space, tuner.SearchSize{Games: c.scale.Games, BlockGames: 1})
	return (t.Begins || !begin) && (t.Learns || !from)
}

// manyNumbers is the number of numbers above which a model of games against opponents knows too
// little of the ground to be better than a climb: above it a surface is a parabola.
const manyNumbers = 12

// crowded reports whether candidates cannot meet each other, as more than two play, and have so
// many numbers that a climb without a model is the safer search.
func (c *chooser) crowded() bool {
	return c.Ruleset != nil && c.Ruleset.Seats > 2 && len(c.searched) > manyNumbers
}

// few reports whether choices or conditions make a space of so few members that each of them is
// known by itself.
func (c *chooser) few() bool {
	if c.numeric() {
		return false
	}
	n := c.Tune.Params.Count(c.Tune.Fix)
	return n > 1 && n <= tuner.FewMembers
}

// duels reports whether candidates play each other by default: if the file names
// neither a sampler nor a way to judge candidates, the surface is the default sampler, the
// game has two seats, and the baseline plays the same strategy. Every block seats both
// sides alike, so any such game is symmetric.
func (c *chooser) duels() bool {
	switch {
	case c.fewMembers || c.Has("evaluate") || c.Has("race") || len(c.PoolEntrants) > 0 || c.Ruleset == nil || c.Ruleset.Seats != 2:
		return false
	case c.Objective.Of != "score" || c.Objective.Over != "mean" || len(c.Objective.Limits) > 0:
		return false
	case c.Has("sampler.name") || c.Has("sampler.batch") && c.Sampler.Batch%2 != 0:
		return false
	}
	return c.Sampler.Name == "surface" && c.BaselineEntrant.Strategy == c.Tune.Strategy
}

// conditional reports whether a parameter is active only under conditions.
func (c *chooser) conditional() bool {
	return slices.ContainsFunc(c.searched, func(d tuner.Dimension) bool { return len(d.When) > 0 })
}

// numeric reports whether every parameter is a number that is always active.
func (c *chooser) numeric() bool {
	return !c.conditional() && !slices.ContainsFunc(c.searched, func(d tuner.Dimension) bool { return d.Kind != param.Int && d.Kind != param.Float })
}

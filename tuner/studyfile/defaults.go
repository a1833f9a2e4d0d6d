package studyfile

import (
	"slices"

	"sakusen/engines/param"
	"sakusen/tuner"
)

// The shares of the games that are kept for validation, unless the sampler asks for
// another: 30 % by default; half of a small number of games, since the proof is then the
// harder part; a fifth with many parameters, since the search is. See docs/studies.md.
const (
	provingShare    = 0.3
	fewGames        = 5000
	provingFew      = 0.5
	manyParameters  = 9
	provingManyDims = 0.2
)

// proving is the default share of the games that is kept for validation.
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

// searched is the space that a sampler sees: parameters with more than one value.
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
// space; docs/studies.md tells what was measured.
func (c *chooser) sampler() string {
	size := c.Tune.Params.Size()
	ranked := len(c.Objective.Limits) > 0 || c.Has("final") || c.Has("race") // which a surface does not do
	scored := c.Objective.Of == "score"
	// A model of all games finds the strongest parameter set sooner than a list of trials,
	// however few there are.
	strongest := scored && !ranked
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
	case scored && ranked && c.conditional():
		wanted = []string{"tpe"}
	case scored:
		wanted = []string{"surface", "tpe"}
	case !c.numeric():
		wanted = []string{"tpe"}
	default:
		wanted = []string{"cmaes", "tpe"}
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

// crowded tells whether candidates cannot meet each other, as more than two play, and have so
// many numbers that a climb without a model is the safer search.
func (c *chooser) crowded() bool {
	return c.Ruleset != nil && c.Ruleset.Seats > 2 && len(c.searched) > manyNumbers
}

// few tells whether choices or conditions make a space of so few members that each of them is
// known by itself.
func (c *chooser) few() bool {
	if c.numeric() {
		return false
	}
	n := c.Tune.Params.Count(c.Tune.Fix)
	return n > 1 && n <= tuner.FewMembers
}

// duels tells whether candidates play each other by default: if the file names
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

// conditional tells whether a parameter is active only under conditions.
func (c *chooser) conditional() bool {
	return slices.ContainsFunc(c.searched, func(d tuner.Dimension) bool { return len(d.When) > 0 })
}

// numeric tells whether every parameter is a number that is always active.
func (c *chooser) numeric() bool {
	return !c.conditional() && !slices.ContainsFunc(c.searched, func(d tuner.Dimension) bool { return d.Kind != param.Int && d.Kind != param.Float })
}

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

// defaultSampler is the sampler of a study file that names none: the first that
// serves the study of those that do best on its kind of space; see
// docs/studies.md for what was measured.
func (s *draft) defaultSampler() string {
	names := s.samplers.Names()
	space := s.Tune.Params.Given(s.Tune.Fix)
	serves := func(name string) bool {
		return slices.Contains(names, name) && s.samplers.Refuse(tuner.SamplerSpec{Name: name, Seed: 1, Batch: defaultBatch}, space) == nil
	}
	for key, takes := range map[string]func(tuner.Traits) bool{
		"begin": func(t tuner.Traits) bool { return t.Begins }, "begin_from": func(t tuner.Traits) bool { return t.Learns },
	} {
		if all := serves; s.Has(key) {
			serves = func(name string) bool {
				return all(name) && takes(s.samplers.Traits(tuner.SamplerSpec{Name: name, Seed: 1, Batch: defaultBatch}, space, tuner.SearchSize{Games: s.scale.Games, BlockGames: 1}))
			}
		}
	}
	size := s.Tune.Params.Size()
	var wanted []string
	switch {
	case s.Evaluate != nil:
		wanted = []string{"jgg"}
	case s.Duels:
		wanted = []string{"surface", "spsa"}
	case s.strongest() && serves("surface") && (s.few() || size > 1 && size <= s.scale.Trials):
		s.fewMembers = s.few()
		return "surface"
	case s.strongest() && s.crowded() && serves("spsa"):
		return "spsa"
	case size > 0 && size <= s.scale.Trials && !s.Has("begin_from"):
		wanted = []string{"grid"}
	case s.Pareto():
		wanted = []string{"quasi"} // it covers the space evenly, so that it finds all parts of a front
	case s.Objective.Of == "score" && s.conditional() && (len(s.Objective.Limits) > 0 || s.Has("final") || s.Has("race")):
		wanted = []string{"tpe"} // limits, a race and a final need ranked trials, which a surface does not have
	case s.Objective.Of == "score":
		wanted = []string{"surface", "tpe"}
	case !s.numeric():
		wanted = []string{"tpe"}
	default:
		wanted = []string{"cmaes", "tpe"}
	}
	for _, name := range wanted {
		if serves(name) {
			return name
		}
	}
	return "quasi"
}

// strongest tells whether the study asks for the strongest parameter set and for nothing else
// that needs ranked trials: a model of all games then finds it sooner than a list of trials,
// however few the parameter sets are.
func (s *draft) strongest() bool {
	return s.Objective.Of == "score" && !s.Pareto() && len(s.Objective.Limits) == 0 && !s.Has("final") && !s.Has("race")
}

// manyNumbers is the number of numbers above which a model of games against opponents knows too
// little of the ground to be better than a climb: above it a surface is a parabola.
const manyNumbers = 12

// crowded tells whether candidates cannot meet each other, as more than two play, and have so
// many numbers that a climb without a model is the safer search.
func (s *draft) crowded() bool {
	return s.Ruleset != nil && s.Ruleset.Seats > 2 && len(s.searched()) > manyNumbers
}

// few tells whether choices or conditions make a space of so few members that each of them is
// known by itself.
func (s *draft) few() bool {
	if s.numeric() {
		return false
	}
	n := s.Tune.Params.Count(s.Tune.Fix)
	return n > 1 && n <= tuner.FewMembers
}

// defaultDuels tells whether candidates play each other by default: if the file names
// neither a sampler nor a way to judge candidates, the surface is the default sampler, the
// game has two seats, and the baseline plays the same strategy. Every block seats both
// sides alike, so any such game is symmetric.
func (s *draft) defaultDuels() bool {
	switch {
	case s.fewMembers || s.Has("evaluate") || s.Has("race") || len(s.PoolEntrants) > 0 || s.Ruleset == nil || s.Ruleset.Seats != 2:
		return false
	case s.Objective.Of != "score" || s.Objective.Over != "mean" || len(s.Objective.Limits) > 0:
		return false
	case s.Has("sampler.name") || s.Has("sampler.batch") && s.Sampler.Batch%2 != 0:
		return false
	}
	return s.Sampler.Name == "surface" && s.BaselineEntrant.Strategy == s.Tune.Strategy
}

// conditional tells whether a parameter is active only under conditions.
func (s *draft) conditional() bool {
	return slices.ContainsFunc(s.searched(), func(d tuner.Dimension) bool { return len(d.When) > 0 })
}

// numeric tells whether every parameter is a number that is always active.
func (s *draft) numeric() bool {
	return !slices.ContainsFunc(s.searched(), func(d tuner.Dimension) bool {
		return d.Kind != param.Int && d.Kind != param.Float || len(d.When) > 0
	})
}

package studyfile

import (
	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/studyfile/yamlfile"
)

// readPairs reads which games the validation compares: as they were played or, of a race
// whose players play alone, all of the one with all of the other, which is the default
// there but for several objectives.
func readPairs(s *draft, v *yamlfile.Mapping, score bool) {
	const played = "played"
	can := s.Ruleset != nil && score && entry.NewRace(s.Ruleset) != nil
	def := played
	if can && !s.Pareto() {
		def = tuner.AllPairs
	}
	if v.OneOf("pairs", def, tuner.AllPairs, played) == played {
		return
	}
	if s.Validation.Pairs = tuner.AllPairs; !can && s.Ruleset != nil {
		v.Fail("pairs", "played: all pairs of games are compared where a score is validated of two who play alone and the faster wins, as in Battleship", tuner.AllPairs)
	}
}

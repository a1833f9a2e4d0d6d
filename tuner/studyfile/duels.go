package studyfile

import (
	"fmt"

	"sakusen/tuner/studyfile/yamlfile"
)

// readDuels reads evaluate: {mode: duels}, which has no further keys.
func (s *draft) readDuels(m, e *yamlfile.Mapping) {
	s.Duels = true
	e.Done()
	if s.Ruleset != nil && s.Ruleset.Seats != 2 {
		m.Doc.Fail(e.Take("mode"), "evaluate.mode", "pool, or a game for two, as duels are", fmt.Sprintf("%s for %d", s.Game, s.Ruleset.Seats))
	}
	if m.Has("pool") {
		m.Fail("pool", "none, as candidates meet each other", yamlfile.Describe(m.Take("pool")))
	}
}

// checkDuels refuses objectives that a duel does not serve.
func (s *draft) checkDuels(m *yamlfile.Mapping) {
	if !s.Duels {
		return
	}
	n := yamlfile.First(m.Take("objective"), m.Node)
	switch {
	case s.Ruleset != nil && len(s.Tune.Params) > 0 && len(searched(s)) == 0:
		m.Doc.Fail(yamlfile.First(m.Take("evaluate"), m.Node), "evaluate.mode", "baseline, as every tuned parameter has one value, and one parameter set has no other to meet", "duels")
	case s.Objective.Of != "score":
		m.Doc.Fail(n, "objective.of", "score, as duels are won and lost", s.Objective.Of)
	case len(s.Objective.Limits) > 0:
		m.Doc.Fail(n, "objective.limits", "none, as a duel's metrics are those of both", fmt.Sprint(len(s.Objective.Limits)))
	}
}

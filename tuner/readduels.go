package tuner

import "fmt"

// readDuels reads evaluate: {mode: duels}, which has no further keys.
func (s *draft) readDuels(m, e *mapping) {
	s.Duels = true
	e.done()
	if s.Ruleset != nil && s.Ruleset.Seats != 2 {
		m.r.fail(e.take("mode"), "evaluate.mode", "pool, or a game for two, as duels are", fmt.Sprintf("%s for %d", s.Game, s.Ruleset.Seats))
	}
	if m.has("pool") {
		m.r.fail(m.take("pool"), "pool", "none, as candidates meet each other", describe(m.take("pool")))
	}
}

// checkDuels refuses objectives that a duel does not serve.
func (s *draft) checkDuels(m *mapping) {
	if !s.Duels {
		return
	}
	n := cmpNode(m.take("objective"), m.node)
	switch {
	case s.Objective.Of != "score":
		m.r.fail(n, "objective.of", "score, as duels are won and lost", s.Objective.Of)
	case len(s.Objective.Limits) > 0:
		m.r.fail(n, "objective.limits", "none, as a duel's metrics are those of both", fmt.Sprint(len(s.Objective.Limits)))
	}
}

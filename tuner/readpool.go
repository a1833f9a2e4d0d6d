package tuner

import "fmt"

// readEvaluate reads evaluate, which has candidates meet each other in place of
// a baseline: pairs of trials (duels), or a generation that judges itself (pool),
// whose filler is then also the baseline of final and validation, unless the
// file names one.
func (s *draft) readEvaluate(m *mapping) {
	n := m.take("evaluate")
	if n == nil {
		return
	}
	e := m.r.mapping(n, "evaluate")
	switch e.oneOf("mode", "pool", "pool", "duels", "baseline") {
	case "duels":
		s.readDuels(m, e)
		return
	case "baseline":
		e.done() // what is so without evaluate, but where duels are the default
		return
	}
	filler := e.take("filler")
	if s.Ruleset == nil {
		return
	}
	seats := int64(s.Ruleset.Seats)
	s.Evaluate = &PoolSpec{
		Group:  int(e.integer("group", max(1, seats-1), 1, seats)),
		Rounds: int(e.integer("rounds", 5, 1, 1000)),
		Games:  e.integer("games", 4*seats, seats, anyInt),
	}
	e.require("mode", "mode: baseline, duels or pool")
	if s.Evaluate.Games%seats != 0 {
		m.r.fail(cmpNode(e.take("games"), n), "evaluate.games",
			fmt.Sprintf("a multiple of the %d seats, so that everybody has each as often", seats), fmt.Sprint(s.Evaluate.Games))
	}
	if filler != nil {
		if f, ok := m.r.entrant(s.Ruleset, filler, "evaluate.filler"); ok {
			s.FillerEntrant, s.Evaluate.Filler = f, f.Canonical()
		}
	} else {
		e.require("filler", "an entrant for the seats that are left")
	}
	e.done()
	if !m.has("baseline") {
		s.BaselineEntrant, s.Baseline = s.FillerEntrant, s.Evaluate.Filler
	}
	for _, key := range []string{"pool", "race"} {
		if m.has(key) {
			m.r.fail(m.take(key), key, "none, as a generation plays itself", describe(m.take(key)))
		}
	}
}

// checkPool refuses objectives that a pool does not serve.
func (s *draft) checkPool(m *mapping) {
	if s.Evaluate == nil {
		return
	}
	if s.Objective.Of != "score" || len(s.Objective.Limits) > 0 {
		m.r.fail(cmpNode(m.take("objective"), m.node), "objective", "of: score without limits, as individuals of a pool are only compared", s.Objective.Of)
	}
}

// poolBlocks is the number of blocks that an individual of a pool plays.
func (s *Setup) poolBlocks() int64 {
	return int64(s.Evaluate.Rounds) * s.Evaluate.Games / int64(s.Ruleset.Seats)
}

package studyfile

import (
	"fmt"

	"sakusen/tuner"
	"sakusen/tuner/studyfile/yamlfile"
)

// readEvaluate reads evaluate, which lets candidates play each other in place of a
// baseline: pairs of trials (duels), or a generation that plays itself (pool), whose filler
// is also the baseline of final and validation unless the file names one.
func (s *draft) readEvaluate(m *yamlfile.Mapping) {
	n := m.Take("evaluate")
	if n == nil {
		return
	}
	e := m.Doc.Mapping(n, "evaluate")
	switch e.OneOf("mode", "pool", "pool", "duels", "baseline") {
	case "duels":
		s.readDuels(m, e)
		return
	case "baseline":
		e.Done() // the default way to judge, unless duels are the default
		return
	}
	filler := e.Take("filler")
	if s.Ruleset == nil {
		return
	}
	seats := int64(s.Ruleset.Seats)
	s.Evaluate = &tuner.PoolSpec{
		Group:  int(e.Integer("group", max(1, seats-1), 1, seats)),
		Rounds: int(e.Integer("rounds", 5, 1, 1000)),
		Games:  e.Integer("games", 4*seats, seats, anyInt),
	}
	e.Require("mode", "mode: baseline, duels or pool")
	if s.Evaluate.Games%seats != 0 {
		m.Doc.Fail(yamlfile.First(e.Take("games"), n), "evaluate.games",
			fmt.Sprintf("a multiple of the %d seats, so that everybody has each as often", seats), fmt.Sprint(s.Evaluate.Games))
	}
	if filler != nil {
		if f, ok := m.Doc.Entrant(s.Ruleset, filler, "evaluate.filler"); ok {
			s.FillerEntrant, s.Evaluate.Filler = f, f.Canonical()
		}
	} else {
		e.Require("filler", "an entrant for the seats that are left")
	}
	e.Done()
	if !m.Has("baseline") {
		s.BaselineEntrant, s.Baseline = s.FillerEntrant, s.Evaluate.Filler
	}
	for _, key := range []string{"pool", "race"} {
		if m.Has(key) {
			m.Doc.Fail(m.Take(key), key, "none, as a generation plays itself", yamlfile.Describe(m.Take(key)))
		}
	}
}

// checkPool refuses objectives that a pool does not serve.
func (s *draft) checkPool(m *yamlfile.Mapping) {
	if s.Evaluate == nil {
		return
	}
	if s.Objective.Of != "score" || len(s.Objective.Limits) > 0 {
		m.Fail("objective", "of: score without limits, as individuals of a pool are only compared", s.Objective.Of)
	}
}

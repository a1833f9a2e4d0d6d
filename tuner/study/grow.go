package study

import (
	"context"
	"encoding/json"
	"fmt"
	"math"

	"sakusen/tuner"
	"sakusen/tuner/entry"
)

// grow.go is about finished studies that go on with a larger budget: after the verdict
// the search takes up where it ended, and comes to another answer and to another
// attempt, which has a level of its own. What validations have shown is no part of the
// search.

// begin gives a study that has grown the budget with which it began: each part of its
// log is replayed with its own.
func begin(st *Study) error {
	for _, e := range st.journal.entries {
		if e.Kind != entry.KindGrow {
			continue
		}
		var g entry.Grow
		if err := json.Unmarshal(e.Payload, &g); err != nil {
			return fmt.Errorf("the log's first %s: %w: %w", e.Kind, err, tuner.ErrOtherCode)
		}
		setup, spec := *st.Setup, *st.Setup.Spec
		st.whole = spec.Budget
		spec.Budget = tuner.Budget{Trials: g.From.Trials, Games: g.From.Games}
		setup.Spec = &spec
		st.Setup = &setup
		return nil
	}
	return nil
}

// goesOn tells whether the log takes the study up again after a verdict, and does so.
func goesOn(ctx context.Context, st *Study, verdict *entry.Validation) (bool, error) {
	if st.journal.peek() != entry.KindGrow {
		return false, nil
	}
	g, err := step[entry.Grow](ctx, st.journal, entry.KindGrow, nil, nil)
	if err != nil {
		return false, err
	}
	st.proofs = st.Games() - st.searchGames()
	if verdict != nil {
		st.proofs += verdict.Evidence.Games
		for _, m := range verdict.Pool {
			st.proofs += m.Evidence.Games
		}
	}
	if st.answered != nil && !st.answered.Again {
		// What a model believed of its answer is no evidence for the next model.
		t := st.trials[st.answered.Trial]
		t.Draw, t.Estimate.Value, t.Estimate.Error = st.drawn-1, math.NaN(), math.NaN()
	}
	st.finals, st.answered, st.replayed = nil, nil, nil
	st.Setup.Budget = tuner.Budget{Trials: g.To.Trials, Games: g.To.Games}
	if !growsAgain(st.journal.entries[st.journal.next:]) {
		st.Setup.Budget = st.whole // which may have grown since
	}
	return true, nil
}

// growsAgain tells whether a log goes on to another verdict and beyond it.
func growsAgain(log []entry.Entry) bool {
	for _, e := range log {
		if e.Kind == entry.KindGrow {
			return true
		}
	}
	return false
}

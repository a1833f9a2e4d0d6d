package tuner

import (
	"context"
	"fmt"

	"sakusen/engines/arena"
	"sakusen/tuner/entry"
	"sakusen/tuner/numeral"
	"sakusen/tuner/rating"
)

// looks is the number of times at which a validation may be decided.
const looks = 64

// validate plays the winner against the baseline under the spec's bounds. The
// first look at which a sequential test on the blocks' scores crosses a bound
// decides, so its error rates are those of Wald's test; the blocks are played
// to their fixed number all the same, so that the printed estimate owes nothing
// to the moment at which it looked good.
func (st *Study) validate(ctx context.Context, winner *Trial) (*entry.Validation, error) {
	s := st.Setup
	st.meter.phase("validation")
	opened, err := step(ctx, st.journal, entry.KindAttempt, func() (entry.Attempt, error) { return st.open(ctx, winner) }, nil)
	if err != nil {
		return nil, err
	}
	v, err := step(ctx, st.journal, entry.KindValidation, func() (entry.Validation, error) {
		goal := s.Proved()
		decide := st.test
		if goal.Of == "metric" {
			decide = st.compareMetric
		}
		v, err := decide(ctx, winner, opened)
		v.Version = entry.Version
		if v.Evidence.Blocks > 0 {
			v.Played = entry.NewPlayed(validationPhase, opened.Seed, 0, v.Evidence.Blocks)
		}
		return v, err
	}, nil)
	return &v, err
}

// open counts the attempt and gives it its share of alpha.
func (st *Study) open(ctx context.Context, winner *Trial) (entry.Attempt, error) {
	s := st.Setup
	n, err := st.journal.record.Attempt(ctx, s.Game, s.Tune.Strategy, s.Baseline)
	if err != nil {
		return entry.Attempt{}, err
	}
	alpha, err := rating.AttemptAlpha(s.Validation.Alpha, n)
	return entry.Attempt{Trial: winner.Number, Attempt: n, Alpha: alpha, Seed: s.validationSeed(n)}, err
}

func (st *Study) test(ctx context.Context, winner *Trial, opened entry.Attempt) (entry.Validation, error) {
	s := st.Setup
	v := entry.Validation{Trial: winner.Number, Attempt: opened.Attempt, Alpha: opened.Alpha, Verdict: "inconclusive"}
	if winner.Entrant.Canonical() == s.BaselineEntrant.Canonical() {
		v.Reason = "no information: the winner is the baseline itself"
		return v, nil
	}
	test := rating.Test{
		Hypotheses: rating.Hypotheses{Model: rating.Logistic, Elo0: s.Validation.Elo[0], Elo1: s.Validation.Elo[1]},
		Alpha:      opened.Alpha, Beta: s.Validation.Beta,
		MinBlocks: min(rating.FewBlocks, s.Validation.MaxBlocks), MaxBlocks: s.Validation.MaxBlocks,
	}
	every := max(1, (s.Validation.MaxBlocks+looks-1)/looks)
	var decided *rating.Result
	var seen sameness
	for to := every; ; to += every {
		to = min(to, s.Validation.MaxBlocks)
		var err error
		if v.Evidence, err = st.playBaseline(ctx, winner.Entrant, v.Evidence, opened.Seed, to, &seen); err != nil {
			return v, err
		}
		if seen.all() {
			v.Evidence.Games += s.ReferenceGames(to)
			v.Reason = fmt.Sprintf("no information: all %d blocks are the same games: nothing is left to chance", to)
			v.Score = numeral.Finite(v.Evidence.Score(s.Ruleset.Seats).Value)
			return v, nil
		}
		look, err := test.Judge(s.blocks(v.Evidence))
		if err != nil {
			return v, err
		}
		if decided == nil && look.Done() {
			decided = &look
		}
		if to == s.Validation.MaxBlocks {
			st.conclude(&v, *decided) // at the last block every test is decided
			v.Evidence.Games += s.ReferenceGames(to)
			return v, nil
		}
	}
}

// blocks is the evidence as the statistics take it.
func (s *Setup) blocks(e entry.Evidence) rating.Blocks {
	return rating.Rotated(s.Ruleset.Seats, e.Scores)
}

// conclude turns the look that decided into the verdict, and all blocks into
// the published interval.
func (st *Study) conclude(v *entry.Validation, decided rating.Result) {
	v.LLR, v.Reason = numeral.Finite(decided.LLR), decided.Reason
	switch decided.Verdict {
	case rating.H1:
		v.Verdict = "pass"
	case rating.H0:
		v.Verdict = "fail"
	}
	st.withinLimits(v, st.Setup.Estimate([]entry.Evidence{v.Evidence}))
	e := st.Setup.blocks(v.Evidence).Estimate()
	v.Score, v.Elo = known(e.Score), known(e.Elo)
	v.ScoreCI, v.EloCI = e.CI95.Ends(), e.EloCI.Ends()
}

func known(n rating.Number) *float64 {
	if !n.Defined {
		return nil
	}
	return &n.Value
}

// playBaseline adds validation blocks against the baseline alone.
func (st *Study) playBaseline(ctx context.Context, e arena.Entrant, so entry.Evidence, seed uint64, to int64, seen *sameness) (entry.Evidence, error) {
	part, err := st.stretch(ctx, e, &st.Setup.BaselineEntrant, seed, validationPhase, so.Blocks, to, seen)
	if err != nil || so.Blocks == 0 {
		return part, err
	}
	return so.Plus(part), nil
}

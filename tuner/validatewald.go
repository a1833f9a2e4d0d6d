package tuner

import (
	"context"
	"fmt"

	"sakusen/tuner/entry"
	"sakusen/tuner/numeral"
	"sakusen/tuner/rating"
)

// looks is the number of times at which Wald's test may decide.
const looks = 64

// testWald decides as older programs did, for studies that they began: the first look at
// which Wald's test crosses a bound decides, and all blocks are played in any case.
func (st *Study) testWald(ctx context.Context, winner *Trial, opened entry.Attempt) (entry.Validation, error) {
	s := st.Setup
	v := entry.Validation{Trial: winner.Number, Attempt: opened.Attempt, Alpha: opened.Alpha, Verdict: "inconclusive"}
	if winner.Entrant.Canonical() == s.BaselineEntrant.Canonical() {
		v.Reason = ItIsTheBaseline
		return v, nil
	}
	test := rating.Test{
		Hypotheses: rating.Hypotheses{Model: rating.Logistic, Elo0: s.Validation.Elo[0], Elo1: s.Validation.Elo[1]},
		Alpha:      opened.Alpha, Beta: s.Validation.Beta,
		MinBlocks: min(rating.FewBlocks, s.Validation.MaxBlocks), MaxBlocks: s.Validation.MaxBlocks,
	}
	every := max(1, (s.Validation.MaxBlocks+looks-1)/looks)
	var decided *rating.Result
	for to := every; ; to += every {
		to = min(to, s.Validation.MaxBlocks)
		var err error
		if v.Evidence, err = st.playBaseline(ctx, winner.Entrant, v.Evidence, opened.Seed, to); err != nil {
			return v, err
		}
		if repeatsAll(v.Evidence) {
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
			st.concludeWald(&v, *decided) // at the last block every test is decided
			v.Evidence.Games += s.ReferenceGames(to)
			return v, nil
		}
	}
}

// concludeWald turns the look that decided into the verdict, and all blocks into
// the published interval.
func (st *Study) concludeWald(v *entry.Validation, decided rating.Result) {
	v.LLR, v.Reason = numeral.Finite(decided.LLR), decided.Reason
	switch decided.Verdict {
	case rating.H1:
		v.Verdict = "pass"
	case rating.H0:
		v.Verdict = "fail"
	}
	st.withinLimits(v, st.Setup.Estimate([]entry.Evidence{v.Evidence}))
	e := st.Setup.blocks(v.Evidence).Estimate()
	v.Score, v.Elo = e.Score.Pointer(), e.Elo.Pointer()
	v.ScoreCI, v.EloCI = e.CI95.Ends(), e.EloCI.Ends()
}

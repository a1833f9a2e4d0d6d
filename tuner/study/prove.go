package study

import (
	"context"
	"fmt"
	"math"

	"sakusen/engines/arena"
	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/numeral"
	"sakusen/tuner/stats"
)

// prove decides whether the winner is better than the baseline, as the spec asks. The
// chances of error of its plan hold over all its looks.
func (st *Study) prove(ctx context.Context, winner *tuner.Trial, opened entry.Attempt) (v entry.Validation, err error) {
	s := st.Setup
	v = entry.Validation{Trial: winner.Number, Attempt: opened.Attempt, Alpha: opened.Alpha, Verdict: "inconclusive", About: about(s)}
	if winner.Entrant.Canonical() == s.BaselineEntrant.Canonical() {
		v.Reason = tuner.ItIsTheBaseline
		return v, nil
	}
	plan := stats.Group{
		Elo0: s.Validation.Elo[0], Elo1: s.Validation.Elo[1], Seats: s.Ruleset.Seats,
		Alpha: opened.Alpha, Beta: s.Validation.Beta, MaxBlocks: s.Validation.MaxBlocks,
		Once: s.Validation.Plan == tuner.PlanFixed,
	}
	test, err := plan.Prepare()
	if err != nil {
		return v, err
	}
	st.proof = newProofGames(s)
	defer func() { v.GameVariance, st.proof = st.proof.variance(), nil }()
	for _, to := range test.Looks() {
		if v.Evidence, err = st.playBaseline(ctx, winner.Entrant, v.Evidence, opened.Seed, to); err != nil {
			return v, err
		}
		played := v.Evidence
		played.Games += s.ReferenceGames(to)
		if why := repeated(st, v.Evidence); why != "" {
			v.Evidence, v.Reason = played, why
			v.Score = numeral.Finite(v.Evidence.Score(s.Ruleset.Seats).Value)
			return v, nil
		}
		blocks := st.proof.blocksOf(s, v.Evidence)
		look, err := test.Judge(blocks)
		if err != nil {
			return v, err
		}
		seen := v.Evidence.Score(s.Ruleset.Seats)
		if p := blocks.Placed; p != nil {
			seen.Value, seen.Error = p.Score, math.Sqrt(p.Variance/float64(to-1))
		}
		st.meter.look(tuner.ProofLook{
			Blocks: to, Most: test.MaxBlocks, Score: seen.Value, Error: seen.Error,
			Above: look.Above, Needs: look.Pass, Below: look.Below, Fails: look.Fail,
		})
		if look.Done() {
			v.Evidence, v.Pairs = played, blocks.Placed
			return v, st.conclude(&v, test, look, blocks)
		}
	}
	return v, fmt.Errorf("validation: its last look decides nothing")
}

// conclude turns the look that decided into the verdict and the estimates.
func (st *Study) conclude(v *entry.Validation, test *stats.GroupTest, look stats.GroupLook, blocks stats.Blocks) error {
	v.Reason = look.Reason
	v.Test = &entry.Decided{
		Plan: st.Setup.Validation.Plan, Looks: look.Look + 1, Most: test.MaxBlocks,
		Above: look.Above, Needs: look.Pass, Below: look.Below, Fails: look.Fail,
	}
	switch look.Verdict {
	case stats.H1:
		v.Verdict = "pass"
	case stats.H0:
		v.Verdict = "fail"
	default:
		v.Reason += "; " + test.Takes(blocks)
	}
	st.withinLimits(v, st.Setup.Estimate([]entry.Evidence{v.Evidence}))
	u, err := test.Unbiased(blocks)
	if err != nil {
		return err
	}
	v.Score, v.Elo = u.Score.Pointer(), u.Elo.Pointer()
	v.ScoreCI, v.EloCI = u.ScoreCI.Ends(), u.EloCI.Ends()
	if v.Verdict == "pass" {
		given, err := test.Conditional(blocks)
		if err != nil {
			return err
		}
		v.Given = given.Pointer()
	}
	return nil
}

// about says what a verdict is about.
func about(s *tuner.Setup) string {
	switch n := s.Ruleset.Starts; {
	case s.Ruleset.Game.FreshChance:
		return "games whose chance is drawn anew for every block"
	case n > 0:
		return fmt.Sprintf("starts of the kind of the game's %d, by the %d that no search meets", n, s.Ruleset.Supply(arena.Validation))
	}
	return "games of the kind that new seeds give"
}

// playBaseline adds validation blocks against the baseline alone.
func (st *Study) playBaseline(ctx context.Context, e arena.Entrant, so entry.Evidence, seed uint64, to int64) (entry.Evidence, error) {
	var before *entry.Evidence
	var earlier []stretch
	if so.Blocks > 0 {
		before, earlier = &so, []stretch{{0, so.Blocks}}
	}
	return st.meet(ctx, e, &st.Setup.BaselineEntrant, seed, arena.Validation, earlier, so.Blocks, to, before)
}

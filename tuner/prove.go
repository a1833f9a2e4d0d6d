package tuner

import (
	"context"
	"fmt"
	"math"

	"sakusen/engines/arena"
	"sakusen/tuner/entry"
	"sakusen/tuner/numeral"
	"sakusen/tuner/rating"
)

// ItIsTheBaseline is the reason of a verdict that nothing was played for.
const ItIsTheBaseline = "no information: the winner is the baseline itself"

// The plans of a validation of a score.
const (
	// PlanGroup looks a few times and stops as soon as the verdict is clear.
	PlanGroup = "group"
	// PlanFixed plays all blocks and decides by their interval.
	PlanFixed = "fixed"
)

// prove decides whether the winner is better than the baseline, as the spec asks. The
// chances of error of its plan hold over all its looks.
func (st *Study) prove(ctx context.Context, winner *Trial, opened entry.Attempt) (v entry.Validation, err error) {
	s := st.Setup
	v = entry.Validation{Trial: winner.Number, Attempt: opened.Attempt, Alpha: opened.Alpha, Verdict: "inconclusive", About: about(s)}
	if winner.Entrant.Canonical() == s.BaselineEntrant.Canonical() {
		v.Reason = ItIsTheBaseline
		return v, nil
	}
	plan := rating.Group{
		Elo0: s.Validation.Elo[0], Elo1: s.Validation.Elo[1], Seats: s.Ruleset.Seats,
		Alpha: opened.Alpha, Beta: s.Validation.Beta, MaxBlocks: s.Validation.MaxBlocks,
		Once: s.Validation.Plan == PlanFixed,
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
		st.meter.look(ProofLook{
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
func (st *Study) conclude(v *entry.Validation, test *rating.GroupTest, look rating.GroupLook, blocks rating.Blocks) error {
	v.Reason = look.Reason
	v.Test = &entry.Decided{
		Plan: st.Setup.Validation.Plan, Looks: look.Look + 1, Most: test.MaxBlocks,
		Above: look.Above, Needs: look.Pass, Below: look.Below, Fails: look.Fail,
	}
	switch look.Verdict {
	case rating.H1:
		v.Verdict = "pass"
	case rating.H0:
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

// withinLimits fails a winner that exceeds a limit on the validation blocks.
func (st *Study) withinLimits(v *entry.Validation, est Estimate) {
	if est.Feasible {
		return
	}
	for i := range st.Setup.Objective.Limits {
		l := &st.Setup.Objective.Limits[i]
		if broken := l.broken(est.Limits[i].Value, est.Ratios[i].Value, logged); broken != "" {
			v.Verdict = "fail"
			v.Reason = broken + " on the validation blocks"
		}
	}
}

// repeatsAll tells whether all blocks are the same games, and are enough to say so: nothing
// is left to chance.
func repeatsAll(e entry.Evidence) bool { return e.Blocks >= rating.FewBlocks && e.Distinct == 1 }

// overlap is the share of the validation's starts that the search may have seen before the
// validation counts as no proof.
const overlap = 0.02

// repeated says why the blocks prove nothing: all are the same, or they repeat each other
// so often that the search must have seen the same starts. It is empty if they do prove
// something. A game that declares its starts never deals one start to both search and
// validation.
func repeated(st *Study, e entry.Evidence) string {
	if repeatsAll(e) {
		return fmt.Sprintf("no information: all %d blocks are the same games: nothing is left to chance", e.Blocks)
	}
	if e.Distinct == 0 || e.Blocks < rating.FewBlocks || st.Setup.Ruleset.Starts > 0 {
		return ""
	}
	starts := supply(e.Blocks, e.Distinct)
	searched := float64(max(st.met, duelBlocks(st)) + st.begun.blocks)
	if seen := -math.Expm1(-searched / starts); seen > overlap {
		return fmt.Sprintf("no proof: only %d of %d blocks are different games, as of about %.0f starts, and the search has seen %.0f %% of them. A proof needs starts that the search has not seen: let the game declare how many it has (Definition.Starts), or have at least %.0f",
			e.Distinct, e.Blocks, starts, 100*seen, math.Ceil(searched/-math.Log1p(-overlap)))
	}
	return ""
}

// duelBlocks is the number of blocks that were played in duels.
func duelBlocks(st *Study) int64 {
	if len(st.duels) == 0 {
		return 0
	}
	return int64(len(st.duels)) * st.Setup.Race.Rungs[len(st.Setup.Race.Rungs)-1]
}

// about says what a verdict is about.
func about(s *Setup) string {
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
	return st.meet(ctx, e, &st.Setup.BaselineEntrant, seed, validationPhase, earlier, so.Blocks, to, before)
}

package study

import (
	"fmt"
	"math"

	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/stats"
)

// repeatsAll tells whether all blocks are the same games, and are enough to say so: nothing
// is left to chance.
func repeatsAll(e entry.Evidence) bool { return e.Blocks >= stats.FewBlocks && e.Distinct == 1 }

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
	if e.Distinct == 0 || e.Blocks < stats.FewBlocks || st.Setup.Ruleset.Starts > 0 {
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

// withinLimits fails a winner that exceeds a limit on the validation blocks.
func (st *Study) withinLimits(v *entry.Validation, est tuner.Estimate) {
	if est.Feasible {
		return
	}
	for i := range st.Setup.Objective.Limits {
		l := &st.Setup.Objective.Limits[i]
		if broken := l.Exceeded(est.Limits[i].Value, est.Ratios[i].Value, tuner.LogText); broken != "" {
			v.Verdict = "fail"
			v.Reason = broken + " on the validation blocks"
		}
	}
}

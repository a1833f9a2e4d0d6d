package study

import (
	"fmt"
	"slices"

	"sakusen/engines/arena"
	"sakusen/tuner"
	"sakusen/tuner/entry"
)

// unplayed returns how many games of the budget a finished study of so many games has not
// played, and why; nil where it has played all.
func (st *Study) unplayed(games int64, winner *tuner.Trial, v *entry.Validation) *tuner.Unplayed {
	u := &tuner.Unplayed{Games: st.setup.Budget.Games - games}
	if u.Games <= 0 {
		return nil
	}
	u.Why = slices.DeleteFunc([]string{st.searchEnded(), st.proofEnded(winner, v)}, func(why string) bool { return why == "" })
	return u
}

// searchEnded returns what ended the search before its games did, empty where these did.
func (st *Study) searchEnded() string {
	s, trials := st.setup, len(st.search.trials)
	if a := st.search.answered; a != nil && !a.Again {
		trials-- // the answer is none of the search's
	}
	left := s.Budget.Games - s.Reserved(st.sampler.answers) - st.judge.spent() - st.search.proofs
	switch {
	case left <= 0:
		return ""
	case !st.sampler.answers && s.Evaluate == nil && st.search.exhausted():
		return fmt.Sprintf("the search has tried all %d parameter sets", st.search.members())
	case trials >= s.Budget.Trials:
		return fmt.Sprintf("the search has had all trials of its budget (%d)", s.Budget.Trials)
	case st.judge.most(1) > left || s.Duels && st.judge.most(2) > left:
		return "what the search had left is too little for another trial"
	}
	return "the search has tried all that its sampler proposes"
}

// proofEnded returns why the proof, and what follows a pass, took no more games.
func (st *Study) proofEnded(winner *tuner.Trial, v *entry.Validation) string {
	s := st.setup
	switch {
	case winner == nil || v == nil:
		return "the search found nothing to prove"
	case v.Played == nil:
		return "its answer needs no proof: it is the baseline"
	case v.Verdict != "pass" && v.Evidence.Blocks < s.Validation.MaxBlocks:
		return fmt.Sprintf("the proof was decided after %d of at most %d blocks, and more is played only after a pass", v.Evidence.Blocks, s.Validation.MaxBlocks)
	case v.Verdict != "pass":
		return "what is held back to measure a gain is played only after a pass"
	}
	wanted, have := st.after.wanted(v), int64(0)
	if e := st.after.estimate; e != nil {
		have = e.Evidence.Blocks
	}
	switch most := s.RulesetOf(arena.Validation).Supply(arena.Validation); {
	case most > 0 && st.after.from(v) >= most:
		return "the game has no starts left to measure the gain with"
	case have < wanted:
		return "what is left is too little for another block of all that is measured after a pass"
	}
	return "the gain and the parameters were measured with all the games that the study file gives them"
}

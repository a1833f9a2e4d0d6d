package tuner

import (
	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner/entry"
)

// Trial is one parameter set under judgement.
type Trial struct {
	Number   int
	Draw     int          // which of the sampler's proposals it was
	Batch    int          // the ask batch that it came with
	Params   param.Values // tuned and active, canonical
	Proposed param.Values // the whole space
	Entrant  arena.Entrant
	Evidence []entry.Evidence // by opponent, on blocks of phase tune; none of a duel
	Estimate Estimate
	State    entry.TrialState
	Reason   string    // why it was stopped, for people
	End      entry.End // how it was stopped
	Rung     int       // rungs passed

	Delegate bool // stands for its pool in the final
}

// Blocks is the number of blocks played against each opponent.
func (t *Trial) Blocks() int64 {
	if len(t.Evidence) == 0 {
		return 0
	}
	return t.Evidence[0].Blocks
}

// Games returns the number of games played so far.
func (t *Trial) Games() int64 {
	n := int64(0)
	for _, e := range t.Evidence {
		n += e.Games
	}
	return n
}

// Estimates returns the estimates of trials, in their order.
func Estimates(trials []*Trial) []*Estimate {
	out := make([]*Estimate, len(trials))
	for i, t := range trials {
		out[i] = &t.Estimate
	}
	return out
}

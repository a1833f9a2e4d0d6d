package tuner

import (
	"fmt"

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

	played []stretch // of phase tune, that Evidence is of

	delegate bool   // stands for its pool
	ahead    *ahead // its first rung, where that is played before its batch has its turn
}

// givenDraw is the draw of what no sampler proposed.
const givenDraw = -1

// Blocks is the number of blocks played against each opponent.
func (t *Trial) Blocks() int64 {
	if len(t.Evidence) == 0 {
		return 0
	}
	return t.Evidence[0].Blocks
}

// games is the number of games played so far.
func (t *Trial) games() int64 {
	n := int64(0)
	for _, e := range t.Evidence {
		n += e.Games
	}
	return n
}

// beyond marks a trial as stopped because it is outside a limit.
func (t *Trial) beyond(blocks int64) {
	t.State, t.End = entry.TrialPruned, entry.Beyond
	t.Reason = fmt.Sprintf("outside the limits at %d blocks", blocks)
}

// different is how many of so many blocks count as evidence if trials repeat their games.
// It goes by the trial that repeats most.
func different(trials []*Trial, blocks int64) int64 {
	least := blocks
	for _, t := range trials {
		for i := range t.Evidence {
			if e := &t.Evidence[i]; e.Distinct > 0 {
				least = min(least, max(1, blocks*e.Distinct/e.Blocks))
			}
		}
	}
	return least
}

// ahead is what a trial or a pair plays before its batch has its turn.
type ahead struct {
	done     chan struct{} // closed when the others are known
	evidence []entry.Evidence
	err      error
}

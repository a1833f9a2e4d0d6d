package study

import (
	"sync"

	"sakusen/engines/arena"
	"sakusen/tuner"
	"sakusen/tuner/entry"
)

// Study is a setup being run against its record.
type Study struct {
	Setup *tuner.Setup

	host     arena.Host
	once     arena.Host    // plays what is met once and not kept
	witness  tuner.Witness // nil where nothing is played again
	proposer tuner.Proposer
	explains tuner.Explainer // of a search whose proposer does not
	left     left            // of a proposer that has not answered
	journal  *journal
	meter    *meter
	recorded string // why its games cannot be played again, empty where they can

	trials    []*tuner.Trial
	drawn     int                     // proposals drawn
	counted   *int                    // members of a finite space, once counted
	byValues  map[string]*tuner.Trial // by canonical hash of the active values
	incumbent *tuner.Trial
	finals    []Finalist
	pools     [][]*tuner.Trial // batches that played themselves
	reference reference
	repeats   repeats
	proof     *proofGames                // of the validation that is being played
	met       int64                      // some trial of the search has played the blocks 0..met
	batches   int                        // asked
	flying    []*batch                   // asked and not told, the oldest first
	played    map[*tuner.Trial][]stretch // blocks of phase tune that the evidence is of
	ahead     map[*tuner.Trial]*ahead    // first rungs that are played before their batch has its turn
	playing   sync.WaitGroup             // games of the batches behind the first of them
	observed  []tuner.Observation
	duels     []tuner.Duel
	duelGames int64
	begun     earlier         // what the search begins with of another study
	tried     int             // points that somebody gave, asked so far
	answers   bool            // the sampler answers with its model
	answered  *entry.Answer   // the sampler's answer
	replayed  *entry.Replayed // what was played again before the last verdict

	// Of a study that goes on after a verdict: the budget of all, and the games of the
	// finals and validations so far.
	whole  tuner.Budget
	proofs int64
}

// left tells samplers that the study no longer waits for them.
type left struct {
	once sync.Once
	done chan struct{}
}

// leave closes the channel.
func (l *left) leave() { l.once.Do(func() { close(l.done) }) }

// Finalist is a trial's estimate on the final's seeds.
type Finalist struct {
	Trial    *tuner.Trial
	Evidence []entry.Evidence
	Estimate tuner.Estimate
}

// reference is the baseline's own play in the candidate's place, block by block, as far as
// it was needed so far.
type reference struct {
	mu   sync.Mutex
	rows map[referenceKey][]int64 // block after block, components summed over a block's games
}

type referenceKey struct {
	opponent string
	seed     uint64
	phase    arena.Phase
}

package goptuna

import "sakusen/tuner"

// Apart gives samplers turns of their own, made where it is called.
func Apart(samplers ...tuner.Proposer) {
	turns := newTurns(hungAfter)
	for _, s := range samplers {
		s.(*asker).turns = turns
	}
}

package study

import (
	"sakusen/tuner/stats"
)

// room is the number of trials for which the rest of the budget is enough.
func (st *Study) room() int {
	s := st.Setup
	n := min(s.Sampler.Batch, s.Budget.Trials-len(st.trials))
	left := s.Budget.Games - s.Reserved(st.answers) - st.searchGames() - st.proofs - flyingGames(st)
	for n > 0 && st.batchGames(n) > left {
		n--
	}
	if s.Duels {
		n -= n % 2
	}
	return n
}

// flyingGames is the most that the batches in flight can take.
func flyingGames(st *Study) int64 {
	n := int64(0)
	for _, b := range st.flying {
		n += b.games
	}
	return n
}

// searchGames is the number of games that the search has played.
func (st *Study) searchGames() int64 {
	n := int64(0)
	if st.Setup.Evaluate != nil {
		for _, batch := range st.pools {
			n += st.Setup.PoolGames(len(batch)) // a game is played by several trials
		}
		return n
	}
	if st.Setup.Duels {
		return st.duelGames
	}
	for _, t := range st.trials {
		n += t.Games()
	}
	return n + st.Setup.ReferenceGames(st.met)
}

// batchGames is the largest number of games that a batch of n can take.
func (st *Study) batchGames(n int) int64 {
	s := st.Setup
	if s.Evaluate != nil {
		return s.PoolGames(n)
	}
	if s.Duels {
		return int64((n+1)/2) * s.Race.Rungs[0] * s.BlockGames()
	}
	share := s.Race.Keep
	if s.Race.Method != "halving" {
		share = 1 // nobody may be stopped
	}
	blocks := stats.HalvingBlocks(n, s.Race.Rungs, share)
	last := s.Race.Rungs[len(s.Race.Rungs)-1]
	more := last // blocks that nobody has met yet
	if !s.Race.Fresh() {
		more = max(last-st.met, s.Race.Rungs[0])
	}
	switch {
	case !s.Race.Incumbent || st.incumbent == nil && s.Sampler.InFlight() == 1:
	case s.Race.Fresh():
		blocks += s.Race.LastLook()
	default:
		blocks += s.Race.Rungs[0]
	}
	return blocks*s.BlockGames() + s.ReferenceGames(more)
}

// Games is the number of games that the search and the final have taken so far.
func (st *Study) Games() int64 {
	n := st.searchGames() + st.proofs
	for _, f := range st.finals {
		for _, e := range f.Evidence {
			n += e.Games
		}
	}
	if len(st.finals) > 0 {
		n += st.Setup.ReferenceGames(st.Setup.Final.Blocks)
	}
	if st.answered != nil {
		for _, e := range st.answered.Evidence {
			n += e.Games
		}
		if len(st.answered.Evidence) > 0 {
			n += st.Setup.ReferenceGames(st.Setup.AnswerBlocks())
		}
	}
	return n
}

// Played is the number of games of a study that were played or found so far, with those of a
// batch that is not told yet.
func (st *Study) Played() int64 { return max(st.Games(), st.meter.total()) }

// count reports how many trials and games there are.
func (st *Study) count() {
	st.meter.trials(len(st.trials), st.journal.replaying(), st.searchGames)
}

package forecast

import (
	"math"

	"sakusen/tuner"
)

// Games are how many games the parts of a study take.
type Games struct {
	// Search is at most so many, and SearchLeast where a race stops all that it may.
	Search      int64 `json:"search"`
	SearchLeast int64 `json:"search_least"`
	// Final is the race of the best few, or the measuring of the answer.
	Final int64 `json:"final"`
	// Validation is at most so many, and ValidationLeast where the first look decides.
	Validation      int64 `json:"validation"`
	ValidationLeast int64 `json:"validation_least"`
	// Most are at most in all, Least at least.
	Most  int64 `json:"most"`
	Least int64 `json:"least"`
	// EndedBy says what ends the search: trials, games or space.
	EndedBy string `json:"search_ended_by" enum:"trials,games,space"`
}

// count adds up the games of a study. answers tells whether its sampler names the
// answer itself, which is then measured in place of a final.
func count(s *tuner.Setup, answers bool) Games {
	var g Games
	proof := s.Validation.MaxBlocks * s.ValidationBlockGames()
	pool := s.Validation.PoolBlocks * int64(s.Ruleset.Seats*len(s.PoolEntrants))
	g.Validation, g.ValidationLeast = proof+pool, firstLook(s)*s.ValidationBlockGames()+pool
	reserved := s.Reserved(answers)
	g.Final = reserved - g.Validation
	trials := s.Budget.Trials
	g.EndedBy = "trials"
	if n := s.Tune.Params.Count(s.Tune.Fix); n > 0 && n < trials && s.Evaluate == nil && !s.Duels && !answers {
		trials, g.EndedBy = n, "space"
	}
	most, least := searchGames(s, trials)
	room := max(0, s.Budget.Games-reserved)
	if most > room {
		if most = room; least >= room {
			least, g.EndedBy = room, "games"
		}
	}
	g.Search, g.SearchLeast = most, min(least, most)
	g.Most = g.Search + g.Final + g.Validation
	g.Least = g.SearchLeast + g.Final + g.ValidationLeast
	return g
}

// firstLook is the number of blocks at which the validation can end first.
func firstLook(s *tuner.Setup) int64 {
	if plan, ok := planOf(s, 0.01); ok && s.Validation.Plan == tuner.PlanGroup {
		return plan.Looks()[0]
	}
	return s.Validation.MaxBlocks
}

// searchGames is how many games so many trials take at most and at least.
func searchGames(s *tuner.Setup, trials int) (most, least int64) {
	rungs := s.Race.Rungs
	last := rungs[len(rungs)-1]
	batches := (trials + s.Sampler.Batch - 1) / max(1, s.Sampler.Batch)
	switch {
	case s.Evaluate != nil:
		all := trials * s.Evaluate.Rounds * int(s.Evaluate.Games) / max(1, s.Evaluate.Group)
		return int64(all), int64(all)
	case s.Duels:
		all := int64((trials+1)/2) * rungs[0] * int64(s.Ruleset.Seats)
		return all, all
	}
	block := s.BlockGames()
	again := int64(0) // the incumbent's, batch by batch
	if s.Race.Incumbent {
		again = rungs[0]
		if s.Race.Fresh() {
			again = last
		}
		again *= int64(max(0, batches-1)) * block
	}
	reference := s.ReferenceGames(last)
	if s.Race.Fresh() {
		reference *= int64(batches)
	}
	full := int64(trials)*last*block + again + reference
	lowest := int64(trials)*rungs[0]*block + reference
	if s.Race.Method != "halving" {
		if s.Race.Method == "none" && !s.Race.Incumbent {
			return full, full
		}
		return full, lowest
	}
	halved, in, before := int64(0), float64(s.Sampler.Batch), int64(0)
	for _, r := range rungs { // of a whole batch
		halved += int64(in) * (r - before)
		in, before = math.Max(1, math.Ceil(in*s.Race.Keep)), r
	}
	most = halved*int64(trials)/int64(max(1, s.Sampler.Batch))*block + again + reference
	if s.Race.Incumbent {
		return most, lowest
	}
	return most, most
}

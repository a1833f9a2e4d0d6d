package tuner

import (
	"fmt"
	"math"

	"sakusen/engines/arena"
)

// Cheaply is a series at the cheap setting: under the cheap rule, or with the cheap value for
// whoever plays the tuned strategy with the dear one.
func (s *Setup) Cheaply(series arena.Series) (arena.Series, error) {
	f := s.Fidelity
	if f == nil {
		return series, fmt.Errorf("the log has cheap games, which the study does not: %w", ErrOtherCode)
	}
	series.Ruleset = s.CheapRuleset
	entrants := make([]arena.Entrant, len(series.Entrants))
	for i, e := range series.Entrants {
		values := e.Params
		if text, ok := values.Get(f.Parameter); f.Parameter != "" && e.Strategy == s.Tune.Strategy && (!ok || text == f.Dear) {
			values = values.With(f.Parameter, f.Cheap)
		}
		var err error
		if entrants[i], err = s.CheapRuleset.NewEntrant(e.Name, e.Strategy, values); err != nil {
			return series, fmt.Errorf("at the cheap setting: %w", err)
		}
	}
	series.Entrants = entrants
	return series, nil
}

// cheapBlocks is the number of blocks of a cheap duel: more than of a dear one where that costs
// less than half, so that no search has too many trials.
func cheapBlocks(s *Setup) int64 {
	return int64(math.Round(float64(s.Race.Rungs[0]) * math.Max(1, cheapDuelCost/s.Fidelity.Cost)))
}

// linked tells whether a batch of the cheap part has pairs that meet at both settings: in as
// many as cost their share.
func linked(s *Setup, number int) bool {
	cost := s.Fidelity.Cost * float64(cheapBlocks(s)) / float64(s.Race.Rungs[0]) // of a duel, in dear ones
	every := int(math.Ceil((1 - linkPart) / linkPart / cost / 2))                // half of the pairs of a batch
	return number > 0 && number%every == 0
}

// cheapCost is what cheap games cost, in dear ones.
func cheapCost(s *Setup, games int64) int64 {
	if games == 0 {
		return 0
	}
	return int64(math.Ceil(s.Fidelity.Cost * float64(games)))
}

// Duelling is the number of games that the duels of a search would have for so many of its
// budget if all were as long as dear ones: more where most are cheap.
func (s *Setup) Duelling(games int64) int64 {
	if s.Fidelity == nil {
		return games
	}
	cost := math.Max(cheapDuelCost, s.Fidelity.Cost)
	return int64(float64(games) * (1 - cheapPart + cheapPart*(1-linkPart)/cost))
}

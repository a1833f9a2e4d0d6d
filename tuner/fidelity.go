package tuner

import (
	"errors"
	"fmt"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner/entry"
	"sakusen/tuner/rating"
)

// fidelity.go is about searches whose first part is played at a cheap setting. Pairs that
// play at both settings tell what the cheap games are worth; at the end of the part its
// games become advice to a search of its own at the dear setting, or are dropped.

// Fidelity names a cheap setting of a parameter or of a rule. The first two thirds of a
// search are played with it, the last third and all proof with the dear one.
type Fidelity struct {
	Parameter string  `json:"parameter,omitempty"` // of the tuned strategy, or
	Rule      string  `json:"rule,omitempty"`      // an option of the game
	Cheap     string  `json:"cheap"`               // canonical
	Dear      string  `json:"dear"`                // canonical; what the study plays
	Cost      float64 `json:"cost"`                // of a cheap game, in dear ones
}

const (
	// cheapPart is the share of the search's games that the cheap part may cost.
	cheapPart = 2.0 / 3
	// linkPart is the share of the cheap part that pairs cost which play at both settings.
	linkPart = 0.2
	// cheapDuelCost is what a duel of the cheap part costs at least, in dear ones, as far as
	// more blocks can make it so.
	cheapDuelCost = 0.5
	// fewLinked is the number of pairs that met at both settings below which nothing is
	// decided.
	fewLinked = 16
	// leastSlope is what a cheap lead must be worth: below it, cheap games mislead.
	leastSlope = 0.5
	// unlike is by how much of the lead the two settings are taken to differ between two
	// parameter sets, a standard deviation.
	unlike = 0.2
	// linkNoise is the variance of a block's score where a pair has too few to tell.
	linkNoise = 0.06
	// leadRole is the attribute of the first of a pair that meets at both settings.
	leadRole = "lead"
)

// fidelity is how far the cheap part of a search is.
type fidelity struct {
	ended      *entry.Fidelity // nil while it is played
	trials     int             // when it ended
	batches    int
	drawn      int
	duels      int
	spent      int64 // games, in dear ones
	blocks     int64 // of all duels
	cheapGames int64
	dearGames  int64 // of the pairs that played both
	pairs      []rating.Twice
}

// Name is that of the parameter or the rule.
func (f *Fidelity) Name() string { return f.Parameter + f.Rule }

// openCheap opens the game at the cheap setting.
func openCheap(f *Fidelity, rs *arena.Ruleset, rules param.Values) (*arena.Ruleset, error) {
	if f == nil || f.Rule == "" {
		return rs, nil
	}
	cheap, errs := rs.Game.Open(rules.With(f.Rule, f.Cheap))
	if len(errs) > 0 {
		return nil, fmt.Errorf("spec: fidelity.cheap: %w", errors.Join(errs...))
	}
	return cheap, nil
}

// leadPairs is the number of pairs that meet at both settings in a batch of so many trials.
func leadPairs(trials int) int { return trials / 4 }

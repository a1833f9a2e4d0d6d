// Package strategies is the catalogue: one line for each game, one argument
// on it for each strategy. To add a game or a strategy, add it here; nothing
// else knows them all.
package strategies

import (
	"sakusen/engines/arena"
	"sakusen/engines/battleship"
	"sakusen/engines/lifeboats"
	"sakusen/strategies/battleship/checkerboard"
	"sakusen/strategies/battleship/mp"
	"sakusen/strategies/battleship/neighbour"
	"sakusen/strategies/battleship/random"
	"sakusen/strategies/lifeboats/adaptive"
	"sakusen/strategies/lifeboats/level0"
	"sakusen/strategies/lifeboats/level1"
	lifeboatsrandom "sakusen/strategies/lifeboats/random"
)

// Catalogue is all games with all their strategies, in the order in which they
// are shown.
func Catalogue() arena.Catalogue {
	return arena.Catalogue{
		arena.Enter(battleship.Game(), random.Strategy(), neighbour.Strategy(), checkerboard.Strategy(), mp.Strategy()),
		arena.Enter(lifeboats.Game(), lifeboatsrandom.Strategy(), level0.Strategy(), level1.Strategy(), adaptive.Strategy()),
	}
}

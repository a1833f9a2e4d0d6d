// Package strategies is the catalogue: one line for each game, one argument
// on it for each strategy. To add a game or a strategy, add it here; nothing
// else knows them all.
package strategies

import (
	"sakusen/engines/arena"
	"sakusen/engines/battleship"
	"sakusen/engines/daifugo"
	"sakusen/engines/laboratory"
	"sakusen/engines/lifeboats"
	"sakusen/engines/tubstap"
	"sakusen/strategies/battleship/checkerboard"
	"sakusen/strategies/battleship/exact"
	"sakusen/strategies/battleship/foresight"
	"sakusen/strategies/battleship/lookahead"
	"sakusen/strategies/battleship/model"
	"sakusen/strategies/battleship/mp"
	"sakusen/strategies/battleship/neighbour"
	"sakusen/strategies/battleship/random"
	"sakusen/strategies/daifugo/greedyout"
	"sakusen/strategies/daifugo/lowest"
	daifugorandom "sakusen/strategies/daifugo/random"
	"sakusen/strategies/daifugo/rankset"
	"sakusen/strategies/daifugo/tree"
	"sakusen/strategies/laboratory/point"
	"sakusen/strategies/lifeboats/adaptive"
	"sakusen/strategies/lifeboats/level0"
	"sakusen/strategies/lifeboats/level1"
	lifeboatsrandom "sakusen/strategies/lifeboats/random"
	"sakusen/strategies/tubstap/dlmc"
	"sakusen/strategies/tubstap/guided"
	"sakusen/strategies/tubstap/muct"
	tubstaprandom "sakusen/strategies/tubstap/random"
	"sakusen/strategies/tubstap/single"
	"sakusen/strategies/tubstap/switching"
)

// Catalogue is all games with all their strategies, in the order in which they
// are shown.
func Catalogue() arena.Catalogue { return CatalogueReading(nil) }

// CatalogueReading is the catalogue for command lines and for files of a user:
// rules may name files, which read reads. Others must not reach the disk.
func CatalogueReading(read func(path string) ([]byte, error)) arena.Catalogue {
	return arena.Catalogue{
		arena.Enter(battleship.Game(), Battleship()...),
		arena.Enter(daifugo.Game(), daifugorandom.Strategy(), lowest.Strategy(), greedyout.Strategy(), rankset.Strategy()),
		arena.Enter(daifugo.Solving(), tree.Strategy()),
		arena.Enter(tubstap.Definition(read), Tubstap()...),
		arena.Enter(lifeboats.Game(), Lifeboats()...),
		arena.Enter(laboratory.Game(), point.Strategy()),
	}
}

// Lifeboats is the strategies of Lifeboats with the type of their players, for
// whoever seats a person among them.
func Lifeboats() []arena.Strategy[lifeboats.Rules, lifeboats.Player] {
	return []arena.Strategy[lifeboats.Rules, lifeboats.Player]{
		lifeboatsrandom.Strategy(), level0.Strategy(), level1.Strategy(), adaptive.Strategy(),
	}
}

// Tubstap is the strategies of TUBSTAP with the type of their players, for the
// network and for whoever seats a person among them.
func Tubstap() []tubstap.Strategy {
	return []tubstap.Strategy{
		tubstaprandom.Strategy(), single.Strategy(), muct.Strategy(), switching.Strategy(), dlmc.Strategy(), guided.Strategy(),
	}
}

// Battleship is the strategies of Battleship with the type of their players, for
// whoever seats a person among them.
func Battleship() []arena.Strategy[battleship.Rules, battleship.Player] {
	return []arena.Strategy[battleship.Rules, battleship.Player]{
		random.Strategy(), neighbour.Strategy(), checkerboard.Strategy(), mp.Strategy(),
		lookahead.Strategy(), exact.Strategy(), foresight.Strategy(), model.Strategy(),
	}
}

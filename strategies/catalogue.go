// Package strategies is the catalogue: one line for each game, one argument
// on it for each strategy, and what the game brings for people beside them. To add
// a game or a strategy, add it here; nothing else knows them all.
package strategies

import (
	"sakusen/engines/arena"
	"sakusen/engines/arena/catalogue"
	"sakusen/engines/battleship"
	"sakusen/engines/chess"
	"sakusen/engines/daifugo"
	"sakusen/engines/laboratory"
	"sakusen/engines/lifeboats"
	"sakusen/engines/tubstap"
	battleshipanalyse "sakusen/strategies/battleship/analyse"
	"sakusen/strategies/battleship/checkerboard"
	battleshipdesk "sakusen/strategies/battleship/desk"
	"sakusen/strategies/battleship/exact"
	"sakusen/strategies/battleship/foresight"
	"sakusen/strategies/battleship/lookahead"
	"sakusen/strategies/battleship/model"
	"sakusen/strategies/battleship/mp"
	"sakusen/strategies/battleship/neighbour"
	"sakusen/strategies/battleship/random"
	battleshipscene "sakusen/strategies/battleship/scene"
	chessrandom "sakusen/strategies/chess/random"
	chessscene "sakusen/strategies/chess/scene"
	daifugoanalyse "sakusen/strategies/daifugo/analyse"
	daifugodesk "sakusen/strategies/daifugo/desk"
	"sakusen/strategies/daifugo/greedyout"
	"sakusen/strategies/daifugo/lowest"
	daifugorandom "sakusen/strategies/daifugo/random"
	"sakusen/strategies/daifugo/rankset"
	"sakusen/strategies/daifugo/sampled"
	daifugoscene "sakusen/strategies/daifugo/scene"
	"sakusen/strategies/daifugo/tree"
	"sakusen/strategies/laboratory/point"
	"sakusen/strategies/lifeboats/adaptive"
	lifeboatsanalyse "sakusen/strategies/lifeboats/analyse"
	lifeboatsdesk "sakusen/strategies/lifeboats/desk"
	"sakusen/strategies/lifeboats/level0"
	"sakusen/strategies/lifeboats/level1"
	"sakusen/strategies/lifeboats/levelk"
	lifeboatsrandom "sakusen/strategies/lifeboats/random"
	lifeboatsscene "sakusen/strategies/lifeboats/scene"
	tubstapanalyse "sakusen/strategies/tubstap/analyse"
	tubstapdesk "sakusen/strategies/tubstap/desk"
	"sakusen/strategies/tubstap/dlmc"
	"sakusen/strategies/tubstap/guided"
	"sakusen/strategies/tubstap/muct"
	tubstaprandom "sakusen/strategies/tubstap/random"
	tubstapscene "sakusen/strategies/tubstap/scene"
	"sakusen/strategies/tubstap/single"
	"sakusen/strategies/tubstap/switching"
)

// All is all games with all their strategies and what they bring for people, in
// the order in which they are shown.
func All() catalogue.Games {
	return catalogue.Games{
		{Game: arena.Enter(battleship.Game(), Battleship()...), Scene: battleshipscene.Scene(), Analyst: battleshipanalyse.Analyst(), Room: battleshipdesk.Room(Battleship()...)},
		{Game: arena.Enter(daifugo.Game(), Daifugo()...), Scene: daifugoscene.Scene(), Analyst: daifugoanalyse.Analyst(), Room: daifugodesk.Room(Daifugo()...)},
		{Game: arena.Enter(daifugo.Solving(), tree.Strategy())},
		{Game: arena.Enter(tubstap.Definition(), Tubstap()...), Scene: tubstapscene.Scene(), Analyst: tubstapanalyse.Analyst(), Room: tubstapdesk.Room(Tubstap()...)},
		{Game: arena.Enter(lifeboats.Game(), Lifeboats()...), Scene: lifeboatsscene.Scene(), Analyst: lifeboatsanalyse.Analyst(), Room: lifeboatsdesk.Room(Lifeboats()...)},
		{Game: arena.Enter(chess.Game(), chessrandom.Strategy()), Scene: chessscene.Scene()},
		{Game: arena.Enter(laboratory.Game(), point.Strategy())},
	}
}

// Catalogue is the games of All without what is for people.
func Catalogue() arena.Catalogue { return All().Arena() }

// Lifeboats is the strategies of Lifeboats with the type of their players, for
// whoever seats a person among them.
func Lifeboats() []arena.Strategy[lifeboats.Rules, lifeboats.Player] {
	return []arena.Strategy[lifeboats.Rules, lifeboats.Player]{
		lifeboatsrandom.Strategy(), level0.Strategy(), level1.Strategy(), levelk.Strategy(), adaptive.Strategy(),
	}
}

// Daifugo is the strategies of Daifugo with the type of their players, for whoever
// seats a person among them.
func Daifugo() []arena.Strategy[daifugo.Options, daifugo.Player] {
	return []arena.Strategy[daifugo.Options, daifugo.Player]{
		daifugorandom.Strategy(), lowest.Strategy(), greedyout.Strategy(), rankset.Strategy(), sampled.Strategy(),
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

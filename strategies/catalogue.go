// Package strategies is the catalogue: one line for each game, with its strategies and what
// the game brings for people. To add a game, add it here; to add a strategy, add it to
// Strategies in the folder of its game.
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
	battleshipplay "sakusen/strategies/battleship"
	chessplay "sakusen/strategies/chess"
	daifugoplay "sakusen/strategies/daifugo"
	"sakusen/strategies/laboratory/point"
	lifeboatsplay "sakusen/strategies/lifeboats"
	tubstapplay "sakusen/strategies/tubstap"
)

// All returns all games with all their strategies and what they bring for people, in
// the order in which they are shown.
func All() catalogue.Games {
	return catalogue.Games{
		{Game: arena.Enter(battleship.Game(), battleshipplay.Strategies()...), Scene: battleshipplay.Scene(), Analyst: battleshipplay.Analyst(), Console: battleshipplay.Console()},
		{Game: arena.Enter(daifugo.Game(), daifugoplay.Strategies()...), Scene: daifugoplay.Scene(), Analyst: daifugoplay.Analyst(), Console: daifugoplay.Console()},
		{Game: arena.Enter(daifugo.Solving(), daifugoplay.Tree())},
		{Game: arena.Enter(tubstap.Definition(), tubstapplay.Strategies()...), Scene: tubstapplay.Scene(), Analyst: tubstapplay.Analyst(), Console: tubstapplay.Console()},
		{Game: arena.Enter(lifeboats.Game(), lifeboatsplay.Strategies()...), Scene: lifeboatsplay.Scene(), Analyst: lifeboatsplay.Analyst(), Console: lifeboatsplay.Console()},
		{Game: arena.Enter(chess.Game(), chessplay.Random()), Scene: chessplay.Scene()},
		{Game: arena.Enter(laboratory.Game(), point.Strategy())},
	}
}

// Catalogue returns the games of All without what is for people.
func Catalogue() arena.Catalogue { return All().Arena() }

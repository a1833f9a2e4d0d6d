// Command pig has every command of Sakusen, with this module's games. Each game is a line of
// the catalogue: Game and, if the game has them, Scene, Analyst and Console.
package main

import (
	"os"

	"example.org/pig/engines/pig"
	"example.org/pig/strategies/pig/hold"
	"example.org/pig/strategies/pig/random"
	"sakusen/cmd/sakusen/cli"
	"sakusen/engines/arena"
	"sakusen/engines/arena/catalogue"
)

func main() {
	os.Exit(cli.Main(catalogue.Games{
		{Game: arena.Enter(pig.Game(), hold.Strategy(), random.Strategy())},
	}))
}

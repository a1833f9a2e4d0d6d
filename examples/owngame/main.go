// Command pig is every command of Sakusen with this module's games: a line of
// the catalogue each, with Scene, Analyst and Room beside Game where they have them.
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

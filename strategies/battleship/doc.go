// Package battleship is the ways to play Battleship, and what people need beside them: the
// scene that draws a game, the console that seats a person, and the analyst that answers
// questions about positions. The package count below it counts placements of fleets.
//
// Files in reading order: place.go and packing.go (where the own fleet lies); simple.go (random,
// neighbour and checkerboard), mp.go (attacks of the paper, with lookahead). Then decisions.go
// (decisions remembered for all games), exact.go, foresight.go with endgame.go, model.go with
// mixture.go (attacks of ours), each with its source at its head. Then scene.go, console.go with
// consolemap.go, analyse.go with parse.go.
package battleship

import (
	"sakusen/engines/arena"
	"sakusen/engines/battleship"
)

// Strategies returns the strategies in the order in which they are shown.
func Strategies() []arena.Strategy[battleship.Rules, battleship.Player] {
	return []arena.Strategy[battleship.Rules, battleship.Player]{
		random(), neighbour(), checkerboard(), mp(), lookahead(), exact(), foresight(), modelled(),
	}
}

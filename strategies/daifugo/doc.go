// Package daifugo is the ways to play and to solve Daifugo, and what people need beside
// them: the scene that draws a game, the console that seats a person, and the analyst that
// answers questions about positions.
//
// Files in reading order: search.go with choice.go, table.go and method.go (the paper's searches
// for ranks); solver.go with index.go and graph.go (all positions, layer by layer, without a
// search); answer.go (a question of "paper solve daifugo"). Then simple.go (random, lowest-first,
// greedy-out), rankset.go, sampled.go (with tree), each with its source; scene.go, console.go,
// analyse.go.
package daifugo

import (
	"sakusen/engines/arena"
	"sakusen/engines/daifugo"
)

// Strategies returns the strategies in the order in which they are shown; Tree solves
// openings, which is a game of its own.
func Strategies() []arena.Strategy[daifugo.Options, daifugo.Player] {
	return []arena.Strategy[daifugo.Options, daifugo.Player]{Random(), Lowest(), GreedyOut(), RankSet(), Sampled()}
}

// Package lifeboats is the ways to play Lifeboats, and what people need beside them: the
// scene that draws a game, the console that seats a person, and the analyst that answers
// questions about positions.
//
// Files in reading order: model.go and lead.go (how players judge a position, by
// their weights); levels.go (random, level0, level1, levelk, adaptive), each with its source;
// scene.go and board.go, console.go, analyse.go.
package lifeboats

import (
	"sakusen/engines/arena"
	"sakusen/engines/lifeboats"
)

// Strategies returns the strategies in the order in which they are shown.
func Strategies() []arena.Strategy[lifeboats.Rules, lifeboats.Player] {
	return []arena.Strategy[lifeboats.Rules, lifeboats.Player]{Random(), Level0(), Level1(), LevelK(), Adaptive()}
}

// Package tubstap is the ways to play TUBSTAP, and what people need beside them: the scene
// that draws a game, the console that seats a person, and the analyst that answers questions
// about positions.
//
// Files in reading order: single.go (random, one unit at a time, dlmc); muct.go (with its
// tree and clock) and search.go; switching.go and guided.go, a strategy each, whose head tells
// where it comes from; scene.go with board.go and terrain.go, console.go, analysis.go.
package tubstap

import "sakusen/engines/tubstap"

// Strategies returns the strategies in the order in which they are shown.
func Strategies() []tubstap.Strategy {
	return []tubstap.Strategy{Random(), Single(), Muct(), Switching(), DLMC(), Guided()}
}

// Package tubstap is the ways to play TUBSTAP, and what people need beside them: the scene
// that draws a game, the desk that seats a person, and the analyst that answers questions
// about positions.
//
// Files in reading order: single.go (random, and one unit at a time); muct.go with its tree
// and clock (tree.go, search.go, mucttree.go); switching.go, dlmc.go and guided.go, a
// strategy each, whose head tells where it comes from; scene.go with board.go and
// terrain.go, desk.go with orders.go, analysis.go.
package tubstap

import "sakusen/engines/tubstap"

// Strategies returns the strategies in the order in which they are shown.
func Strategies() []tubstap.Strategy {
	return []tubstap.Strategy{Random(), Single(), Muct(), Switching(), DLMC(), Guided()}
}

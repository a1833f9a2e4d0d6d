package pig_test

import (
	"testing"

	"example.org/pig/engines/pig"
	"example.org/pig/strategies/pig/hold"
	"example.org/pig/strategies/pig/random"
	"sakusen/engines/arena"
	"sakusen/engines/arena/arenatest"
)

// TestConformance checks the promises that every game must keep: the same fixture is the
// same game, with any number of workers, in any seat.
func TestConformance(t *testing.T) {
	game := arena.Enter(pig.Game(), hold.Strategy(), random.Strategy())
	arenatest.Run(t, game, arenatest.Options{Entrants: []string{"hold", "random", "hold(at=20)"}})
}

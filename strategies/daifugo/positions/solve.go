package positions

import (
	"math"

	"sakusen/engines/daifugo"
	"sakusen/strategies/daifugo/ranking"
)

// Top is the number of cards of the layer below the opening: the last layer
// that a Solver makes.
func Top(r daifugo.Rules) int { return r.Seats*r.Cards - 1 }

// Solve values the opening of some rules, layer by layer, whatever the memory.
func Solve(r daifugo.Rules, pool Pool) (ranking.Value, error) {
	s, err := New(r, math.MaxUint64)
	if err != nil {
		return 0, err
	}
	for s.Cards() < Top(r) {
		s.Next(pool)
	}
	return Opening(s)
}

// Opening is the value of the opening, from a Solver that holds the last layer.
func Opening(s Solver) (ranking.Value, error) {
	p, err := daifugo.New(s.Rules())
	if err != nil {
		return 0, err
	}
	return s.Value(&p)
}

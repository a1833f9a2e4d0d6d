// Package battleship holds the experiments on Battleship that are not tournaments: figure
// 5 of the paper by Sakuta and Iida, which counts placements of the fleet, what the paper
// says of time and of LA, and how far attacks are from the best. Its tables and figure 6
// are tournament files in studies/experiments.
//
// Place in the flow: studies/experiments collects the experiments of all games, and
// `sakusen experiment run battleship-figure5` runs one.
//
//	report, err := battleship.Figure5().Report(ctx, experiment.Options{})
package battleship

import (
	"sakusen/engines/arena"
	"sakusen/tuner/contest/experiment"
)

// Experiments are those of the game.
func Experiments(game *arena.Game) []experiment.Experiment {
	return []experiment.Experiment{figure5(), cost(game), equilibrium(game), Bounds(game)}
}

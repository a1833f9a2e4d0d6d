// Package battleship holds the experiments on Battleship that are not tournaments. These are
// figure 5 of the paper by Sakuta and Iida, which counts placements of the fleet; the paper's
// statements about time and LA; and how far attacks are from the best. Its tables and figure 6
// are tournament files in studies/experiments.
//
// Place in the flow: studies/experiments collects the experiments of all games, and
// `sakusen paper experiment run battleship-figure5` runs one.
//
//	report, err := battleship.Figure5().Report(ctx, experiment.Options{})
//
// Reading order: battleship.go has the paper's figure and times, equilibrium.go the games of
// one attack against one placement. bounds.go has bounds on the expected shots of any attack
// and proves them for any board; solve.go computes them on small ones.
package battleship

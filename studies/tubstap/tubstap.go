// Package tubstap holds the experiments on TUBSTAP: the figures of the paper on
// switching strategies by complexity, and what that paper leaves open. Each is
// an experiment.Experiment whose rows are measured by the package complexity.
//
// Place in the flow: studies/experiments collects the experiments of all games, and
// `sakusen experiment run tubstap-figure5` runs one.
//
//	game, err := catalogue.Game("tubstap")
//	report, err := tubstap.Experiments(game)[0].Report(ctx, experiment.Options{Host: pool})
package tubstap

import (
	"sakusen/engines/arena"
	"sakusen/tuner/contest/experiment"
)

// Experiments are the figures of the paper, then what goes beyond them.
func Experiments(game *arena.Game) []experiment.Experiment {
	return append(figures(game), beyond(game)...)
}

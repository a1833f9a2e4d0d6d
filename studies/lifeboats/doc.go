// Package lifeboats holds the experiments on Lifeboats. They measure what the
// evolution of level-0 players comes to: how strong a population grows, what its weights become, how level 1
// fares against it, and which findings of the paper hold in how many runs.
//
//	run, err := lifeboats.Evolve(ctx, spec, host)        a coevolution study, in memory
//	findings := lifeboats.Judge(run)                     the paper's findings on weights
//	list := lifeboats.Experiments()                      what `paper experiment run` lists
//
// A run's population is looked at through the parents of each generation, which
// are drawn from it at random.
//
// Place in the flow: studies/experiments collects the experiments of all games, and
// `sakusen paper experiment run lifeboats-figure1` runs one. The studies behind them
// are the embedded files studies/lifeboats-evolution*.yaml.
//
// Source: T. Kasuya, R. Suzuki and T. Arita, "Evolution of players for a board
// game based on majority voting" (in Japanese), section 4.
package lifeboats

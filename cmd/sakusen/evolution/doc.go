// Package evolution measures what the evolution of level-0 players of Lifeboats
// comes to: how strong a population grows, what its weights become, how level 1
// fares against it, and which findings of the paper hold in how many runs.
//
//	run, err := evolution.Evolve(ctx, spec, host)        a coevolution study, in memory
//	wins, err := lab.Wins(ctx, run.Generations[80])      a point of figure 1
//	findings := evolution.Judge(run)                     the paper's findings on weights
//	list := evolution.Experiments()                      what `experiment run` lists
//
// A run's population is looked at through the parents of each generation, which
// are drawn from it at random. It is a package of the command's, because only the
// command knows both the strategies and the samplers.
//
// Source: T. Kasuya, R. Suzuki and T. Arita, "Evolution of players for a board
// game based on majority voting" (in Japanese), section 4.
package evolution

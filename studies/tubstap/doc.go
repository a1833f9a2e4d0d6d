// Package tubstap holds the experiments on TUBSTAP: the figures of the paper on switching
// strategies by complexity, and the questions that it leaves open. How complex are positions in
// the course of a game? Does a player that switches beat M-UCT, and at which threshold? Can
// that threshold be computed from the map before a game is played?
//
// Place in the flow: studies/experiments collects the experiments of all games, and
// `sakusen paper experiment run tubstap-figure5` runs one.
//
//	game, err := catalogue.Game("tubstap")
//	report, err := tubstap.Experiments(game)[0].Report(ctx, experiment.Options{Host: pool})
//
// Reading order: figures.go lists the experiments and makes their rows, those of
// figures 4 and 7 too; lab.go plays the games; curve.go and heldout.go try thresholds
// and the rule learned from them; switching.go has experiments of our own.
//
// Source: Sagehashi, Muto and Nishino, "The effect of switching strategies by
// the number of legal moves in turn-based strategy games", IPSJ SIG Technical
// Report 2017-GI-37 No. 10, sections 5 to 7.
package tubstap

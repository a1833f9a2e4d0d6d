// Package daifugo holds the experiments on Daifugo: Tables 1 to 6 of the paper on ranking
// search as data, and their re-run. Every cell is given as printed, as expected by the counting
// rules, and as measured; then come the cells the paper could not compute, and sizes beyond it.
//
// Place in the flow: studies/experiments collects the experiments of all games, and
// `sakusen paper experiment run daifugo-table-5` runs one.
//
//	list, err := daifugo.Experiments()
//	report, err := list[0].Report(ctx, experiment.Options{})
//
// Reading order: daifugo.go lists the experiments, experiment.go is a table as one, and
// cell.go is a cell: what was printed, and its search.
//
// Source: Goto, Inui, Kotani, "Game Tree Search for Ranking in Multiplayer
// Games", appendix; the data are in cells.tsv.
package daifugo

// Package laboratory is how searches are measured, and no part of tuning itself: each
// search runs whole studies of engines/laboratory, where the optimum is known, and the
// true Elo of what it would export is set beside what it claims and what its validation
// says.
//
//	bench := &laboratory.Bench{Seeds: 60, Workers: 2}
//	err := bench.Run(ctx, laboratory.Cells(20000), laboratory.Methods(), func(r laboratory.Result) { ... })
//
// A study of a cell differs from the next by its landscape's seed, so that sixty
// studies have sixty optima; all methods meet the same sixty. The studies are run
// by the tuner itself, from study files, with their record in memory.
//
// Files in reading order: cell.go (the ground), method.go (the searches), run.go (a study
// on it), rows.go, suite.go and outside.go (what is reported), experiments.go.
//
// Place in the flow: Experiments are the tables that `sakusen experiment run
// tuners` and its like print; studies/experiments collects them with those of the games.
// docs/laboratory.md has the tables.
package laboratory

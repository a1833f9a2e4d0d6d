// Package tuners measures what searches are worth: each runs whole studies of
// the laboratory, where the optimum is known, and the true Elo of what it would
// export is set beside what it claims and what its validation says.
//
//	bench := &tuners.Bench{Seeds: 60, Workers: 2}
//	err := bench.Run(ctx, tuners.Cells(20000), tuners.Methods(), func(r tuners.Result) { ... })
//
// A study of a cell differs from the next by its landscape's seed, so that sixty
// studies have sixty optima; all methods meet the same sixty. The studies are run
// by the tuner itself, from study files, with their record in memory.
//
// It is a package of the command's, because only the command knows both the
// strategies and the samplers. docs/laboratory.md has the tables.
package tuners

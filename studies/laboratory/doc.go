// Package laboratory measures searches, and is no part of tuning itself. Each search runs whole
// studies of games whose best player is known, and the true Elo of what it would export is set
// beside what it claims and what its validation says.
//
//	b := &bench{Seeds: 24, First: 1000, Workers: 2}
//	err := b.Run(ctx, drawn(laboratory.Kinds(), 20_000, false), methods(), func(r result) { ... })
//
// A study of drawn ground differs from the next by its landscape, so that twenty-four
// studies have twenty-four tops; all methods meet the same ones. The studies are run by
// the tuner itself, from study files, with their record in memory.
//
// Files in reading order: ground.go (what is searched), run.go (the
// searches, and a study), outside.go (programs of others), table.go (what is reported).
//
// Place in the flow: Experiments are the tables that `sakusen paper experiment run
// tuners` and its like print; studies/experiments collects them with those of the games.
// docs/research/laboratory.md has the tables.
package laboratory

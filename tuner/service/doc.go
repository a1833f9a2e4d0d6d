// Package service is what Sakusen can do, over an open database: its use cases,
// the types of its API, and the one error that says who is to blame.
//
//	db, err := sqlitedb.Open(ctx, "sakusen.db", sqlitedb.Options{})
//	s, err := service.Open(ctx, db, service.Options{Catalogue: games, Pool: arena.NewPool(4)})
//	name, err := s.Studies().Files.Submit(ctx, service.Submission{Spec: yaml})
//	err = s.Serve(ctx) // runs what is queued, until ctx ends
//
// What can be done stands in groups: [Studies], [Tournaments], [Experiments],
// [Benchmarks] and [Blocks]. The command line calls them directly; tuner/web
// offers them over HTTP, and tuner/serve/client calls them there, with the same types.
// Which of two ways a command takes is no concern of this package.
//
// A study or a job in the queue has a daemon.Key; [Service.Run] runs it from its
// record alone: a study from its stored spec, which was read once, when it was
// submitted.
//
// Reading order: service.go (options, the service, its health), error.go. Studies: study.go and
// studies.go (what studies are in JSON, and what is done with them), records.go (finding a
// stored study), submit.go, tune.go, logs.go, export.go and further.go. Then asks.go and
// tells.go (games that other programs play); queue.go, run.go and jobs.go (what waits and
// runs), contests.go (tournaments, experiments, tests of patches). Last benchmarks.go and
// benchgate.go; blocks.go, database.go (its check, and the workers of its blocks), describe.go
// (games and strategies, and the texts of commands).
//
// Whatever goes wrong is an [Error] with one of six codes, or is given one by
// [ErrorOf]. Each front end maps the codes once.
package service

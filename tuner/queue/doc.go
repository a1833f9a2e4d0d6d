// Package queue plays chunks of series on other machines, over NATS: a server embedded in the
// daemon, or one that runs already.
//
// The queue schedules nothing. A machine that says hello gets two slots for each of its cores at
// the daemon's [arena.Pool]. The pool hands a chunk to a slot as to a local one; the slot sends
// it as a job to the worker that has least to do, and waits for the result. Shares, order, racing
// and cancellation stay in the pool: a study ends with the same digest wherever it was played.
//
//	q, err := queue.Open(queue.Options{Pool: pool, Build: build, Listen: "127.0.0.1:7172", Workers: workers, Log: log})
//	err = queue.Work(ctx, queue.WorkOptions{Server: url, Credentials: c, Catalogue: games, Build: build, Cores: 4})
//
// Jobs go to the worker's own inbox and not through JetStream, whose answers go to any subject
// that a request names, also another worker's.
//
// Reading order: job.go (what is sent), voice.go (signatures), register.go (who may connect),
// calm.go (its log), queue.go (the daemon's end), broker.go (the NATS server). Then slot.go (a job
// on its way, and its result), clock.go (games by a clock, speeds, slots), handout.go (engines that
// workers fetch), verify.go (which results count, and what is played again). Last registry.go (the
// workers), worker.go, play.go and travel.go (the other machine).
package queue

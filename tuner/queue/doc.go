// Package queue plays chunks of series on other machines, over NATS JetStream: a Server
// embedded in the daemon, or one that runs already.
//
// The queue schedules nothing. A machine that says hello gets desks at the daemon's
// [arena.Pool], two for each of its cores; the pool hands a chunk to a desk as to one of
// its own, the desk puts it into the queue as a Job, a Worker on some machine fetches it,
// and the desk waits for the Result. Shares, order, racing and cancellation stay in the
// pool, and a study ends with the same digest wherever its games were played.
//
//	q, err := queue.Open(queue.Options{Pool: pool, Hello: hello, Listen: "127.0.0.1:7172", Workers: workers, Log: log})
//	err = queue.Work(ctx, queue.WorkOptions{Server: url, Credentials: c, Catalogue: games, Hello: hello, Cores: 4})
package queue

package queue

import "time"

// times are those of a queue or of a worker.
type times struct {
	ack     time.Duration // after which a job without a sign of life is delivered again
	sign    time.Duration // between signs of life of a job
	greet   time.Duration // between two hellos of a worker
	silence time.Duration // without a hello, after which a worker is gone
	server  time.Duration // for the server's answers
	login   time.Duration // for a connection to say who it is
}

// usual are the times of all but tests.
var usualTimes = times{
	ack: 30 * time.Second, sign: 10 * time.Second, greet: 3 * time.Second, silence: 10 * time.Second,
	server: 5 * time.Second, login: 5 * time.Second,
}

// pulse is how often both sides ask whether a connection is alive; after the third question
// without an answer it is not. NATS's own 2 minutes leave a worker behind a dead line for six.
const pingEvery = 15 * time.Second

// orUsual are the times, or those of all but tests where there are none.
func (t times) orUsual() times {
	if t == (times{}) {
		return usualTimes
	}
	return t
}

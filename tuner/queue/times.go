package queue

import "time"

// times are those of a queue or of a worker.
type times struct {
	ack      time.Duration // after which a job without a sign of life is delivered again
	alive    time.Duration // between signs of life of a job
	greet    time.Duration // between two hellos of a worker
	silence  time.Duration // without a hello, after which a worker is gone
	patience time.Duration // for the server's answers
	enter    time.Duration // for a connection to say who it is
}

// usual are the times of all but tests.
var usual = times{
	ack: 30 * time.Second, alive: 10 * time.Second, greet: 3 * time.Second, silence: 10 * time.Second,
	patience: 5 * time.Second, enter: 5 * time.Second,
}

// pulse is how often both sides ask whether a connection is alive; after the third question
// without an answer it is not. NATS's own 2 minutes leave a worker behind a dead line for six.
const pulse = 15 * time.Second

// orUsual are the times, or those of all but tests where there are none.
func (t times) orUsual() times {
	if t == (times{}) {
		return usual
	}
	return t
}

package queue

import (
	"context"
	"crypto/tls"
	"log/slog"
	"sync"

	"sakusen/engines/arena"
	"sakusen/tuner/queue/fleet"
)

// Options are those of a daemon's queue.
type Options struct {
	Pool  *arena.Pool
	Build Build // of the daemon
	// Listen is the address for workers of the embedded server, empty for none; TLS is
	// needed beyond the loopback interface.
	Listen string
	TLS    *tls.Config
	// Roll is who may connect to the embedded server, and who is in quarantine.
	Roll Roll
	// URL is a NATS server that runs already, in place of the embedded one.
	URL string
	// Keep, unless nil, stores what was played before its job is acknowledged.
	Keep func(context.Context, *arena.Series, *arena.Run) error
	// Conflict, unless nil, tells whether an error of Keep says that other blocks are stored.
	Conflict func(error) bool
	// Quarantined, unless nil, is told of a worker whose games are not to be trusted, when
	// none of them are stored any more; Paused of one that cannot play what is played here.
	Quarantined func(context.Context, Quarantine)
	Paused      func(name, reason string)
	// Engines, unless nil, are the daemon's own; workers that have the same play games with
	// them.
	Engines Engines
	Log     *slog.Logger // nil is none
	// Replay is the share of the jobs that are played again here, of a new worker's twice
	// as many; negative is none, 0 is 1 in 100.
	Replay float64

	times times // none are the usual ones
}

// Queue hands chunks of the pool's series to workers.
type Queue struct {
	o Options
	*broker
	roster  *roster
	referee *referee
	ctx     context.Context // until Close
	end     context.CancelFunc
	group   sync.WaitGroup
	results chan struct{} // bounds the results that are worked on at a time

	rolling sync.Mutex // taken before mu
	roll    Roll

	mu       sync.Mutex
	asked    map[string]*asked
	lost     map[string]int // workers that were lost over a chunk, by chunk
	number   int64
	counts   Counts
	hereRate fleet.Rate // of games that the pool's own desks play
}

// Counts are what has happened since the queue was opened.
type Counts struct {
	Jobs        int64 `json:"jobs"`         // handed out
	Results     int64 `json:"results"`      // counted
	Late        int64 `json:"late"`         // for which nobody waited any more
	Redelivered int64 `json:"redelivered"`  // given back or delivered again
	Malformed   int64 `json:"malformed"`    // results and hellos that were refused
	Unable      int64 `json:"unable"`       // jobs that a worker could not play, played here
	Refused     int64 `json:"refused"`      // hellos
	Connections int64 `json:"connections"`  // that were refused or cut: wrong keys, no TLS, silence, too long messages
	Replayed    int64 `json:"replayed"`     // jobs that were played again
	Different   int64 `json:"different"`    // of these
	Waiting     int   `json:"jobs_waiting"` // now, handed out and unanswered
	Queued      int   `json:"jobs_queued"`  // now, of these those that no worker has begun with
}

// Refusals are those by reason.
func (c Counts) Refusals() map[string]int64 {
	return map[string]int64{"hello": c.Refused, "connection": c.Connections, "malformed": c.Malformed, "unable": c.Unable}
}

// refused counts a connection that the server has refused or cut, and says so.
func (q *Queue) refused(why string) {
	q.o.Log.Warn("a connection to the workers' address was refused or cut", "reason", why)
	q.count(func(c *Counts) { c.Connections++ })
}

// Address is where workers of the embedded server connect, empty for none.
func (q *Queue) Address() string {
	if q.server == nil || q.o.Listen == "" {
		return ""
	}
	return q.server.ClientURL()
}

// count changes the counts.
func (q *Queue) count(f func(*Counts)) {
	q.mu.Lock()
	defer q.mu.Unlock()
	f(&q.counts)
}

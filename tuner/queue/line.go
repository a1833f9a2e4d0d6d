package queue

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/nats-io/nats.go/jetstream"

	"sakusen/engines/arena"
)

// line.go keeps jobs apart by who can play them. A worker fetches from one line: that of all
// workers which have the same of the daemon's engines as it has. Jobs without engines stand
// in the line of the desk that asks for them, whichever it is.

// general is the line of the workers that have none of the daemon's engines.
const general = "any"

// lineOf is the line of the workers with these engines, which are sorted by name.
func lineOf(programs []arena.Program) string {
	if len(programs) == 0 {
		return general
	}
	text, err := json.Marshal(programs)
	if err != nil { // it holds texts only
		panic(err)
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}

// consumerOf is what the workers of a line fetch through.
func consumerOf(line string) string {
	if line == general {
		return consumer
	}
	return consumer + "-" + line
}

// subject is where the job waits.
func (a *asked) subject() string { return workRoot + a.line + "." + a.job.ID }

// makeLine makes what the workers of a line fetch through.
func (b *broker) makeLine(ctx context.Context, line string) error {
	_, err := b.js.CreateOrUpdateConsumer(ctx, stream, jetstream.ConsumerConfig{
		Durable: consumerOf(line), FilterSubject: workRoot + line + ".*",
		AckPolicy: jetstream.AckExplicitPolicy, AckWait: b.o.times.ack, MaxDeliver: -1, MaxAckPending: -1, MaxWaiting: 16384,
	})
	if err == nil {
		b.mu.Lock()
		b.lines[line] = true
		b.mu.Unlock()
	}
	return err
}

// differs says how an engine of a worker is not that of the daemon, empty where it is.
func (r *roster) differs(p arena.Program) string {
	if r.q.o.Engines == nil || !slices.Contains(r.q.o.Engines.Names(), p.Name) {
		return fmt.Sprintf("engine %s: the daemon has none of that name", p.Name)
	}
	own, err := r.q.o.Engines.Program(p.Name)
	switch {
	case err != nil:
		return "at the daemon, " + err.Error()
	case own.Identity != p.Identity:
		return fmt.Sprintf("engine %s: its program, files, arguments or options differ: the daemon has %s, the worker %s", p.Name, brief(own.Identity), brief(p.Identity))
	case own.Way != p.Way:
		return fmt.Sprintf("engine %s: the settings of the daemon and of the worker differ in how it is run (protocol, game, fresh, recorded, memory, deadlines, metrics or setup)", p.Name)
	}
	return ""
}

// names are those of programs.
func names(all []arena.Program) []string {
	out := []string{}
	for _, p := range all {
		out = append(out, p.Name)
	}
	return out
}

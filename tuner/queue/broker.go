package queue

import (
	"context"
	"crypto/sha256"
	"crypto/tls"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net"
	"os"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nkeys"

	"sakusen/engines/arena"
)

// broker is the NATS server's side of the queue: the connection, the stream that the jobs wait
// in, and the lines of workers, each of which fetches through a consumer of its own.
type broker struct {
	o      *Options
	ctx    context.Context // until the queue is closed
	server *embedded       // nil with a server that runs already
	nats   *nats.Conn
	js     jetstream.JetStream

	renewing sync.Mutex
	made     time.Time // when the stream was, by its server; guarded by renewing once connected

	mu    sync.Mutex
	lines map[string]bool // in which workers have been
}

// connect starts or finds the server and makes the work queue on it.
func (b *broker) connect(refused func(string), renew func()) (err error) {
	options := []nats.Option{
		nats.Name("sakusen daemon"), nats.MaxReconnects(-1), nats.PingInterval(pingEvery), nats.CustomReconnectDelay(b.o.times.backOff),
		nats.ReconnectHandler(func(*nats.Conn) { renew() }),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
			b.o.Log.Warn("the server of the workers says", "error", err)
		}),
	}
	if b.o.URL != "" {
		b.nats, err = nats.Connect(b.o.URL, options...)
	} else if b.server, err = startEmbedded(b.o, refused); err == nil {
		b.nats, err = b.server.connect(options...)
	}
	if err != nil {
		return fmt.Errorf("the queue of the workers: %w", err)
	}
	if b.js, err = jetstream.New(b.nats); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(b.ctx, b.o.times.server)
	defer cancel()
	b.js.DeleteStream(ctx, stream) // of a daemon before this one, whose jobs are not waited for any more
	if err := b.make(ctx); err != nil {
		return fmt.Errorf("the queue of the workers at %s, NATS %s: %w", b.nats.ConnectedUrlRedacted(), b.nats.ConnectedServerVersion(), err)
	}
	return nil
}

// make makes the stream and what workers fetch through.
func (b *broker) make(ctx context.Context) error {
	s, err := b.js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
		Name: stream, Subjects: []string{workRoot + ">"}, Retention: jetstream.WorkQueuePolicy, Storage: jetstream.MemoryStorage, Discard: jetstream.DiscardNew,
	})
	if err != nil {
		return err
	}
	b.made = s.CachedInfo().Created
	for _, line := range b.allLines() {
		if err := b.makeLine(ctx, line); err != nil {
			return err
		}
	}
	return nil
}

// allLines returns the lines in which workers have been.
func (b *broker) allLines() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Sorted(maps.Keys(b.lines))
}

// renew makes the stream again where it is gone, as after a restart of the server, and reports
// whether it is another than before, so that what was in it is lost. Where a consumer alone is
// gone, a new one delivers what the stream has.
func (b *broker) renew() (lost bool) {
	if !b.renewing.TryLock() {
		return false
	}
	defer b.renewing.Unlock()
	ctx, cancel := context.WithTimeout(b.ctx, b.o.times.server)
	defer cancel()
	if b.whole(ctx) || b.ctx.Err() != nil {
		return false
	}
	before := b.made
	if err := b.make(ctx); err != nil {
		b.o.Log.Error("the queue of the workers cannot be made again and is tried again", "error", err)
		return false
	}
	return !b.made.Equal(before)
}

// whole reports whether the stream that was made is there, and what the workers of all lines
// fetch through.
func (b *broker) whole(ctx context.Context) bool {
	s, err := b.js.Stream(ctx, stream)
	if err != nil || !s.CachedInfo().Created.Equal(b.made) {
		return false
	}
	for _, line := range b.allLines() {
		if _, err := s.Consumer(ctx, consumerOf(line)); err != nil {
			return false
		}
	}
	return true
}

// withdraw takes a job out of the queue, and calls it off at the worker that plays it.
func (b *broker) withdraw(a *asked) {
	b.nats.Publish(cancelAll, []byte(a.job.ID))
	ctx, cancel := context.WithTimeout(context.WithoutCancel(b.ctx), b.o.times.server)
	defer cancel()
	s, err := b.js.Stream(ctx, stream)
	if err != nil {
		return
	}
	// Not by a purge of its subject: after that NATS 2.9.10 hands out none of those before it.
	if m, err := s.GetLastMsgForSubject(ctx, a.subject()); err == nil {
		s.DeleteMsg(ctx, m.Sequence)
	}
}

// line.go keeps jobs apart by who can play them. A worker fetches from one line: that of all
// workers which have the same of the daemon's engines as it has. Jobs without engines stand
// in the line of the slot that asks for them, whichever it is.

// general is the line of the workers that have none of the daemon's engines.
const general = "any"

// lineOf returns the line of the workers with these engines, which are sorted by name.
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

// consumerOf returns the name of what the workers of a line fetch through.
func consumerOf(line string) string {
	if line == general {
		return consumer
	}
	return consumer + "-" + line
}

// subject returns where the job waits.
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

// names returns the names of programs.
func names(all []arena.Program) []string {
	out := []string{}
	for _, p := range all {
		out = append(out, p.Name)
	}
	return out
}

// mostPayload bounds a message, bytes.
const mostPayload = 8 << 20

// embedded is the NATS server in this process.
type embedded struct {
	*server.Server
	folder string // JetStream wants one, although the queue is in memory
	own    nkeys.KeyPair
	listen string
	tls    *tls.Config
	enter  time.Duration
}

// startEmbedded starts the server. Without an address nothing listens, and only this
// process can connect.
func startEmbedded(q *Options, refused func(string)) (_ *embedded, err error) {
	e := &embedded{listen: q.Listen, tls: q.TLS, enter: q.times.login}
	if e.listen != "" {
		if err := checkAddress(e.listen, e.tls != nil); err != nil {
			return nil, err
		}
	}
	if e.own, err = nkeys.CreateUser(); err != nil {
		return nil, err
	}
	if e.folder, err = os.MkdirTemp("", "sakusen-queue-"); err != nil {
		return nil, err
	}
	o, err := e.options(q.Roll)
	if err == nil {
		e.Server, err = server.NewServer(o)
	}
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(e.folder))
	}
	e.SetLogger(&complaints{refused: refused}, true, false)
	e.Start()
	if !e.ReadyForConnections(10 * time.Second) {
		e.close()
		return nil, fmt.Errorf("the workers' address %s cannot be listened on", e.listen)
	}
	return e, nil
}

// checkAddress refuses what would send keys and results over a network in plain.
func checkAddress(listen string, secure bool) error {
	host, _, err := net.SplitHostPort(listen)
	if err != nil {
		return fmt.Errorf("the workers' address %q: expected HOST:PORT", listen)
	}
	if ip := net.ParseIP(host); secure || host == "localhost" || ip != nil && ip.IsLoopback() {
		return nil
	}
	return fmt.Errorf("the workers' address %s is not on the loopback interface: it needs TLS (settings tls_cert and tls_key)", listen)
}

// options returns the server's options, with the workers that may connect. One in quarantine may only
// ask, and hear why.
func (e *embedded) options(roll Roll) (*server.Options, error) {
	o := &server.Options{
		DontListen: e.listen == "", NoSigs: true, NoLog: true, JetStream: true, StoreDir: e.folder, MaxPayload: mostPayload,
		TLSConfig: e.tls, TLSTimeout: e.enter.Seconds(), AuthTimeout: e.enter.Seconds(), PingInterval: pingEvery, NoSystemAccount: false,
	}
	if e.listen != "" {
		host, port, err := net.SplitHostPort(e.listen)
		if err != nil {
			return nil, err
		}
		o.Host = host
		if o.Port, err = strconv.Atoi(port); err != nil {
			return nil, fmt.Errorf("the workers' address %q: expected a port in digits", e.listen)
		}
		if o.Port == 0 {
			o.Port = server.RANDOM_PORT
		}
	}
	own, err := e.own.PublicKey()
	if err != nil {
		return nil, err
	}
	o.Nkeys = []*server.NkeyUser{{Nkey: own}}
	for _, w := range roll.Known {
		may := []string{helloRoot + w.Name}
		if !roll.holds(w.Name) {
			may = append(may, "$JS.API.CONSUMER.INFO."+stream+".*", "$JS.API.CONSUMER.MSG.NEXT."+stream+".*",
				"$JS.ACK."+stream+".*.>", doneRoot+w.Name)
		}
		o.Nkeys = append(o.Nkeys, &server.NkeyUser{Nkey: w.Key, Permissions: &server.Permissions{
			Publish:   &server.SubjectPermission{Allow: may},
			Subscribe: &server.SubjectPermission{Allow: []string{inboxRoot + w.Name + ".>", cancelAll}},
		}})
	}
	return o, nil
}

// reload changes who may connect, and ends the connections of those who may not.
func (e *embedded) reload(roll Roll) error {
	o, err := e.options(roll)
	if err != nil {
		return err
	}
	if a, ok := e.Addr().(*net.TCPAddr); ok && e.listen != "" {
		o.Port = a.Port
	}
	return e.ReloadOptions(o)
}

// disconnect ends the connections of a worker, and with them what they have asked for.
func (e *embedded) disconnect(key string) error {
	all, err := e.Connz(&server.ConnzOptions{Username: true, User: key, Limit: 1 << 20})
	if err != nil {
		return err
	}
	for _, c := range all.Conns {
		if c.AuthorizedUser == key {
			err = errors.Join(err, e.DisconnectClientByID(c.Cid))
		}
	}
	return err
}

// complaints is the server's log, of which those about connections are passed on.
type complaints struct{ refused func(string) }

func (c *complaints) Noticef(string, ...any) {}
func (c *complaints) Warnf(string, ...any)   {}
func (c *complaints) Fatalf(string, ...any)  {}
func (c *complaints) Tracef(string, ...any)  {}

// Errorf implements server.Logger.
func (c *complaints) Errorf(format string, args ...any) { c.refused(fmt.Sprintf(format, args...)) }

// Debugf implements server.Logger. Only here the server tells of a connection that did not
// say in time who it is.
func (c *complaints) Debugf(format string, args ...any) {
	if slices.Contains(args, any(server.AuthenticationTimeout)) {
		c.refused(fmt.Sprintf(format, args...))
	}
}

// connect connects this process.
func (e *embedded) connect(o ...nats.Option) (*nats.Conn, error) {
	own, err := e.own.PublicKey()
	if err != nil {
		return nil, err
	}
	return nats.Connect("", append(o, nats.InProcessServer(e), nats.Nkey(own, e.own.Sign))...)
}

// close ends the server and deletes its folder.
func (e *embedded) close() {
	e.Shutdown()
	e.WaitForShutdown()
	os.RemoveAll(e.folder)
}

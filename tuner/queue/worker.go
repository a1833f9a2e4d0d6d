package queue

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"

	"sakusen/engines/arena"
)

// WorkOptions are those of a worker.
type WorkOptions struct {
	Server      string // of the daemon or of NATS: nats://HOST:PORT or tls://HOST:PORT
	Credentials Credentials
	Authority   string // file of certificates to trust beside the system's, empty for none
	Catalogue   arena.Catalogue
	Engines     Engines     // programs of other people that are in the catalogue, nil for none
	Accept      *Acceptance // of engines that the daemon hands out, nil for none
	Build       Build
	Cores       int          // games played at a time
	Slots       int          // games by a clock at a time, 0 for the cores without hyperthreads
	Log         *slog.Logger // nil is none
	// Connect are further options of the connection, and Corrupt does to a result what a
	// faulty machine would; tests have some.
	Connect []nats.Option
	Corrupt func(*arena.Run)

	times times // none are the usual ones
}

// worker is this process at work for a daemon.
type worker struct {
	o       WorkOptions
	voice   *voice
	nats    *nats.Conn
	session string
	welcome chan struct{} // closed with the first welcome
	tried   bool          // whether it may speak in another's name
	games   atomic.Int64
	queue   chan *task   // jobs that were given to it
	pool    *arena.Pool  // whose slots are the cores
	slots   int          // games by a clock at a time
	speeds  *arena.Gauge // nil where it has no engines
	travel  *traveller

	mu       sync.Mutex
	programs []arena.Program // offered
	lacks    []string        // why others are not
	tasks    map[string]*task
}

// Work plays the daemon's jobs until the context ends, then gives unfinished ones back. It
// comes back when the connection or the daemon was away.
func Work(ctx context.Context, o WorkOptions) error {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	o.times = cmp.Or(o.times, usualTimes)
	voice, err := newVoice(o.Credentials)
	if err != nil {
		return err
	}
	l := &worker{o: o, voice: voice, session: rand.Text(), welcome: make(chan struct{}), queue: make(chan *task, mostCores*slotsPerCore), tasks: map[string]*task{}}
	cores := max(1, o.Cores)
	l.pool, l.slots = arena.NewPool(cores), min(cmp.Or(max(0, o.Slots), arena.PhysicalCores()), cores)
	l.pool.SetRoom(l.slots, arena.FreeMemory())
	if o.Engines != nil {
		l.speeds = arena.NewGauge(l.pool, o.Engines.Speed, o.times.measure, o.times.again, o.Log)
	}
	l.travel = &traveller{l: l, a: o.Accept, catalogue: o.Catalogue, settled: map[string]time.Time{}}
	l.offer()
	o.Log.Info("connecting", "worker", o.Credentials.Name, "server", o.Server)
	defer context.AfterFunc(ctx, func() { o.Log.Info("told to end: gives back what it has", "jobs", l.has()) })()
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	if err := l.connect(end); err != nil {
		return err
	}
	defer l.nats.Close()
	if _, err := l.nats.Subscribe(jobsOf(o.Credentials.Name, l.session), l.accept); err != nil {
		return err
	}
	var playing, greeting sync.WaitGroup
	greeting.Go(func() { l.greet(ctx, end) })
	for range cores {
		playing.Go(func() { l.work(ctx) })
	}
	playing.Wait()
	greeting.Wait()
	if l.nats.IsConnected() {
		l.say(context.WithoutCancel(ctx), true)
	}
	if err := context.Cause(ctx); !errors.Is(err, context.Canceled) {
		return err
	}
	o.Log.Info("ended", "games", l.games.Load())
	return nil
}

// has returns how many jobs it has.
func (l *worker) has() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.tasks)
}

// CheckServer returns an error that says what is wrong with the address of a server: keys
// and results do not cross a network in plain.
func CheckServer(address string) error {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "nats" && u.Scheme != "tls" && u.Scheme != "wss" {
		return fmt.Errorf("server %q: expected tls://HOST:PORT, or nats://HOST:PORT on this machine", address)
	}
	if ip := net.ParseIP(u.Hostname()); u.Scheme == "nats" && u.Hostname() != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return fmt.Errorf("server %q: expected tls://, since it is not on this machine", address)
	}
	return nil
}

func (l *worker) connect(end context.CancelCauseFunc) error {
	name := l.o.Credentials.Name
	options := append([]nats.Option{
		nats.Name("sakusen worker " + name), nats.CustomInboxPrefix(inboxRoot + name), nats.MaxReconnects(-1), nats.RetryOnFailedConnect(true),
		nats.CustomReconnectDelay(l.o.times.backOff), nats.PingInterval(pingEvery),
		nats.Nkey(l.voice.key, l.voice.pair.Sign),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil && !errors.Is(err, nats.ErrConnectionClosed) {
				l.o.Log.Warn("the connection is lost and is tried again", "error", err)
			}
		}),
		nats.ReconnectErrHandler(func(_ *nats.Conn, err error) {
			if why := permanent(err); why != "" && !l.welcomed() {
				end(unfit("server " + l.o.Server + ": " + why))
				return
			}
			l.o.Log.Warn("no connection yet, tried again", "server", l.o.Server, "error", explain(err, name))
		}),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
			if !errors.Is(err, nats.ErrAuthorization) && !errors.Is(err, nats.ErrPermissionViolation) { // which the attempts tell
				l.o.Log.Warn("the server says", "error", err)
			}
		}),
		nats.ReconnectHandler(func(*nats.Conn) { l.o.Log.Info("connected again") }),
		nats.ClosedHandler(func(c *nats.Conn) {
			if err := c.LastError(); err != nil {
				end(fmt.Errorf("%w: %w", ErrRefused, explain(err, name)))
			}
		}),
	}, l.o.Connect...)
	if l.o.Authority != "" {
		options = append(options, nats.RootCAs(l.o.Authority))
	}
	var err error
	l.nats, err = nats.Connect(l.o.Server, options...)
	return err
}

// unfit is an error that is an ErrRefused, although it is the worker that refuses.
type unfit string

func (u unfit) Error() string        { return string(u) }
func (u unfit) Is(target error) bool { return target == ErrRefused }

// permanent returns an error of a server that no further attempt can overcome, empty if one may.
func permanent(err error) string {
	_, unknown := errors.AsType[x509.UnknownAuthorityError](err)
	_, other := errors.AsType[x509.HostnameError](err)
	switch {
	case unknown:
		return "its certificate is of an authority that this machine does not know: name a file with the certificate of that authority by --ca"
	case other:
		return "its certificate is not of this address: " + err.Error()
	case errors.Is(err, nats.ErrSecureConnWanted):
		return "it has no TLS, which the daemon has by its settings tls_cert and tls_key; expected nats://, if it is on this machine"
	case errors.Is(err, nats.ErrNkeysNotSupported):
		return "it knows no users by their keys: docs/workers.md shows how it gets the public key of this worker"
	}
	return ""
}

// welcomed reports whether the daemon has given work since this process began.
func (l *worker) welcomed() bool {
	select {
	case <-l.welcome:
		return true
	default:
		return false
	}
}

// greet sends a hello every few seconds until the context ends.
func (l *worker) greet(ctx context.Context, end context.CancelCauseFunc) {
	var last, unlike string
	for {
		wait := l.o.times.greet
		if a, err := l.say(ctx, false); err == nil {
			for _, id := range a.Off {
				l.callOff(id)
			}
			if a.Try && !l.tried {
				if err := tryOthers(l.nats, l.o.times.server, strangerName); err != nil {
					end(unfit("server " + l.o.Server + ": " + err.Error()))
					return
				}
				l.tried = true
			}
			if a.Refused == "" {
				l.travel.want(ctx, a.Wanted)
			}
			switch {
			case a.Refused == "" && a.Comparing:
				wait /= 10
			case a.Refused == "":
				last = ""
				if now := strings.Join(a.Unlike, "; "); now != unlike {
					if unlike = now; now != "" {
						l.o.Log.Warn("games of these engines stay with the daemon", "reason", now)
					}
				}
				if !l.welcomed() {
					l.o.Log.Info("at work", "worker", l.o.Credentials.Name, "cores", l.o.Cores, "server", l.nats.ConnectedUrlRedacted())
					close(l.welcome)
				}
			case a.Again:
				if a.Refused != last {
					l.o.Log.Warn("no work yet", "reason", a.Refused)
				}
				last = a.Refused
			default:
				end(refusal(a))
				return
			}
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return
		}
	}
}

// offer starts each registered engine to see which it is, and says which are offered.
func (l *worker) offer() {
	if l.o.Engines == nil {
		return
	}
	for _, name := range l.o.Engines.Names() {
		p, err := l.o.Engines.Program(name)
		switch {
		case err != nil:
			l.addLack(err.Error())
		case len(l.programs) == mostEngines:
			l.addLack(fmt.Sprintf("engine %s: a worker offers %d at most", name, mostEngines))
		default:
			l.programs = append(l.programs, p)
			l.o.Log.Info("an engine is offered", "engine", name, "identity", brief(p.Identity))
		}
	}
	slices.SortFunc(l.programs, func(a, b arena.Program) int { return cmp.Compare(a.Name, b.Name) })
}

// addLack notes why an engine is not offered. The caller holds mu, or is alone.
func (l *worker) addLack(why string) {
	l.o.Log.Warn("an engine is not offered", "reason", why)
	why = strings.Join(strings.Fields(why), " ")
	if len(why) > mostWords {
		why = strings.ToValidUTF8(why[:mostWords], "") + " ..."
	}
	if len(l.lacks) < mostEngines && !slices.Contains(l.lacks, why) {
		l.lacks = append(l.lacks, why)
	}
}

// text returns this worker's hello.
func (l *worker) text(leaving bool) []byte {
	h := hello{Build: l.o.Build, Session: l.session, Cores: l.pool.Workers(), Games: l.games.Load(), Leaving: leaving, OS: runtime.GOOS, Slots: l.slots, Speeds: l.speeds.Known()}
	l.mu.Lock()
	h.Engines, h.Lacks = l.programs, slices.Clone(l.lacks)
	for id, t := range l.tasks {
		if t.begun {
			h.Holds = append(h.Holds, id)
		} else {
			h.Waits = append(h.Waits, id)
		}
	}
	l.mu.Unlock()
	slices.Sort(h.Holds)
	slices.Sort(h.Waits)
	text, err := json.Marshal(h)
	if err != nil { // it holds texts and numbers only
		panic(err)
	}
	return text
}

// say sends a hello and waits for the answer.
func (l *worker) say(ctx context.Context, leaving bool) (a helloAnswer, err error) {
	ctx, cancel := context.WithTimeout(ctx, l.o.times.greet)
	defer cancel()
	m, err := l.nats.RequestMsgWithContext(ctx, l.voice.sign(helloRoot+l.voice.name, l.session, l.text(leaving)))
	if err != nil {
		return a, err
	}
	return a, json.Unmarshal(m.Data, &a)
}

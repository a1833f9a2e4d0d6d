package queue

import (
	"crypto/tls"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"

	"sakusen/engines/arena"
)

// broker is the NATS server's side of the queue: the connection and its subscriptions.
type broker struct {
	o      *Options
	server *embedded // nil with a server that runs already
	nats   *nats.Conn

	mu    sync.Mutex
	heard map[string][]*nats.Subscription // by worker
}

// connect starts or finds the server.
func (b *broker) connect(refused func(string)) (err error) {
	options := []nats.Option{
		nats.Name("sakusen daemon"), nats.MaxReconnects(-1), nats.PingInterval(pingEvery), nats.CustomReconnectDelay(b.o.times.backOff),
		nats.ErrorHandler(func(_ *nats.Conn, on *nats.Subscription, err error) {
			subject := ""
			if on != nil {
				subject = on.Subject
			}
			b.o.Log.Warn("the server of the workers says", "error", err, "subject", subject)
		}),
	}
	if b.o.URL != "" {
		if err = b.try(); err == nil {
			b.nats, err = nats.Connect(b.o.URL, options...)
		}
	} else if b.server, err = startEmbedded(b.o, refused); err == nil {
		b.nats, err = b.server.connect(options...)
	}
	if err != nil {
		return fmt.Errorf("the queue of the workers: %w", err)
	}
	return nil
}

// mostWaiting bounds what a worker has said and is not read yet, bytes; what comes then is
// dropped, and said again by a worker that waits for its answer.
const mostWaiting = 4 * mostPayload

// listen hears the workers of a roll, each by itself, and no others.
func (b *broker) listen(roll Roll, done, hello, fetch nats.MsgHandler) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	old := b.heard
	b.heard = map[string][]*nats.Subscription{}
	var failed error
	for _, w := range roll.Known {
		if b.heard[w.Name] = old[w.Name]; b.heard[w.Name] != nil {
			delete(old, w.Name)
			continue
		}
		for subject, take := range map[string]nats.MsgHandler{doneRoot + w.Name: done, helloRoot + w.Name: hello, fetchRoot + w.Name: fetch} {
			s, err := b.nats.Subscribe(subject, take)
			if err == nil {
				b.heard[w.Name] = append(b.heard[w.Name], s)
				err = s.SetPendingLimits(-1, mostWaiting)
			}
			failed = errors.Join(failed, err)
		}
	}
	for _, gone := range old {
		for _, s := range gone {
			s.Unsubscribe()
		}
	}
	return failed
}

// send has the server hand a job, or that one is called off, to a session of a worker.
func (b *broker) send(subject string, j *job) error {
	text, err := json.Marshal(j)
	if err != nil {
		return err
	}
	if most := b.nats.MaxPayload(); int64(len(text)) > most { // as with a large book in its rules
		return fmt.Errorf("%w: a job has %d bytes, and the server takes %d", arena.ErrHereOnly, len(text), most)
	}
	return b.nats.Publish(subject, text)
}

// try tests, with a key that may do what a worker may, whether the server that runs already lets
// workers speak or hear in another's name.
func (b *broker) try() error {
	if b.o.Roll.Probe == "" {
		return fmt.Errorf("a server that runs already: %w", errUnguarded)
	}
	v, err := newVoice(Credentials{Name: probeName, Seed: b.o.Roll.Probe})
	if err != nil {
		return err
	}
	at, err := url.Parse(b.o.URL)
	if err != nil {
		return err
	}
	at.User = nil
	c, err := nats.Connect(at.String(), nats.Name("sakusen daemon tries what workers may"), nats.Nkey(v.key, v.pair.Sign), nats.NoReconnect(),
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}))
	if errors.Is(err, nats.ErrAuthorization) || errors.Is(err, nats.ErrNkeysNotSupported) {
		return fmt.Errorf("the server %s does not know the key by which the daemon tries what workers may: %w", at.Redacted(), errUnguarded)
	}
	if err != nil {
		return fmt.Errorf("server %s: %w", at.Redacted(), err)
	}
	defer c.Close()
	names := []string{strangerName}
	for _, w := range b.o.Roll.Known[:min(len(b.o.Roll.Known), 16)] {
		names = append(names, w.Name)
	}
	return tryOthers(c, b.o.times.server, names...)
}

// differs reports how an engine of a worker differs from the daemon's, empty if it does not.
func (r *registry) differs(p arena.Program) string {
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
	own    nkeys.KeyPair
	listen string
	tls    *tls.Config
	enter  time.Duration
	door   door
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
	o, err := e.options()
	if err == nil {
		err = e.admit(q.Roll)
	}
	if err != nil {
		return nil, err
	}
	if e.Server, err = server.NewServer(o); err != nil {
		return nil, err
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

// options returns the server's options.
func (e *embedded) options() (*server.Options, error) {
	o := &server.Options{
		DontListen: e.listen == "", NoSigs: true, NoLog: true, MaxPayload: mostPayload,
		TLSConfig: e.tls, TLSTimeout: e.enter.Seconds(), AuthTimeout: e.enter.Seconds(), PingInterval: pingEvery,
		CustomClientAuthentication: &e.door, AlwaysEnableNonce: true,
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
	return o, nil
}

// door accepts connections whose key is permitted, each with its permissions. The server's
// own list of keys would do, but a change of it has the server look at connections that are
// just being made without their lock.
type door struct {
	keys atomic.Pointer[map[string]*server.Permissions] // nil permissions are all
}

// Check implements server.Authentication.
func (d *door) Check(c server.ClientAuthentication) bool {
	keys, given := d.keys.Load(), c.GetOpts()
	permissions, known := (*keys)[given.Nkey]
	if !known {
		return false
	}
	signature, err := base64.RawURLEncoding.DecodeString(given.Sig)
	if err != nil {
		return false
	}
	key, err := nkeys.FromPublicKey(given.Nkey)
	if err != nil || key.Verify(c.GetNonce(), signature) != nil {
		return false
	}
	c.RegisterUser(&server.User{Permissions: permissions})
	return keys == d.keys.Load() // else a change of the keys may have missed this connection
}

// admit changes who may connect.
func (e *embedded) admit(roll Roll) error {
	own, err := e.own.PublicKey()
	if err != nil {
		return err
	}
	keys := map[string]*server.Permissions{own: nil}
	for _, w := range roll.Known {
		publish, hear := roll.permissions(w.Name)
		keys[w.Key] = &server.Permissions{Publish: &server.SubjectPermission{Allow: publish}, Subscribe: &server.SubjectPermission{Allow: hear}}
	}
	e.door.keys.Store(&keys)
	return nil
}

// reload changes who may connect, and ends the connections of those whose permissions change.
func (e *embedded) reload(roll Roll) error {
	before := *e.door.keys.Load()
	err := e.admit(roll)
	now := *e.door.keys.Load()
	for key, permissions := range before {
		if p, still := now[key]; !still || !reflect.DeepEqual(p, permissions) {
			err = errors.Join(err, e.disconnect(key))
		}
	}
	return err
}

// disconnect ends the connections of a worker.
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

// close ends the server.
func (e *embedded) close() {
	e.Shutdown()
	e.WaitForShutdown()
}

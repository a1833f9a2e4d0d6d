package queue

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"strconv"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"
)

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

// options are the server's, with the workers that may connect. One in quarantine may only
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
		if !roll.Holds(w.Name) {
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

package queue

import (
	"bufio"
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"log/slog"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/engines/suite"
)

// hasty are short times, in which a worker that the machine does not let speak is not taken for
// gone: one goes where [bench.silence] says so.
var hasty = times{
	measure: 20 * time.Millisecond, again: time.Hour,
	answer: 500 * time.Millisecond, arrive: 500 * time.Millisecond, greet: 100 * time.Millisecond, silence: 30 * time.Second,
	server: 5 * time.Second, login: 500 * time.Millisecond, retry: 20 * time.Millisecond,
}

func inHaste(o *Options) { o.times = hasty }

// silence makes the last hello of a worker one of long ago.
func (b *bench) silence(name string) {
	b.queue.mu.Lock()
	defer b.queue.mu.Unlock()
	b.queue.registry.workers[name].lastHello = time.Time{}
}

// certified returns the configuration of a server on 127.0.0.1, and a file with its certificate.
func certified(t *testing.T) (*tls.Config, string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	c := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "tuner"}, NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	text, err := x509.CreateCertificate(rand.Reader, c, c, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: text}), 0o600); err != nil {
		t.Fatal(err)
	}
	return &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{text}, PrivateKey: key}}}, file
}

// A server with a certificate plays with who knows its authority. Who does not, who comes in
// plain, and who wants TLS where there is none are told so and end.
func TestTLS(t *testing.T) {
	config, file := certified(t)
	b := newBench(t, 0, func(o *Options) { inHaste(o); o.TLS = config })
	c := b.admit("one")
	server := strings.Replace(b.queue.Address(), "nats://", "tls://", 1)
	refused := func(server, authority, why string) {
		t.Helper()
		ctx, cancel := context.WithDeadline(t.Context(), suite.Deadline(t))
		defer cancel()
		err := Work(ctx, WorkOptions{Server: server, Credentials: c, Authority: authority, Build: testBuild(), times: hasty})
		if !errors.Is(err, ErrRefused) || !strings.Contains(err.Error(), why) {
			t.Errorf("expected %q, got %v", why, err)
		}
	}
	refused(server, "", "--ca")
	refused("nats"+server[len("tls"):], "", "--ca") // NATS turns to TLS where the server wants it
	_, other := certified(t)
	refused(server, other, "--ca")
	wrong := strings.Replace(server, "127.0.0.1", "localhost", 1)
	refused(wrong, file, "is not of this address")
	b.start(c, func(o *WorkOptions) { o.Server, o.Authority = server, file })
	b.await("the worker", working(1))
	same(t, b.pool, series(t, 300))
	if _, counts := b.queue.Workers(); counts.Connections < 2 {
		t.Errorf("%+v", counts)
	}
	plain := newBench(t, 0, inHaste)
	c = plain.admit("one")
	refused(strings.Replace(plain.queue.Address(), "nats://", "tls://", 1), file, "has no TLS")
	if err := Work(t.Context(), WorkOptions{Server: server, Credentials: c, Authority: filepath.Join(t.TempDir(), "none"), Build: testBuild()}); err == nil || !strings.Contains(err.Error(), "none") {
		t.Error(err)
	}
}

// gated returns a game whose referee waits where it is told to.
func gated(wait func()) arena.Catalogue {
	return arena.Catalogue{arena.Enter(arena.Definition[idleRules, *idler]{
		Name: "idle", Doc: "Waits.", Source: "ours", Seats: func(*idleRules) int { return 2 }, FreshChance: true,
		Referee: func(*idleRules) (arena.Referee[*idler], error) { return gate(wait), nil },
	}, arena.Strategy[idleRules, *idler]{Name: "idler", Doc: "Waits.", Source: "ours", New: func(f *param.Fields, r *idleRules) arena.Maker[*idler] {
		c := &idler{}
		c.Declare(f, r)
		return func() (*idler, error) { return c.Player(r) }
	}})}
}

type gate func()

func (g gate) Play(fx *arena.Fixture, _ []*idler, out *arena.Outcome) error {
	if g != nil && fx.Phase == arena.Tune {
		g()
	}
	out.Transcript.Add(uint64(fx.Block))
	out.Win(0)
	return nil
}

// idles returns a series of that game, of one game a block.
func idles(t *testing.T, blocks int64) arena.Series {
	t.Helper()
	rules, err := gated(nil)[0].OpenRules(nil)
	if err != nil {
		t.Fatal(err)
	}
	e, err := rules.Entrant("idler")
	if err != nil {
		t.Fatal(err)
	}
	return arena.Series{Ruleset: rules, Seed: 7, Phase: arena.Tune, To: blocks, Entrants: []arena.Entrant{e, e}}
}

// A worker that is taken off the register loses its connection at once and hears why; what
// it was playing is played by another.
func TestRevoked(t *testing.T) {
	t.Parallel()
	b := newBench(t, 0, inHaste)
	holding, open := make(chan struct{}, 1), make(chan struct{})
	defer close(open)
	c := b.admit("one")
	ended := make(chan error, 1)
	go func() {
		ended <- Work(t.Context(), WorkOptions{Server: b.queue.Address(), Credentials: c, Build: testBuild(), Cores: 1, times: hasty, Catalogue: gated(func() {
			select {
			case holding <- struct{}{}:
			default:
			}
			<-open
		})})
	}()
	b.await("the first worker", working(1))
	played := make(chan struct{})
	go func() { defer close(played); same(t, b.pool, idles(t, 40)) }()
	<-holding
	second := b.admit("two")
	b.start(second, func(o *WorkOptions) { o.Catalogue, o.times = gated(nil), hasty })
	b.await("both", working(2))
	if err := b.register.Remove("one"); err != nil {
		t.Fatal(err)
	}
	b.reload()
	select {
	case <-played:
	case <-suite.Late(t):
		t.Fatal("what the worker was playing is not played by another")
	}
	b.await("its end", func(all []Worker, _ queueCounts) bool { return all[0].State == "gone" && all[1].State == "working" })
	open <- struct{}{}
	if err := <-ended; !errors.Is(err, ErrRefused) {
		t.Error(err)
	}
	if err := Work(t.Context(), WorkOptions{Server: b.queue.Address(), Credentials: c, Build: testBuild(), times: hasty}); !errors.Is(err, ErrRefused) {
		t.Error(err)
	}
}

// raw returns a connection that speaks NATS by hand.
func raw(t *testing.T, address string, c *Credentials) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(address, "nats://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	line, err := bufio.NewReader(conn).ReadString('\n')
	if err != nil || c == nil {
		return conn
	}
	var info struct{ Nonce string }
	if err := json.Unmarshal([]byte(strings.TrimPrefix(line, "INFO ")), &info); err != nil {
		t.Fatal(err)
	}
	pair, err := nkeys.FromSeed([]byte(c.Seed))
	if err != nil {
		t.Fatal(err)
	}
	key, _ := pair.PublicKey()
	sig, _ := pair.Sign([]byte(info.Nonce))
	fmt.Fprintf(conn, "CONNECT {\"nkey\":%q,\"sig\":%q,\"verbose\":false}\r\n", key, base64.RawURLEncoding.EncodeToString(sig))
	return conn
}

// Connections that say nothing, that have another's key, that speak nonsense, that send more
// than is taken, or that speak in another's name are cut or refused and counted; the study
// beside them is not disturbed.
func TestHostileConnections(t *testing.T) {
	t.Parallel()
	tick := make(chan struct{}, 1000) // for a game each
	var kept atomic.Int64
	b := newBench(t, 0, func(o *Options) {
		o.times = usualTimes // as the sound worker has
		o.times.login = hasty.login
		o.Keep = func(_ context.Context, _ *arena.Series, r *arena.Run) error { kept.Add(int64(r.Blocks)); return nil }
	})
	b.start(b.admit("sound"), func(o *WorkOptions) { o.Catalogue = gated(func() { <-tick }) })
	odd := b.admit("odd")
	stranger, err := RegisterOf(filepath.Join(t.TempDir(), "other")).Add("sound", false)
	if err != nil {
		t.Fatal(err)
	}
	b.await("the sound worker", working(1))
	played := make(chan struct{})
	go func() { defer close(played); same(t, b.pool, idles(t, 100)) }()
	counted := func(what string, f func(), number func(queueCounts) int64) {
		t.Helper()
		for range 8 { // games are played beside all that follows
			tick <- struct{}{}
		}
		_, before := b.queue.Workers()
		f()
		b.await(what, func(_ []Worker, c queueCounts) bool { return number(c) > number(before) })
	}
	connections := func(c queueCounts) int64 { return c.Connections }
	malformed := func(c queueCounts) int64 { return c.Malformed }
	counted("silence", func() { raw(t, b.queue.Address(), nil) }, connections)
	counted("another's key", func() { raw(t, b.queue.Address(), &stranger) }, connections)
	counted("nonsense", func() { fmt.Fprint(raw(t, b.queue.Address(), &odd), "GET / HTTP/1.1\r\n\r\n") }, connections)
	counted("a long line", func() { fmt.Fprint(raw(t, b.queue.Address(), &odd), "PUB "+strings.Repeat("a", 1<<16)) }, connections)
	counted("a large message", func() { fmt.Fprintf(raw(t, b.queue.Address(), &odd), "PUB %sodd %d\r\n", doneRoot, mostPayload+1) }, connections)
	counted("another's name", func() { fmt.Fprintf(raw(t, b.queue.Address(), &odd), "PUB %ssound 2\r\n{}\r\n", doneRoot) }, connections)
	counted("others' results", func() { fmt.Fprintf(raw(t, b.queue.Address(), &odd), "SUB %s> 1\r\n", doneRoot) }, connections)
	counted("others' jobs", func() { fmt.Fprintf(raw(t, b.queue.Address(), &odd), "SUB %s 1\r\n", jobsOf("sound", "x")) }, connections)
	counted("a job for another", func() { fmt.Fprintf(raw(t, b.queue.Address(), &odd), "PUB %s 2\r\n{}\r\n", jobsOf("sound", "x")) }, connections)
	send := func(text string) func() {
		return func() {
			fmt.Fprintf(raw(t, b.queue.Address(), &odd), "PUB %sodd %d\r\n%s\r\n", helloRoot, len(text), text)
		}
	}
	counted("an unsigned hello", send(`{"cores":1,"session":"x"}`), malformed)
	v, err := newVoice(odd)
	if err != nil {
		t.Fatal(err)
	}
	say := func(text string) func() {
		return func() {
			c := b.speak(odd)
			if err := errors.Join(c.PublishMsg(v.sign(helloRoot+v.name, "x", []byte(text))), c.Flush()); err != nil && !errors.Is(err, nats.ErrConnectionClosed) {
				t.Error(err)
			}
		}
	}
	counted("no hello", say("{"), malformed)
	counted("a hello of no cores", say(`{"cores":0,"session":"x"}`), malformed)
	counted("a hello of many cores", say(`{"cores":100000000,"session":"x"}`), malformed)
	counted("a long hello", say(`{"cores":1,"session":"`+strings.Repeat("a", 1<<20)+`"}`), malformed)
	counted("a hello of another session", say(`{"cores":1,"session":"y"}`), malformed)
	counted("a hello of another build", say(`{"cores":1,"session":"x"}`), func(c queueCounts) int64 { return c.Refused })
	<-played
	all, c := b.queue.Workers()
	if kept.Load() != 100 || len(all) != 2 || all[1].State != "working" || all[1].Games != 100 || c.Late+c.Redelivered+c.Different != 0 {
		t.Errorf("%d blocks were stored: %+v %+v", kept.Load(), all, c)
	}
}

// Who names a worker's key and cannot sign with it is not let in, and whose key is taken away or
// whose permissions change is cut off.
func TestDoor(t *testing.T) {
	t.Parallel()
	b := newBench(t, 0, nil)
	bob, eve := b.admit("bob"), b.admit("eve")
	pair := func(seed string) nkeys.KeyPair {
		k, err := nkeys.FromSeed([]byte(seed))
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	key, err := pair(bob.Seed).PublicKey()
	if err != nil {
		t.Fatal(err)
	}
	var heard []byte // what the server has asked to be signed
	for what, sign := range map[string]nats.SignatureHandler{
		"another's signature": pair(eve.Seed).Sign,
		"no signature":        func([]byte) ([]byte, error) { return nil, nil },
		"of another text":     func(nonce []byte) ([]byte, error) { return pair(bob.Seed).Sign(append(nonce, 'x')) },
		"of nothing":          func([]byte) ([]byte, error) { return pair(bob.Seed).Sign(nil) },
		"heard":               func(nonce []byte) ([]byte, error) { heard = nonce; return pair(bob.Seed).Sign(nonce) },
	} {
		conn, err := nats.Connect(b.queue.Address(), nats.Nkey(key, sign), nats.NoReconnect())
		if (err == nil) != (what == "heard") {
			t.Errorf("%s: %v", what, err)
		}
		if err == nil {
			conn.Close()
		}
	}
	for what, option := range map[string]nats.Option{
		"a signature of before": nats.Nkey(key, func([]byte) ([]byte, error) { return pair(bob.Seed).Sign(heard) }),
		"a name":                nats.UserInfo(key, bob.Seed), "a token": nats.Token(key), "nothing": nats.Name("x"),
	} {
		if conn, err := nats.Connect(b.queue.Address(), option, nats.NoReconnect()); err == nil {
			conn.Close()
			t.Errorf("%s: let in", what)
		}
	}
	stays, goes := b.speak(eve), b.speak(bob)
	if err := b.register.Remove("bob"); err != nil {
		t.Fatal(err)
	}
	b.reload()
	for !goes.IsClosed() {
		if time.Sleep(time.Millisecond); time.Now().After(suite.Deadline(t)) {
			t.Fatal("a worker whose key was taken away stays")
		}
	}
	if err := stays.Flush(); err != nil {
		t.Errorf("another: %v", err)
	}
}

// speak returns a connection of a worker that the test plays the part of.
func (b *bench) speak(c Credentials) *nats.Conn {
	b.t.Helper()
	pair, err := nkeys.FromSeed([]byte(c.Seed))
	if err != nil {
		b.t.Fatal(err)
	}
	key, _ := pair.PublicKey()
	address := b.address
	if address == "" {
		address = b.queue.Address()
	}
	options := []nats.Option{nats.CustomInboxPrefix(inboxRoot + c.Name), nats.Nkey(key, pair.Sign), nats.NoReconnect(),
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {})} // what is not allowed is printed otherwise
	conn, err := nats.Connect(address, options...)
	for end := suite.Deadline(b.t); err != nil && time.Now().Before(end); { // it is cut with others of this worker
		conn, err = nats.Connect(address, options...)
	}
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(conn.Close)
	return conn
}

// A client that reaches the workers' address cannot fill the disk with lines of the log.
func TestLogTakesNoFlood(t *testing.T) {
	var said bytes.Buffer
	log := calmed(slog.New(slog.NewTextHandler(&said, nil))).With("at", "x")
	began := time.Unix(1e9, 0)
	say := func(words string, after time.Duration) {
		log.Handler().Handle(t.Context(), slog.NewRecord(began.Add(after), slog.LevelWarn, words, 0))
	}
	for i := range 10_000 {
		say("refused", time.Duration(i)*time.Millisecond)
	}
	say("other", time.Second)
	if n := strings.Count(said.String(), "refused"); n != mostLines || !strings.Contains(said.String(), "msg=other at=x") {
		t.Errorf("%d lines:\n%s", n, &said)
	}
	said.Reset()
	say("refused", time.Minute)
	say("refused", time.Minute)
	if got := said.String(); strings.Count(got, "\n") != 2 || strings.Count(got, "left_out=9940") != 1 {
		t.Errorf("a minute later:\n%s", got)
	}
}

package serve

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"

	"sakusen/engines/plain"
	"sakusen/tuner/config"
	"sakusen/tuner/web"
	"sakusen/tuner/web/api"
)

// Endpoint is how the daemon can be reached: names, tokens, TLS, proxies.
type Endpoint struct {
	Tokens    api.Tokens     // requests must carry one of them; empty where none is needed
	Cert, Key string         // files of the TLS certificate; empty for none
	Proxied   bool           // a proxy in front of the daemon handles TLS
	Proxies   []netip.Prefix // whose forwarding headers are believed, where Proxied
	Base      string         // path of a proxy below which it is seen; empty for none
	Further   []string       // host names of the daemon beside its addresses
	Profile   string         // address of Go's profiles; empty for none
	Warnings  []string       // secret files that others may read
}

// NewEndpoint reads the settings for an address such as 127.0.0.1:7171, and refuses
// one that is open to others without a token and TLS. Its errors name the wrong setting and
// the expected value.
func NewEndpoint(settings *config.Config, address string) (*Endpoint, error) {
	f := &Endpoint{
		Cert: settings.Text("tls_cert"), Key: settings.Text("tls_key"),
		Proxied: settings.Switch("behind_proxy"), Base: settings.Text("base_path"), Profile: settings.Text("pprof_listen"),
	}
	if f.Profile != "" {
		if host, _, err := net.SplitHostPort(f.Profile); err != nil || !loopback(host) {
			return nil, fmt.Errorf("pprof_listen: expected an address on the loopback interface such as 127.0.0.1:6060, got %q", f.Profile)
		}
	}
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("listen: expected an address such as 127.0.0.1:7171, got %q", address)
	}
	if (f.Cert == "") != (f.Key == "") {
		return nil, errors.New("tls_cert, tls_key: expected both or neither")
	}
	for text := range strings.SplitSeq(settings.Text("proxies"), ",") {
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		network, err := netip.ParsePrefix(text)
		if a, bad := netip.ParseAddr(text); err != nil && bad == nil {
			network, err = netip.PrefixFrom(a, a.BitLen()), nil
		}
		if err != nil {
			return nil, fmt.Errorf("proxies: expected addresses or networks such as 10.0.0.5, 172.16.0.0/12, got %q", text)
		}
		f.Proxies = append(f.Proxies, network.Masked())
	}
	for name := range strings.SplitSeq(settings.Text("hosts"), ",") {
		if name = strings.ToLower(strings.TrimSpace(name)); name != "" {
			f.Further = append(f.Further, name)
		}
	}
	tokenFile := settings.Text("token_file")
	if tokenFile != "" {
		if f.Tokens, err = api.ReadTokens(tokenFile); err != nil {
			return nil, fmt.Errorf("token_file: %w", err)
		}
	}
	f.Warnings = append(exposed("token_file", tokenFile), exposed("tls_key", f.Key)...)
	if len(f.Tokens) > 0 {
		f.Warnings = append(f.Warnings, exposed("database", settings.Text("database"))...)
	}
	if f.Proxied && len(f.Tokens) == 0 {
		return nil, errors.New("behind_proxy: expected a token (token_file), as anybody who reaches the proxy reaches the daemon")
	}
	if loopback(host) {
		return f, nil
	}
	if len(f.Tokens) == 0 {
		return nil, fmt.Errorf("listen: %s is open to others: expected a token (token_file)", address)
	}
	if f.Cert == "" && !f.Proxied {
		return nil, fmt.Errorf("listen: %s is open to others: expected TLS (tls_cert and tls_key), or behind_proxy if a proxy handles TLS", address)
	}
	return f, nil
}

// exposed returns a warning if users other than the owner may read a secret file of a
// setting. Windows has no such permissions.
func exposed(setting, file string) []string {
	info, err := os.Stat(file)
	if err != nil || runtime.GOOS == "windows" || info.Mode().Perm()&0o077 == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%s: %s can be read by others (mode %04o): chmod 600", setting, file, info.Mode().Perm())}
}

// Secure reports whether browsers reach the daemon over TLS.
func (f *Endpoint) Secure() bool { return f.Cert != "" || f.Proxied }

// Scheme returns that of the daemon's own address.
func (f *Endpoint) Scheme() string {
	if f.Cert != "" {
		return "https"
	}
	return "http"
}

// Hosts returns the names under which the daemon may be reached at an address.
func (f *Endpoint) Hosts(address net.Addr) []string {
	return append(namesOf(address), f.Further...)
}

// loopback reports whether only this machine reaches an address.
func loopback(host string) bool {
	if host == "localhost" {
		return true
	}
	ip := net.ParseIP(host) // an IPv4 address written as IPv6 counts as IPv4
	return ip != nil && ip.IsLoopback()
}

// namesOf returns the names under which a listener is reached without any setting:
// those of the loopback interface, and its own address where it has one.
func namesOf(address net.Addr) []string {
	names := []string{"localhost", "127.0.0.1", "::1"}
	host, _, err := net.SplitHostPort(address.String())
	if ip := net.ParseIP(host); err == nil && ip != nil && !ip.IsUnspecified() && host != "127.0.0.1" && host != "::1" {
		names = append(names, host)
	}
	return names
}

// Reachable returns where commands on this machine reach a listener, HOST:PORT: one
// that listens everywhere, on the loopback interface. asked is the address as
// the settings have it, which tells an IPv6 one by its bracket.
func Reachable(asked string, address net.Addr) string {
	host, port, err := net.SplitHostPort(address.String())
	if ip := net.ParseIP(host); err != nil || ip == nil || !ip.IsUnspecified() {
		return address.String()
	}
	if strings.HasPrefix(asked, "[") {
		return net.JoinHostPort("::1", port)
	}
	return net.JoinHostPort("127.0.0.1", port)
}

// certificate is the daemon's TLS certificate, which can be replaced while it
// serves.
type certificate struct {
	now atomic.Pointer[tls.Certificate]
}

// loadCertificate reads the certificate of an endpoint; without TLS there is none.
func loadCertificate(f *Endpoint) (*certificate, error) {
	c := new(certificate)
	return c, c.Load(f)
}

// Load reads the certificate and its key again. Where they cannot be read or do
// not belong together, the former ones stay.
func (c *certificate) Load(f *Endpoint) error {
	if f.Cert == "" {
		return nil
	}
	cert, err := plain.ReadFile(f.Cert, plain.MostText)
	if err != nil {
		return fmt.Errorf("tls_cert: %w", err)
	}
	key, err := plain.ReadFile(f.Key, plain.MostText)
	if err != nil {
		return fmt.Errorf("tls_key: %w", err)
	}
	pair, err := tls.X509KeyPair(cert, key)
	if err != nil {
		return fmt.Errorf("tls_cert, tls_key: %w", err)
	}
	c.now.Store(&pair)
	return nil
}

// Config returns that of a server which shows the certificate of the moment.
func (c *certificate) Config() *tls.Config {
	return &tls.Config{
		MinVersion:     tls.VersionTLS12,
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return c.now.Load(), nil },
	}
}

const (
	// mostConnections bounds the open connections of the API. Each is an open file, and
	// without a bound any client could leave none for the database.
	mostConnections = 2000
	// mostOfClient bounds those of one client: its streams of events and as many others.
	mostOfClient = 2 * web.MostStreams
	// kept are connections beyond these bounds, for clients that show a token or ask whether the
	// server is alive. Half of them are for any token, a quarter for those that may submit, and
	// a quarter for those that may administer.
	kept = 20
)

// sendBuffer bounds what the system keeps of answers that a client does not read, in
// bytes: left to itself it takes megabytes for each, and one that reads nothing is
// noticed after minutes.
const sendBuffer = 128 << 10

// Connections is a listener that bounds the number of open connections, in all and of one
// client. If there are too many, a connection that waits for a request or has shown no token is
// closed for the new one, of the client that has most. Those that have never shown a token come
// first, and of these the one that has waited longest. So connections that do nothing, or that
// send slowly, do not keep others out. Some more than the bounds are let in to show a token.
type Connections struct {
	net.Listener
	most, each int

	mu  sync.Mutex
	all map[*connection]bool
	of  map[string]int // by client
	// busyOf are those that bring a request which has shown a token, by client; "" is all.
	busyOf map[string]int
}

// connection is an open connection.
type connection struct {
	net.Conn
	conns  *Connections
	client string
	waits  bool      // for a request
	since  time.Time // it was opened or began to wait
	role   api.Role  // that the request which it brings has shown
	shown  bool      // a token, ever

	once sync.Once
}

// Context returns a server's ConnContext.
func (g *Connections) Context(ctx context.Context, c net.Conn) context.Context {
	if t, ok := c.(*tls.Conn); ok {
		c = t.NetConn()
	}
	if one, ok := c.(*connection); ok {
		return web.WithPlace(ctx, one)
	}
	return ctx
}

// Shown implements web.Place.
func (c *connection) Shown(role api.Role) bool {
	g := c.conns
	g.mu.Lock()
	defer g.mu.Unlock()
	g.busy(c, role)
	c.shown = c.shown || role > api.NoRole
	beyond := max(g.busyOf[c.client]-g.each, g.busyOf[""]-g.most)
	most := kept
	switch role {
	case api.NoRole:
		most = -1
	case api.Read:
		most = kept / 2
	case api.Submit:
		most = kept * 3 / 4
	}
	if beyond > most {
		g.busy(c, api.NoRole) // it makes room while it is refused
	}
	return beyond <= most
}

// busy notes the role that the request which a connection brings has shown. The caller holds mu.
func (g *Connections) busy(c *connection, role api.Role) {
	n := 0
	if c.role > api.NoRole {
		n--
	}
	if role > api.NoRole && g.all[c] {
		n++
	}
	c.role = role
	g.busyOf[""] += n
	if g.busyOf[c.client] += n; g.busyOf[c.client] == 0 {
		delete(g.busyOf, c.client)
	}
}

// leaves reports whether the connection makes room for others, and after whom.
func (c *connection) leaves() (yes bool, rank int) {
	if c.shown {
		rank = 1
	}
	return c.waits || c.role == api.NoRole, rank
}

// Limit bounds the connections of a listener. Behind a proxy all connections are of
// one client, the proxy, which only the bound in all holds for.
func Limit(l net.Listener, proxied bool) *Connections {
	if proxied {
		return limit(l, mostConnections, mostConnections)
	}
	return limit(l, mostConnections, mostOfClient)
}

// limit does what Limit does, with any numbers.
func limit(l net.Listener, most, each int) *Connections {
	return &Connections{Listener: l, most: most, each: each, all: map[*connection]bool{}, of: map[string]int{}, busyOf: map[string]int{}}
}

// Accept implements net.Listener.
func (g *Connections) Accept() (net.Conn, error) {
	for {
		c, err := g.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if t, ok := c.(interface{ SetWriteBuffer(bytes int) error }); ok {
			t.SetWriteBuffer(sendBuffer) // a system that refuses the bound still serves
		}
		one := &connection{Conn: c, conns: g, client: clientAt(c.RemoteAddr()), waits: true, since: time.Now()}
		if g.admit(one) {
			return one, nil
		}
		c.Close()
	}
}

// admit makes room for a connection, and tells whether there is any.
func (g *Connections) admit(one *connection) bool {
	g.mu.Lock()
	crowd := ""
	if g.of[one.client] >= g.each+kept {
		crowd = one.client
	} else if len(g.all) >= g.most+kept {
		crowd = g.largest()
	}
	var leaves *connection
	if crowd != "" {
		if leaves = g.first(crowd); leaves == nil {
			g.mu.Unlock()
			return false
		}
		g.forget(leaves)
	}
	g.all[one] = true
	g.of[one.client]++
	g.mu.Unlock()
	if leaves != nil {
		leaves.Conn.Close()
	}
	return true
}

// largest returns the client with the most connections that make room.
func (g *Connections) largest() string {
	leaving, most := map[string]int{}, ""
	for one := range g.all {
		if yes, _ := one.leaves(); yes {
			leaving[one.client]++
			if n, best := leaving[one.client], leaving[most]; n > best || n == best && one.client < most {
				most = one.client
			}
		}
	}
	return most
}

// first returns the connection of a client that makes room first, nil where none does.
func (g *Connections) first(client string) (first *connection) {
	best := 0
	for one := range g.all {
		yes, rank := one.leaves()
		if yes && one.client == client && (first == nil || rank < best || rank == best && one.since.Before(first.since)) {
			first, best = one, rank
		}
	}
	return first
}

// forget counts a connection no more.
func (g *Connections) forget(one *connection) {
	if !g.all[one] {
		return
	}
	g.busy(one, api.NoRole)
	delete(g.all, one)
	if g.of[one.client]--; g.of[one.client] == 0 {
		delete(g.of, one.client)
	}
}

// State counts connections, as a server's ConnState.
func (g *Connections) State(c net.Conn, state http.ConnState) {
	if t, ok := c.(*tls.Conn); ok {
		c = t.NetConn()
	}
	one, ok := c.(*connection)
	if !ok {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	one.waits = state == http.StateNew || state == http.StateIdle
	g.busy(one, api.NoRole)
	if state == http.StateIdle {
		one.since = time.Now()
	}
}

// Close implements net.Conn.
func (c *connection) Close() error {
	c.once.Do(func() {
		c.conns.mu.Lock()
		defer c.conns.mu.Unlock()
		c.conns.forget(c)
	})
	return c.Conn.Close()
}

// clientAt returns whose connection it is.
func clientAt(a net.Addr) string {
	at, err := netip.ParseAddrPort(a.String())
	if err != nil {
		return a.String()
	}
	return web.ClientOf(at.Addr())
}

// The service manager is systemd, or another that speaks its protocol (sd_notify(3)). It
// passes its socket and the interval of its watchdog in the environment of this process.
// They are read from the real environment here, and not from the one that tests put in its
// place, which only holds settings.

// ready informs the service manager that the daemon serves.
func ready() { tell(daemon.SdNotifyReady) }

// stopping informs it that the daemon is about to end.
func stopping() { tell(daemon.SdNotifyStopping) }

// reloadingNow informs the service manager that the settings are being read again, and when
// that began: with Type=notify-reload it waits for a Ready later than its own signal.
func reloadingNow() { tell(daemon.SdNotifyReloading + "\n" + daemon.SdNotifyMonotonicUsec()) }

// tell sends a state to the service manager, if there is one. One that does not listen is
// ignored.
func tell(state string) { _, _ = daemon.SdNotify(false, state) }

// watchdog informs the service manager that the daemon is alive, twice in each of its
// WatchdogSec, until the context is done; at once where it does not ask. alive
// returns as soon as the daemon answers: one that hangs there is killed and
// started again.
func watchdog(ctx context.Context, alive func()) {
	patience, err := daemon.SdWatchdogEnabled(false)
	if err != nil || patience == 0 {
		return // a variable that cannot be read is ignored
	}
	for {
		alive()
		tell(daemon.SdNotifyWatchdog)
		select {
		case <-ctx.Done():
			return
		case <-time.After(patience / 2):
		}
	}
}

// follow reads the settings again at every signal, until the context is done,
// and tells the service manager. again changes nothing where the settings have
// mistakes, and returns those.
func follow(ctx context.Context, hangup <-chan os.Signal, log *slog.Logger, again func() error) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-hangup:
		}
		reloadingNow()
		if err := again(); err != nil {
			log.Error("the settings have mistakes and stay as they were", "error", err)
		} else {
			log.Info("the settings were read again")
		}
		ready()
	}
}

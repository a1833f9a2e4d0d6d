package listen

import (
	"crypto/tls"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"time"
)

const (
	// mostConnections bounds the open connections of the API. Each is an open file, and
	// without a bound whoever reaches the server could leave none for the database.
	mostConnections = 2000
	// mostOfClient bounds those of one client: its streams of events and as many others.
	mostOfClient = 200
)

// sendBuffer bounds what the system keeps of answers that a client does not read, in
// bytes: left to itself it takes megabytes for each, and one that reads nothing is
// noticed after minutes.
const sendBuffer = 128 << 10

// Guests is a listener that bounds the connections that are open at a time, in all
// and of one client. Where there are too many, one that waits for a request makes
// room for the new one: the one that has waited longest, of the client that has most.
// So connections that do nothing keep nobody out. Where none waits, the new one is
// closed.
type Guests struct {
	net.Listener
	most, each int

	mu  sync.Mutex
	all map[*guest]bool
	of  map[string]int // by client
}

// guest is an open connection.
type guest struct {
	net.Conn
	guests *Guests
	client string
	waits  bool      // for a request
	since  time.Time // it waits

	once sync.Once
}

// Limit bounds the connections of a listener. Behind a proxy all connections are of
// one client, the proxy, which only the bound in all holds for.
func Limit(l net.Listener, proxied bool) *Guests {
	if proxied {
		return limit(l, mostConnections, mostConnections)
	}
	return limit(l, mostConnections, mostOfClient)
}

// limit is Limit to any numbers.
func limit(l net.Listener, most, each int) *Guests {
	return &Guests{Listener: l, most: most, each: each, all: map[*guest]bool{}, of: map[string]int{}}
}

// Accept implements net.Listener.
func (g *Guests) Accept() (net.Conn, error) {
	for {
		c, err := g.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if t, ok := c.(interface{ SetWriteBuffer(bytes int) error }); ok {
			t.SetWriteBuffer(sendBuffer) // a system that refuses the bound still serves
		}
		one := &guest{Conn: c, guests: g, client: clientAt(c.RemoteAddr()), waits: true, since: time.Now()}
		if g.admit(one) {
			return one, nil
		}
		c.Close()
	}
}

// admit makes room for a connection, and tells whether there is any.
func (g *Guests) admit(one *guest) bool {
	g.mu.Lock()
	crowd := ""
	if g.of[one.client] >= g.each {
		crowd = one.client
	} else if len(g.all) >= g.most {
		crowd = g.largest()
	}
	var leaves *guest
	if crowd != "" {
		if leaves = g.longest(crowd); leaves == nil {
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

// largest is the client with the most waiting connections.
func (g *Guests) largest() string {
	waiting, most := map[string]int{}, ""
	for one := range g.all {
		if one.waits {
			waiting[one.client]++
			if n, best := waiting[one.client], waiting[most]; n > best || n == best && one.client < most {
				most = one.client
			}
		}
	}
	return most
}

// longest is the connection of a client that has waited longest, nil where none waits.
func (g *Guests) longest(client string) (longest *guest) {
	for one := range g.all {
		if one.waits && one.client == client && (longest == nil || one.since.Before(longest.since)) {
			longest = one
		}
	}
	return longest
}

// forget counts a connection no more.
func (g *Guests) forget(one *guest) {
	if !g.all[one] {
		return
	}
	delete(g.all, one)
	if g.of[one.client]--; g.of[one.client] == 0 {
		delete(g.of, one.client)
	}
}

// State is a server's ConnState.
func (g *Guests) State(c net.Conn, state http.ConnState) {
	if t, ok := c.(*tls.Conn); ok {
		c = t.NetConn()
	}
	one, ok := c.(*guest)
	if !ok {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	one.waits = state == http.StateNew || state == http.StateIdle
	if state == http.StateIdle {
		one.since = time.Now()
	}
}

// Close implements net.Conn.
func (c *guest) Close() error {
	c.once.Do(func() {
		c.guests.mu.Lock()
		defer c.guests.mu.Unlock()
		c.guests.forget(c)
	})
	return c.Conn.Close()
}

// clientAt is whose connection it is: all of this machine are one client, and so are
// all of a network of IPv6.
func clientAt(a net.Addr) string {
	at, err := netip.ParseAddrPort(a.String())
	if err != nil {
		return a.String()
	}
	ip := at.Addr().Unmap().WithZone("")
	if ip.IsLoopback() {
		return "loopback"
	}
	if network, err := ip.Prefix(64); err == nil && ip.Is6() {
		return network.String()
	}
	return ip.String()
}

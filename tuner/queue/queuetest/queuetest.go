// Package queuetest has what tests of workers share.
package queuetest

import (
	"net"
	"sync"
	"testing"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"
)

// Speaker is a connection with a worker's key that says what a worker's program never would.
type Speaker struct{ conn *nats.Conn }

// NewSpeaker connects as a worker to an address of NATS. The error is that it is not let in.
func NewSpeaker(address, name, seed string) (*Speaker, error) {
	pair, err := nkeys.FromSeed([]byte(seed))
	if err != nil {
		return nil, err
	}
	key, err := pair.PublicKey()
	if err != nil {
		return nil, err
	}
	conn, err := nats.Connect(address, nats.Nkey(key, pair.Sign), nats.NoReconnect(), nats.CustomInboxPrefix("_INBOX_SAKUSEN_"+name),
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}))
	if err != nil {
		return nil, err
	}
	return &Speaker{conn}, nil
}

// Say publishes a message that asks for its answer at reply, unless that is empty. What is not
// allowed is dropped by the server.
func (s *Speaker) Say(subject, reply string, data []byte) {
	s.conn.PublishRequest(subject, reply, data)
}

// Close sends what was said, and ends the connection.
func (s *Speaker) Close() {
	s.conn.Flush()
	s.conn.Close()
}

// Line is a TCP proxy that can stop forwarding in both directions while its connections stay.
type Line struct {
	Address string // HOST:PORT, on the loopback interface

	mu      sync.Mutex
	through chan struct{} // closed while it forwards
}

// NewLine returns a line to an address HOST:PORT that lasts as long as the test.
func NewLine(t testing.TB, to string) *Line {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	p := &Line{Address: l.Addr().String(), through: make(chan struct{})}
	close(p.through)
	go func() {
		for {
			near, err := l.Accept()
			if err != nil {
				return
			}
			far, err := net.Dial("tcp", to)
			if err != nil {
				near.Close()
				continue
			}
			go p.forward(near, far)
			go p.forward(far, near)
		}
	}()
	return p
}

// forward copies what comes, and ends both connections when one has ended.
func (p *Line) forward(from, to net.Conn) {
	defer from.Close()
	defer to.Close()
	buffer := make([]byte, 1<<16)
	for {
		n, err := from.Read(buffer)
		p.mu.Lock()
		through := p.through
		p.mu.Unlock()
		<-through
		if _, failed := to.Write(buffer[:n]); err != nil || failed != nil {
			return
		}
	}
}

// Cut stops it; mend has it go on.
func (p *Line) Cut() (mend func()) {
	through := make(chan struct{})
	p.mu.Lock()
	defer p.mu.Unlock()
	p.through = through
	return sync.OnceFunc(func() { close(through) })
}

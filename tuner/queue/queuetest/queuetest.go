// Package queuetest has what tests of workers share.
package queuetest

import (
	"net"
	"sync"
	"testing"
)

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

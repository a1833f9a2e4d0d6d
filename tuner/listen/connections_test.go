package listen

import (
	"errors"
	"net"
	"testing"
	"time"
)

// No more connections are taken than there are places; one that is closed, twice
// even, gives its place to the next.
func TestLimit(t *testing.T) {
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c := limit(inner, 2)
	taken := make(chan net.Conn)
	ended := make(chan error, 1)
	go func() {
		for {
			conn, err := c.Accept()
			if err != nil {
				ended <- err
				return
			}
			taken <- conn
		}
	}()
	for range 3 {
		conn, err := net.Dial("tcp", inner.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
	}
	first, second := <-taken, <-taken
	select {
	case <-taken:
		t.Error("a third connection was taken")
	case <-time.After(50 * time.Millisecond):
	}
	first.Close()
	first.Close()
	third := <-taken
	fourth, err := net.Dial("tcp", inner.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer fourth.Close()
	select {
	case <-taken:
		t.Error("a connection that was closed twice gave two places")
	case <-time.After(50 * time.Millisecond):
	}
	c.Close()
	if err := <-ended; !errors.Is(err, net.ErrClosed) {
		t.Errorf("after the end: %v", err)
	}
	second.Close()
	third.Close()
}

// bounded notes how much of unread answers may be kept.
type bounded struct {
	net.Conn
	bytes *int
}

func (b bounded) SetWriteBuffer(bytes int) error { *b.bytes = bytes; return nil }

// offering is a listener of one connection.
type offering struct {
	net.Listener
	conn net.Conn
}

func (o offering) Accept() (net.Conn, error) { return o.conn, nil }

// What the system keeps of unread answers is bounded on every connection.
func TestLimitBuffer(t *testing.T) {
	bytes := 0
	if _, err := limit(offering{conn: bounded{bytes: &bytes}}, 1).Accept(); err != nil || bytes != sendBuffer {
		t.Errorf("%v, a buffer of %d bytes, want %d", err, bytes, sendBuffer)
	}
}

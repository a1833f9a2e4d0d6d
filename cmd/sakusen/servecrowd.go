package main

import (
	"net"
	"sync"
)

// mostConnections bounds the open connections of the API: a thousand streams of
// events and as many others. Each is an open file, and without a bound whoever
// reaches the server could leave none for the database.
const mostConnections = 2000

// crowd is a listener that takes no more than so many connections at a time; the
// system keeps others waiting.
type crowd struct {
	net.Listener
	places chan struct{}
	closed chan struct{}
	once   sync.Once
}

func newCrowd(l net.Listener, most int) *crowd {
	return &crowd{Listener: l, places: make(chan struct{}, most), closed: make(chan struct{})}
}

// Accept implements net.Listener.
func (c *crowd) Accept() (net.Conn, error) {
	select {
	case c.places <- struct{}{}:
	case <-c.closed:
		return nil, net.ErrClosed
	}
	conn, err := c.Listener.Accept()
	if err != nil {
		<-c.places
		return nil, err
	}
	return &crowded{Conn: conn, leave: sync.OnceFunc(func() { <-c.places })}, nil
}

// Close implements net.Listener.
func (c *crowd) Close() error {
	c.once.Do(func() { close(c.closed) })
	return c.Listener.Close()
}

// crowded is a connection that holds a place until it is closed.
type crowded struct {
	net.Conn
	leave func()
}

// Close implements net.Conn.
func (c *crowded) Close() error {
	defer c.leave()
	return c.Conn.Close()
}

// SetWriteBuffer bounds what the system keeps of unread answers, in bytes.
func (c *crowded) SetWriteBuffer(bytes int) error {
	if t, ok := c.Conn.(*net.TCPConn); ok {
		return t.SetWriteBuffer(bytes)
	}
	return nil
}

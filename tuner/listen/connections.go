package listen

import (
	"net"

	"golang.org/x/net/netutil"
)

// mostConnections bounds the open connections of the API: a thousand streams of
// events and as many others. Each is an open file, and without a bound whoever
// reaches the server could leave none for the database.
const mostConnections = 2000

// sendBuffer bounds what the system keeps of answers that a client does not read,
// in bytes: left to itself it takes megabytes for each, and one that reads nothing
// is noticed after minutes.
const sendBuffer = 128 << 10

// Limit bounds the connections of a listener, and what the system keeps of
// unread answers on each. Those above the bound wait in the system's queue until
// one is closed.
func Limit(l net.Listener) net.Listener { return limit(l, mostConnections) }

// limit is Limit to any number. The buffers are bounded below netutil's
// listener, whose connections hide those that they hold.
func limit(l net.Listener, most int) net.Listener {
	return netutil.LimitListener(buffered{l}, most)
}

// buffered is a listener whose connections have bounded buffers.
type buffered struct{ net.Listener }

// Accept implements net.Listener.
func (b buffered) Accept() (net.Conn, error) {
	c, err := b.Listener.Accept()
	if t, ok := c.(interface{ SetWriteBuffer(bytes int) error }); ok && err == nil {
		t.SetWriteBuffer(sendBuffer) // a system that refuses the bound still serves
	}
	return c, err
}

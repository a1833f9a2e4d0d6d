package listen

import (
	"net"

	"golang.org/x/net/netutil"
)

// mostConnections bounds the open connections of the API: a thousand event streams and as
// many others. Each is an open file; without a bound, clients could use up all files that
// the process may open, and the database could not be opened.
const mostConnections = 2000

// sendBuffer bounds, in bytes, what the operating system buffers for a client that does not
// read. The system's own choice is megabytes each, and then a client that reads nothing is
// noticed only after minutes.
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
		t.SetWriteBuffer(sendBuffer) // if the system refuses the bound, the server still works
	}
	return c, err
}

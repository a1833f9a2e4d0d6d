package tubstapnet

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"time"
)

// Limits of a line, in bytes. A map of 64 x 64 cells takes about 10 000.
const (
	maxCommand = 1 << 18
	maxReply   = 1 << 12
)

// errTooLong is a line beyond the limit.
var errTooLong = errors.New("line too long")

// wire is a connection read by lines, with a limit on their length and on
// the time they may take.
type wire struct {
	conn net.Conn
	in   *bufio.Reader
}

func newWire(c net.Conn) *wire { return &wire{conn: c, in: bufio.NewReaderSize(c, 4096)} }

// line reads a line without its end (LF or CR LF), which must come before
// the deadline; the zero time waits for ever.
func (w *wire) line(limit int, deadline time.Time) (string, error) {
	if err := w.conn.SetReadDeadline(deadline); err != nil {
		return "", err
	}
	var b []byte
	for {
		part, err := w.in.ReadSlice('\n')
		b = append(b, part...)
		if len(b) > limit {
			return "", fmt.Errorf("%w: more than %d bytes", errTooLong, limit)
		}
		if err == nil {
			return strings.TrimRight(string(b), "\r\n"), nil
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return "", err
		}
	}
}

// filled reads the next line that is not empty, passing over few empty ones.
func (w *wire) filled(limit int, deadline time.Time) (string, error) {
	for range 16 {
		l, err := w.line(limit, deadline)
		if err != nil || l != "" {
			return l, err
		}
	}
	return "", errors.New("nothing but empty lines")
}

// send writes a text as it is.
func (w *wire) send(text string, timeout time.Duration) error {
	if err := w.conn.SetWriteDeadline(time.Now().Add(timeout)); err != nil {
		return err
	}
	_, err := w.conn.Write([]byte(text))
	return err
}

// ask sends a command and reads the answer: "= text" and an empty line. The empty line is
// skipped when the next answer is read.
func (w *wire) ask(command string, timeout time.Duration) (string, error) {
	if err := w.send(command+"\r\n", timeout); err != nil {
		return "", err
	}
	l, err := w.filled(maxReply, time.Now().Add(timeout))
	if err != nil {
		return "", err
	}
	text, ok := strings.CutPrefix(l, "=")
	if !ok {
		return "", fmt.Errorf("answer %q: want = and a text", shorten(l))
	}
	return strings.TrimSpace(text), nil
}

// dismiss says why in a last line and closes the connection. What the peer has sent
// meanwhile is read first, up to a bound: with it unread the line might never arrive.
func (w *wire) dismiss(why error) {
	if w.conn.SetReadDeadline(time.Now().Add(time.Second/10)) == nil {
		_, _ = io.CopyN(io.Discard, w.in, maxCommand)
	}
	_ = w.send("? "+strings.ReplaceAll(why.Error(), "\n", " ")+"\r\n\r\n", time.Second)
	w.conn.Close()
}

// shorten keeps what a peer says short in our messages.
func shorten(s string) string {
	if len(s) > 80 {
		return strings.ToValidUTF8(s[:80], "") + "..."
	}
	return s
}

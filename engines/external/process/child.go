package process

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// MaxLine is the length of the longest line that is read, bytes.
const MaxLine = 1 << 20

// markedBy is the variable of the environment by which descendants of children are known.
const markedBy = "SAKUSEN_KEPT_BY"

// keptErrors is how many bytes of the end of a child's error output are kept.
const keptErrors = 8 << 10

// patience is how long a killed process is waited for.
const patience = 5 * time.Second

// What may go wrong with a child that was started.
var (
	ErrTimeout = errors.New("no line in time")
	errGone    = errors.New("the program has ended")
	ErrTooLong = fmt.Errorf("a line of more than %d bytes", MaxLine)
)

// Child is a running program. It is used by one goroutine at a time, but for Close,
// which may be called by any and more than once.
type Child struct {
	keeper      *Keeper
	mark        string // in the environment of all that it starts
	cmd         *exec.Cmd
	in, out     *os.File
	errors      *os.File
	buffer      []byte // read and not yet returned
	searched    int    // of buffer, without a line's end
	half        bool   // the last line ended with CR or NUL: LF may follow
	begun       bool   // a line was returned
	chunk       []byte
	gone        chan struct{} // closed when it is reaped
	ended       string        // how, once gone is closed
	memory      int64         // that it may hold, bytes, 0 for no limit
	bounded     bool          // it is not trusted: what it has started counts with it
	heavy       atomic.Int64  // what it held when it was killed for that
	closing     sync.Once
	mu          sync.Mutex
	errorOutput []byte
	drained     chan struct{}
}

// newChild makes the pipes of a child. theirs are the child's ends, which are closed here
// once it runs.
func newChild(k *Keeper, cmd *exec.Cmd) (c *Child, theirs []*os.File, err error) {
	c = &Child{keeper: k, cmd: cmd, gone: make(chan struct{}), drained: make(chan struct{}), chunk: make([]byte, 16<<10)}
	pipe := func() (r, w *os.File) {
		if err == nil {
			r, w, err = os.Pipe()
		}
		return r, w
	}
	stdin, in := pipe()
	out, stdout := pipe()
	errs, stderr := pipe()
	c.in, c.out, c.errors = in, out, errs
	theirs = []*os.File{stdin, stdout, stderr}
	if err != nil {
		c.closePipes()
		for _, f := range theirs {
			f.Close()
		}
		return nil, nil, err
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = stdin, stdout, stderr
	return c, theirs, nil
}

// watch reads the error output and waits for the end.
func (c *Child) watch() {
	go func() {
		defer close(c.drained)
		chunk := make([]byte, 4<<10)
		for {
			n, err := c.errors.Read(chunk)
			c.mu.Lock()
			c.errorOutput = append(c.errorOutput, chunk[:n]...)
			if extra := len(c.errorOutput) - keptErrors; extra > 0 {
				c.errorOutput = append(c.errorOutput[:0], c.errorOutput[extra:]...)
			}
			c.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	go func() {
		awaitExit(c.cmd) // on Linux not yet reaped: the group's number is still its own
		killTree(c.cmd.Process.Pid)
		c.keeper.forget(c)
		c.cmd.Wait()
		c.ended = c.cmd.ProcessState.String()
		if held := c.heavy.Load(); held > 0 {
			c.ended = fmt.Sprintf("it used %d MB of memory, and may use %d", held>>20, c.memory>>20)
		}
		close(c.gone)
	}()
}

// weighing is how often a child's memory is looked at.
const weighing = 100 * time.Millisecond

// weigh kills a child that holds more memory than it may.
func (c *Child) weigh() {
	tick := time.NewTicker(weighing)
	defer tick.Stop()
	for {
		select {
		case <-c.gone:
			return
		case <-tick.C:
		}
		held := int64(0)
		if c.bounded {
			held = treeResident(c.cmd.Process.Pid)
		} else {
			held = resident(c.cmd.Process.Pid)
		}
		if held > c.memory {
			c.heavy.Store(held)
			killTree(c.cmd.Process.Pid)
			return
		}
	}
}

// Write sends a line. A child that does not read is ErrTimeout.
func (c *Child) Write(line string, deadline time.Time) error {
	c.in.SetWriteDeadline(deadline)
	if _, err := c.in.WriteString(line + "\n"); err != nil {
		return c.failed(err)
	}
	return nil
}

// Read returns the next line, without its end. Output that a child wrote before it ended is
// still read.
func (c *Child) Read(deadline time.Time) (string, error) {
	c.out.SetReadDeadline(deadline)
	for {
		if line, ok := c.line(); ok {
			if len(line) > MaxLine {
				return "", ErrTooLong
			}
			return line, nil
		}
		if len(c.buffer) > MaxLine {
			return "", ErrTooLong
		}
		n, err := c.out.Read(c.chunk)
		c.buffer = append(c.buffer, c.chunk[:n]...)
		if err != nil && n == 0 {
			return "", c.failed(err)
		}
	}
}

// Arrived returns the next line that the child has written already, false where there is none or
// the system does not tell.
func (c *Child) Arrived() (string, bool) {
	c.out.SetReadDeadline(time.Time{})
	for {
		line, ok := c.line()
		if ok || len(c.buffer) > MaxLine {
			return line, ok
		}
		n := arrived(c.out, c.chunk)
		if n <= 0 {
			return "", false
		}
		c.buffer = append(c.buffer, c.chunk[:n]...)
	}
}

// lineEnds end a line, also CR LF and NUL LF together: some programs print a string with the NUL
// that ends it in C.
const lineEnds = "\n\r\x00"

// line takes the first whole line from what was read. NULs before a line and a byte order mark
// before the first are left out.
func (c *Child) line() (string, bool) {
	from := 0
	for ; c.searched == 0 && from < len(c.buffer); from++ {
		if b := c.buffer[from]; b != 0 && (b != '\n' || !c.half) {
			break
		} else if b == '\n' {
			c.half = false
		}
	}
	if from > 0 {
		c.buffer = append(c.buffer[:0], c.buffer[from:]...)
	}
	i := bytes.IndexAny(c.buffer[c.searched:], lineEnds)
	if i < 0 {
		c.searched = len(c.buffer)
		return "", false
	}
	i += c.searched
	line := string(c.buffer[:i])
	if c.half = c.buffer[i] != '\n'; !c.begun {
		c.begun, line = true, strings.TrimPrefix(line, "\ufeff")
	}
	c.buffer, c.searched = append(c.buffer[:0], c.buffer[i+1:]...), 0
	return line, true
}

// failed turns an error of a pipe into one of this package.
func (c *Child) failed(err error) error {
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return ErrTimeout
	}
	if !errors.Is(err, io.EOF) && !errors.Is(err, os.ErrClosed) && !brokenPipe(err) {
		return err
	}
	return errGone
}

// Ended returns how a child that has ended did so, such as "exit status 1" or
// "signal: killed"; it waits a moment for it. Empty while the child runs.
func (c *Child) Ended() string {
	select {
	case <-c.gone:
		return c.ended
	case <-time.After(time.Second):
		return ""
	}
}

// Errors returns the end of what the child wrote to its error output.
func (c *Child) Errors() string {
	select {
	case <-c.gone:
		select { // its last words may be under way
		case <-c.drained:
		case <-time.After(time.Second):
		}
	default:
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return string(c.errorOutput)
}

// pid returns the process's number, which is also that of its group.
func (c *Child) pid() int { return c.cmd.Process.Pid }

// Close kills the child with all that it has started and waits until it is gone.
func (c *Child) Close() {
	c.closing.Do(func() {
		select {
		case <-c.gone:
		default:
			killTree(c.cmd.Process.Pid)
			select {
			case <-c.gone:
			case <-time.After(patience):
			}
		}
		c.closePipes()
	})
}

func (c *Child) closePipes() {
	for _, f := range []*os.File{c.in, c.out, c.errors} {
		if f != nil {
			f.Close()
		}
	}
}

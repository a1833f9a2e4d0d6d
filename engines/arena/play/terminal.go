package play

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"sakusen/engines/arena/desk"
	"sakusen/engines/lines"
)

// terminal is the desk of somebody at a terminal: it shows text, asks for lines and keeps them.
type terminal struct {
	out    io.Writer
	failed error // of the first write that failed
	lines  []string
	next   <-chan typed
	stop   chan struct{}
	echo   bool // typed lines are not seen, as they come from a file
}

// typed is a line from the person, or the end of them.
type typed struct {
	line string
	err  error
}

// newTerminal reads lines as they are asked for. The reader waits in a goroutine of
// its own: an interrupted program must not wait for its input.
func newTerminal(in io.Reader, out io.Writer) *terminal {
	next, stop := make(chan typed), make(chan struct{})
	go func() {
		b := bufio.NewReaderSize(in, 4096)
		for {
			line, long, err := lines.Read(b)
			t := typed{strings.TrimSpace(string(line)), err}
			if long {
				t.line = "(a line too long)"
			}
			select {
			case next <- t:
			case <-stop:
				return
			}
			if err != nil {
				return
			}
		}
	}()
	return &terminal{out: out, next: next, stop: stop}
}

// replayTerminal types the lines of a record.
func replayTerminal(lines []string, out io.Writer) *terminal {
	next := make(chan typed, len(lines)+1)
	for _, l := range lines {
		next <- typed{l, nil}
	}
	next <- typed{"", io.EOF}
	return &terminal{out: out, next: next, stop: make(chan struct{}), echo: true}
}

// Show implements desk.Desk.
func (d *terminal) Show(format string, args ...any) {
	if d.failed == nil {
		_, d.failed = fmt.Fprintf(d.out, format, args...)
	}
}

// Ask asks for a line that is not empty. At the end of the input the person has left the
// game; after an interruption the error has the exit code.
func (d *terminal) Ask(ctx context.Context, prompt string) (string, error) {
	for {
		d.Show("%s> ", prompt)
		if d.failed != nil {
			return "", d.Err()
		}
		select {
		case <-ctx.Done():
			d.Show("\n")
			return "", desk.ErrInterrupted
		case t := <-d.next:
			if errors.Is(t.err, io.EOF) {
				d.Show("\n")
				return "", desk.ErrLeft
			}
			if t.err != nil {
				return "", fmt.Errorf("standard input: %w", t.err)
			}
			if d.echo {
				d.Show("%s\n", t.line)
			}
			if t.line == "" {
				continue
			}
			d.lines = append(d.lines, t.line)
			if t.line == "quit" {
				return "", desk.ErrLeft
			}
			return t.line, nil
		}
	}
}

// Err implements desk.Desk.
func (d *terminal) Err() error {
	if d.failed == nil {
		return nil
	}
	return fmt.Errorf("standard output: %w", d.failed)
}

// leave lets the reader go.
func (d *terminal) leave() { close(d.stop) }

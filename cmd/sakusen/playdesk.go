package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
)

// desk is where a person sits: it shows text, asks for lines and keeps them.
type desk struct {
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

// errLeft says that the person has left the game.
var errLeft = errors.New("the game is left")

// newDesk reads lines as they are asked for. The reader waits in a goroutine of
// its own: an interrupted program must not wait for its input.
func newDesk(in io.Reader, out io.Writer) *desk {
	next, stop := make(chan typed), make(chan struct{})
	go func() {
		b := bufio.NewReaderSize(in, 4096)
		for {
			line, long, err := readLine(b)
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
	return &desk{out: out, next: next, stop: stop}
}

// replayDesk types the lines of a record.
func replayDesk(lines []string, out io.Writer) *desk {
	next := make(chan typed, len(lines)+1)
	for _, l := range lines {
		next <- typed{l, nil}
	}
	next <- typed{"", io.EOF}
	return &desk{out: out, next: next, stop: make(chan struct{}), echo: true}
}

// show prints.
func (d *desk) show(format string, args ...any) {
	if d.failed == nil {
		_, d.failed = fmt.Fprintf(d.out, format, args...)
	}
}

// ask asks for a line that is not empty. At the end of the input the game is
// left; interrupted, the error carries the exit code.
func (d *desk) ask(ctx context.Context, prompt string) (string, error) {
	for {
		d.show("%s> ", prompt)
		if d.failed != nil {
			return "", fmt.Errorf("standard output: %w", d.failed)
		}
		select {
		case <-ctx.Done():
			d.show("\n")
			return "", &coded{exitInterrupted, errors.New("interrupted")}
		case t := <-d.next:
			if errors.Is(t.err, io.EOF) {
				d.show("\n")
				return "", errLeft
			}
			if t.err != nil {
				return "", fmt.Errorf("standard input: %w", t.err)
			}
			if d.echo {
				d.show("%s\n", t.line)
			}
			if t.line == "" {
				continue
			}
			d.lines = append(d.lines, t.line)
			if t.line == "quit" {
				return "", errLeft
			}
			return t.line, nil
		}
	}
}

// leave lets the reader go.
func (d *desk) leave() { close(d.stop) }

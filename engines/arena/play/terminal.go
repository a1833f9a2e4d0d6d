package play

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"sakusen/engines/arena/console"
	"sakusen/engines/lines"
)

// terminal is the console.Terminal of a person: it shows text, asks for lines and keeps them.
type terminal struct {
	out    io.Writer
	failed error // of the first write that failed
	lines  []string
	next   <-chan typed
	stop   chan struct{}
	echo   bool // typed lines are not seen, as they come from a file

	rules  string
	asides map[int]bool     // lines that are no part of the game
	queue  []string         // lines that are typed again, unseen
	held   *strings.Builder // what was shown since the last of them; nil once they are over
	ended  bool             // the input has ended, or the program is to end
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

// Show implements console.Terminal.
func (d *terminal) Show(format string, args ...any) {
	if d.held != nil {
		fmt.Fprintf(d.held, format, args...)
		return
	}
	if d.failed == nil {
		_, d.failed = io.WriteString(d.out, wrapped(fmt.Sprintf(format, args...)))
	}
}

// Aside implements console.Terminal.
func (d *terminal) Aside() {
	if d.asides == nil {
		d.asides = map[int]bool{}
	}
	d.asides[len(d.lines)-1] = true
}

// undo takes back the last line that is a part of the game. It tells whether there is
// one.
func (d *terminal) undo() bool {
	n := len(d.lines) - 1
	for ; n >= 0 && d.asides[n]; n-- {
	}
	if n < 0 {
		return false
	}
	d.begin(d.lines[:n])
	return true
}

// begin types lines again, unseen: only what is shown after the last of them is printed.
func (d *terminal) begin(lines []string) {
	d.queue, d.lines, d.asides, d.held = slices.Clone(lines), nil, nil, &strings.Builder{}
}

// flush prints what was held back.
func (d *terminal) flush() {
	if d.held != nil {
		text := d.held.String()
		d.held = nil
		d.Show("%s", text)
	}
}

// keys are what arrow and function keys send.
var keys = regexp.MustCompile("\x1b(\\[[0-9;?]*[ -/]*[@-~]|O.|.)?")

// Ask asks for a line that is not empty. At the end of the input the person has left the
// game; after an interruption the error has the exit code.
func (d *terminal) Ask(ctx context.Context, prompt string) (string, error) {
	if len(d.queue) > 0 {
		line := d.queue[0]
		d.queue = d.queue[1:]
		d.held.Reset()
		d.lines = append(d.lines, line)
		return line, nil
	}
	d.flush()
	for {
		d.Show("%s> ", prompt)
		if d.failed != nil {
			return "", d.Err()
		}
		select {
		case <-ctx.Done():
			d.Show("\n")
			d.ended = true
			return "", console.ErrInterrupted
		case t := <-d.next:
			if errors.Is(t.err, io.EOF) {
				d.Show("\n")
				d.ended = !d.echo
				return "", console.ErrLeft
			}
			if t.err != nil {
				return "", fmt.Errorf("standard input: %w", t.err)
			}
			if d.echo {
				d.Show("%s\n", t.line)
			}
			line := strings.ToLower(strings.TrimSpace(keys.ReplaceAllString(t.line, "")))
			switch line {
			case "":
				continue
			case "rules":
				d.Show("%s", reflowed(d.rules))
				continue
			case "undo":
				if d.undo() {
					return "", console.ErrUndo
				}
				d.Show("there is no move to take back\n")
				continue
			}
			d.lines = append(d.lines, line)
			if line == "quit" {
				return "", console.ErrLeft
			}
			return line, nil
		}
	}
}

// Err implements console.Terminal.
func (d *terminal) Err() error {
	if d.failed == nil {
		return nil
	}
	return fmt.Errorf("standard output: %w", d.failed)
}

// leave lets the reader go.
func (d *terminal) leave() { close(d.stop) }

// width is the number of columns that sentences fit into.
const width = 80

// wrapped breaks the sentences of a text that are wider than 80 columns between words. A
// line that is broken goes on under its first word. Boards stay as they are: lines with
// colour, or with columns behind their label.
func wrapped(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if len([]rune(line)) <= width || strings.Contains(line, "\x1b") || strings.Contains(line[min(len(line), 10):], "  ") {
			continue
		}
		words := strings.Fields(line)
		indent := line[:len(line)-len(strings.TrimLeft(line, " "))]
		var b strings.Builder
		b.WriteString(indent)
		at := len(indent)
		for k, word := range words {
			n := len([]rune(word))
			switch {
			case k == 0:
			case at+1+n > width:
				b.WriteString("\n" + indent)
				at = len(indent)
			default:
				gap := " "
				if k == 1 { // a label keeps its column
					behind := strings.TrimPrefix(line[len(indent):], words[0])
					gap = behind[:len(behind)-len(strings.TrimLeft(behind, " "))]
				}
				b.WriteString(gap)
				at += len(gap)
			}
			b.WriteString(word)
			at += n
		}
		if strings.HasSuffix(line, " ") { // of a prompt
			b.WriteByte(' ')
		}
		lines[i] = b.String()
	}
	return strings.Join(lines, "\n")
}

// reflowed returns a text whose paragraphs are broken anew; lines that are indented stay.
func reflowed(text string) string {
	var out []string
	open := false
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		prose := line != "" && line[0] != ' '
		if prose && open {
			out[len(out)-1] += " " + line
		} else {
			out = append(out, line)
		}
		open = prose
	}
	return wrapped(strings.Join(out, "\n")) + "\n"
}

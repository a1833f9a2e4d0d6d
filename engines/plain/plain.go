// Package plain makes text of other people safe to show: names in benchmarks, in
// tournaments and of players over a network come from files and programs that nobody
// has looked at, and a terminal or a spreadsheet does what it reads.
//
//	fmt.Fprintln(plain.NewWriter(os.Stdout), name) // whatever name is
//	row := []string{plain.Cell(name)}
//
// Control characters of C0 and C1 but for the ends of lines and tabs, DEL, characters
// that turn the direction of text (Unicode Technical Report 36, section 3.3) and bytes
// that are no UTF-8 are written as \u001b, which in JSON means the same character.
package plain

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

// hostile tells the characters that are not shown as they are.
func hostile(r rune) bool {
	switch {
	case r < ' ':
		return r != '\n' && r != '\t'
	case r >= 0x7f && r <= 0x9f,
		r == 0x061c, r == 0x200e, r == 0x200f, r == 0x2028, r == 0x2029,
		r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
		return true
	}
	return false
}

// Is tells whether a text is shown as it is.
func Is(text string) bool { return utf8.ValidString(text) && !strings.ContainsFunc(text, hostile) }

// Text is a text that can be shown.
func Text(text string) string {
	if Is(text) {
		return text
	}
	return string(appended(nil, []byte(text)))
}

// mostLines and mostBytes bound a message, and each of its lines.
const mostLines, mostBytes = 20, 1000

// Bounded is a message of at most 20 lines, each of at most 1000 bytes, that says how
// much it leaves out.
func Bounded(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if len(line) > mostBytes {
			lines[i] = fmt.Sprintf("%s... (%d bytes more)", strings.ToValidUTF8(line[:mostBytes], ""), len(line)-mostBytes)
		}
	}
	if len(lines) > mostLines {
		lines = append(lines[:mostLines-1], fmt.Sprintf("... (%d lines more)", len(lines)-mostLines+1))
	}
	return strings.Join(lines, "\n")
}

// Line is a text that can be shown in a line: ends of lines and tabs are written as \u000a too.
func Line(text string) string {
	return strings.NewReplacer("\n", `\u000a`, "\t", `\u0009`).Replace(Text(text))
}

// appended appends a text that can be shown.
func appended(to, text []byte) []byte {
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		switch {
		case r == utf8.RuneError && n <= 1:
			to = fmt.Appendf(to, `\u%04x`, text[0])
		case hostile(r):
			to = fmt.Appendf(to, `\u%04x`, r)
		default:
			to = append(to, text[:n]...)
		}
		text = text[n:]
	}
	return to
}

// Cell is a text for a cell of CSV. A spreadsheet takes what begins with = + - @ for a
// formula, also after blanks; unless it is a number it gets a ' in front.
func Cell(text string) string {
	text = Text(text)
	bare := strings.TrimLeft(text, " \t\r\n")
	if bare == "" || !strings.ContainsRune("=+-@\uff1d\uff0b\uff0d\uff20", []rune(bare)[0]) {
		return text
	}
	if _, err := strconv.ParseFloat(text, 64); err == nil {
		return text
	}
	return "'" + text
}

// Writer writes what can be shown of all that is written to it. The end of a write
// may lie inside of a character.
type Writer struct {
	w io.Writer

	mu   sync.Mutex
	rest []byte // the beginning of a character
}

// NewWriter writes to w.
func NewWriter(w io.Writer) *Writer { return &Writer{w: w} }

// Write implements io.Writer.
func (p *Writer) Write(text []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := len(text)
	if len(p.rest) > 0 {
		text = append(p.rest, text...)
	}
	whole := len(text) - partial(text)
	p.rest = append([]byte(nil), text[whole:]...)
	return n, p.write(text[:whole])
}

// Flush writes what was left of an unfinished character.
func (p *Writer) Flush() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	rest := p.rest
	p.rest = nil
	return p.write(rest)
}

// write passes a text on, unless there is none: a pipe would wait for a reader.
func (p *Writer) write(text []byte) error {
	if len(text) == 0 {
		return nil
	}
	_, err := p.w.Write(appended(nil, text))
	return err
}

// partial is the number of bytes at the end that may begin a character.
func partial(text []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(text); n++ {
		if at := text[len(text)-n:]; utf8.RuneStart(at[0]) {
			if !utf8.FullRune(at) {
				return n
			}
			return 0
		}
	}
	return 0
}

package plain

import (
	"io"
	"sync"
	"unicode/utf8"
)

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

// Unwrap is where the writer writes.
func (p *Writer) Unwrap() io.Writer { return p.w }

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

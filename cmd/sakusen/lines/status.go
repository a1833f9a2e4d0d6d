package lines

import (
	"fmt"
	"io"
	"strings"
	"sync"
)

// Status is a line on a terminal that is written over again and again. A nil
// Status shows nothing. It may be used by several goroutines.
type Status struct {
	mu    sync.Mutex
	w     io.Writer
	width int // of the line that is there now, in bytes
}

// NewStatus is a line on a terminal, nil where there is none.
func NewStatus(w io.Writer) *Status {
	if w == nil {
		return nil
	}
	return &Status{w: w}
}

// Show puts a text in the place of what is there.
func (s *Status) Show(text string) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	fmt.Fprintf(s.w, "\r%s%s", text, strings.Repeat(" ", max(0, s.width-len(text))))
	s.width = len(text)
}

// Clear takes the line off the screen.
func (s *Status) Clear() {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.width > 0 {
		fmt.Fprintf(s.w, "\r%s\r", strings.Repeat(" ", s.width))
		s.width = 0
	}
}

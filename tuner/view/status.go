package view

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"sakusen/engines/plain"
	"sakusen/tuner/numeral"
)

// Status is a line of progress that is rewritten in place on a terminal, cut to
// its width, and elsewhere a line of its own once a minute. It may be used by
// several goroutines; a nil Status shows nothing.
type Status struct {
	mu    sync.Mutex
	w     io.Writer
	width func() int // columns of the terminal; nil where there is none
	now   func() time.Time
	last  time.Time     // something was shown
	shown int           // columns of the line that is there now
	every time.Duration // between two lines where there is no terminal
}

const (
	// rewriteEvery is how often the line changes on a terminal: often enough to show
	// progress, seldom enough to be read.
	rewriteEvery = 100 * time.Millisecond
	// plainEvery is how often a line is written where there is no terminal.
	plainEvery = time.Minute
	// verboseEvery is the same for --verbose.
	verboseEvery = 5 * time.Second
)

// NewStatus writes to w, nil to write nothing. width is asked for the columns of the
// terminal, at every line since its window may change; it is nil where w is no terminal.
// now is the clock.
func NewStatus(w io.Writer, width func() int, now func() time.Time) *Status {
	if w == nil {
		return nil
	}
	return &Status{w: w, width: width, now: now, last: now(), every: plainEvery}
}

// Verbose shows lines more often where there is no terminal: every five seconds.
func (s *Status) Verbose() *Status {
	if s != nil {
		s.every = verboseEvery
	}
	return s
}

// Show shows the text, unless the last one was shown just now.
func (s *Status) Show(text string) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	text = plain.Text(text)
	now := s.now()
	if s.width == nil {
		if now.Sub(s.last) >= s.every {
			s.last = now
			fmt.Fprintln(s.w, text)
		}
		return
	}
	if s.shown > 0 && now.Sub(s.last) < rewriteEvery {
		return
	}
	s.last = now
	text = cut(text, s.width()-1) // a full line would make some terminals wrap
	n := utf8.RuneCountInString(text)
	fmt.Fprintf(s.w, "\r%s%s", text, strings.Repeat(" ", max(0, s.shown-n)))
	s.shown = n
}

// Clear takes the line away.
func (s *Status) Clear() {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.shown > 0 {
		fmt.Fprintf(s.w, "\r%s\r", strings.Repeat(" ", s.shown))
		s.shown = 0
	}
}

// End takes the line away, and nothing is shown any more.
func (s *Status) End() {
	if s == nil {
		return
	}
	s.Clear()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.w = io.Discard
}

// cut returns a text in at most so many columns, with an ellipsis where it is cut.
func cut(text string, columns int) string {
	if columns < 2 || utf8.RuneCountInString(text) <= columns {
		return text
	}
	return string([]rune(text)[:columns-1]) + "…"
}

// Ticker shows how far a match is, how fast it goes and how long it will take.
type Ticker struct {
	*Status
	// AtMost says that the total is a bound, which a test may end before.
	AtMost bool
	total  int64 // blocks
	games  int64
	pace   numeral.Pace
	now    func() time.Time
}

// tickEvery bounds how often the line is rewritten.
const tickEvery = 200 * time.Millisecond

// NewTicker shows on a status line how many of the blocks are played; nil shows nothing.
// now is the clock.
func NewTicker(s *Status, total int64, now func() time.Time) *Ticker {
	return &Ticker{Status: s, total: total, pace: numeral.New(now(), tickEvery), now: now}
}

// Tick reports that the blocks before `to` are played, the last with that many
// games. running, unless nil, says what is known so far.
func (t *Ticker) Tick(to, games int64, running func() string) {
	t.games += games
	now := t.now()
	left := t.pace.Rest(now, to, t.total)
	if t.Status == nil || !t.pace.Due(now) {
		return
	}
	t.pace.Shown(now)
	text := fmt.Sprintf("%d blocks", to)
	if t.total > 0 {
		text = fmt.Sprintf("%d/%d blocks", to, t.total)
	}
	if running != nil {
		if more := running(); more != "" {
			text += ", " + more
		}
	}
	if left > 0 {
		if text += ", "; t.AtMost {
			text += "at most "
		}
		text += numeral.Span(left) + " left"
	}
	t.Show(text + ", " + speed(t.pace.PerSecond(now, t.games)))
}

// TickOf does what Tick does, with the total given at every step.
func (t *Ticker) TickOf(total, to, games int64) {
	t.total = total
	t.Tick(to, games, nil)
}

// Wait tells what is waited for, once that has taken two seconds: how many steps are done
// and the time that is left, or for how long it has been waited. It may be used by several
// goroutines.
type Wait struct {
	mu         sync.Mutex
	status     *Status
	say        func(text string) // where there is no line that is rewritten
	what, told string            // now, and last
	done, of   int
	began, due time.Time
	timer      *time.Timer
}

// NewWait reports on a status line or, where that is no terminal's, by say: at once and then
// once a minute. A nil status tells nothing.
func NewWait(status *Status, say func(text string)) *Wait { return &Wait{status: status, say: say} }

// Step shows what is waited for, and that so many of its steps are done, of 0 where they are
// not known. An empty text says that it is over.
func (w *Wait) Step(what string, done, of int) {
	if w.status == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if what == "" || what != w.what {
		w.status.Clear()
		w.began = w.status.now()
	}
	if what != "" && what != w.told { // what is waited for again and again is not told each time
		w.told, w.due = what, time.Time{}
	}
	w.what, w.done, w.of = what, done, of
	if w.timer == nil && what != "" {
		w.timer = time.AfterFunc(waitBefore, w.tell)
	}
}

// waitBefore is how long nothing is told; tellEvery is how often it is looked again.
const waitBefore, tellEvery = 2 * time.Second, time.Second / 2

func (w *Wait) tell() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.what == "" {
		w.timer = nil
		return
	}
	w.timer.Reset(tellEvery)
	now := w.status.now()
	waited := now.Sub(w.began)
	switch {
	case waited < waitBefore:
	case w.status.width != nil:
		w.status.Show(w.text(waited))
	case !now.Before(w.due):
		w.due = now.Add(w.status.every)
		w.say(w.text(waited))
	}
}

// text returns what is told after a time.
func (w *Wait) text(waited time.Duration) string {
	text := "waiting for " + w.what + ": "
	if w.of > 0 {
		text += fmt.Sprintf("%d of %d, ", w.done, w.of)
	}
	if w.done > 0 {
		return text + numeral.Span(waited*time.Duration(w.of-w.done)/time.Duration(w.done)) + " left"
	}
	return text + numeral.Span(waited) + " so far"
}

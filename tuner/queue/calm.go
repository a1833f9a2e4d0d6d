package queue

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// mostLines is how many lines of the same words a log takes in a minute.
const mostLines = 60

// calm is the handler of a log that takes at most mostLines lines of the same words in a minute.
// The next one says how many were left out. Every client that reaches the workers' address can
// cause such lines, each connection and each message one, and must not fill the disk with them.
type calm struct {
	slog.Handler
	told *told
}

// told holds the messages that a log has taken, by their text.
type told struct {
	mu sync.Mutex
	of map[string]*minute
}

// minute is what a log has taken of the same words since the minute began.
type minute struct {
	began         time.Time
	lines, absent int
}

// calmed returns a log that takes no flood.
func calmed(log *slog.Logger) *slog.Logger {
	return slog.New(calm{log.Handler(), &told{of: map[string]*minute{}}})
}

// Handle implements slog.Handler.
func (c calm) Handle(ctx context.Context, r slog.Record) error {
	absent, ok := c.told.take(r.Message, r.Time)
	if !ok {
		return nil
	}
	if absent > 0 {
		r = r.Clone()
		r.AddAttrs(slog.Int("left_out", absent))
	}
	return c.Handler.Handle(ctx, r)
}

// take reports whether a line is taken, and how many like it were left out before.
func (t *told) take(words string, now time.Time) (absent int, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	m := t.of[words]
	if m == nil {
		m = &minute{began: now}
		t.of[words] = m
	}
	if now.Sub(m.began) >= time.Minute {
		absent = m.absent
		*m = minute{began: now}
	}
	if m.lines >= mostLines {
		m.absent++
		return 0, false
	}
	m.lines++
	return absent, true
}

// WithAttrs implements slog.Handler.
func (c calm) WithAttrs(a []slog.Attr) slog.Handler { return calm{c.Handler.WithAttrs(a), c.told} }

// WithGroup implements slog.Handler.
func (c calm) WithGroup(name string) slog.Handler { return calm{c.Handler.WithGroup(name), c.told} }

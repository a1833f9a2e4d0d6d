package main

import (
	"fmt"
	"io"
	"time"

	"sakusen/tuner/pace"
)

// ticker shows on a terminal how far a match is, on one line that it rewrites.
// A nil ticker shows nothing.
type ticker struct {
	w     io.Writer
	total int64 // blocks
	games int64
	pace  pace.Pace
	shown int // bytes of the line on the screen
}

// tickEvery bounds how often the line is rewritten.
const tickEvery = 200 * time.Millisecond

// newTicker is nil where nobody watches.
func (a *app) newTicker(total int64) *ticker {
	if !a.terminal || a.flags.quiet {
		return nil
	}
	return &ticker{w: a.err, total: total, pace: pace.New(time.Now(), tickEvery)}
}

// show tells that the blocks before `to` are played, the last with that many
// games.
func (t *ticker) show(to, games int64, more string) {
	if t == nil {
		return
	}
	t.games += games
	now := time.Now()
	if !t.pace.Due(now) {
		return
	}
	t.pace.Told(now)
	text := fmt.Sprintf("%d of %d blocks, %.0f games/s", to, t.total, t.pace.PerSecond(now, t.games))
	if more != "" {
		text += ", " + more
	} else if to > 0 {
		left := pace.Left(t.total-to, t.pace.PerSecond(now, to))
		text += fmt.Sprintf(", %s left", left.Round(time.Second))
	}
	text = text[:min(len(text), 78)]
	fmt.Fprintf(t.w, "\r%-*s", t.shown, text)
	t.shown = len(text)
}

// showOf is show where the total is told with every step.
func (t *ticker) showOf(total, to, games int64) {
	if t != nil {
		t.total = total
		t.show(to, games, "")
	}
}

// clear takes the line off the screen.
func (t *ticker) clear() {
	if t != nil && t.shown > 0 {
		fmt.Fprintf(t.w, "\r%*s\r", t.shown, "")
	}
}

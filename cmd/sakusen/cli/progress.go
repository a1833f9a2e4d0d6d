package cli

import (
	"fmt"
	"os"
	"time"

	"golang.org/x/term"

	"sakusen/cmd/sakusen/lines"
	"sakusen/tuner/pace"
)

// status is the line on which progress is shown, nil where nobody wants it.
func (a *app) status() *lines.Status {
	switch {
	case a.flags.quiet:
		return nil
	case !a.terminal:
		return lines.NewStatus(a.err, nil, time.Now)
	}
	return lines.NewStatus(a.err, columns, time.Now)
}

// columns is the width of the terminal that shows progress, 80 where it cannot be
// told.
func columns() int {
	if n, _, err := term.GetSize(int(os.Stderr.Fd())); err == nil && n > 0 {
		return n
	}
	return 80
}

// ticker shows how far a match is.
type ticker struct {
	*lines.Status
	total int64 // blocks
	games int64
	pace  pace.Pace
}

// tickEvery bounds how often the line is rewritten.
const tickEvery = 200 * time.Millisecond

// newTicker shows how far so many blocks are.
func newTicker(a *app, total int64) *ticker {
	return &ticker{Status: a.status(), total: total, pace: pace.New(time.Now(), tickEvery)}
}

// show tells that the blocks before `to` are played, the last with that many
// games.
func (t *ticker) show(to, games int64, more string) {
	t.games += games
	now := time.Now()
	if t.Status == nil || !t.pace.Due(now) {
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
	t.Show(text)
}

// showOf is show where the total is told with every step.
func (t *ticker) showOf(total, to, games int64) {
	t.total = total
	t.show(to, games, "")
}

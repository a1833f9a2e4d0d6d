package report

import (
	"fmt"
	"time"

	"sakusen/tuner/pace"
)

// Ticker shows how far a match is, how fast it goes and how long it will take.
type Ticker struct {
	*Status
	total int64 // blocks
	games int64
	pace  pace.Pace
	now   func() time.Time
}

// tickEvery bounds how often the line is rewritten.
const tickEvery = 200 * time.Millisecond

// NewTicker shows how far so many blocks are on a status line, nil for nobody. now
// is the clock.
func NewTicker(s *Status, total int64, now func() time.Time) *Ticker {
	return &Ticker{Status: s, total: total, pace: pace.New(now(), tickEvery), now: now}
}

// Tick tells that the blocks before `to` are played, the last with that many
// games. more, unless empty, is said instead of the time that is left.
func (t *Ticker) Tick(to, games int64, more string) {
	t.games += games
	now := t.now()
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

// TickOf is Tick where the total is told with every step.
func (t *Ticker) TickOf(total, to, games int64) {
	t.total = total
	t.Tick(to, games, "")
}

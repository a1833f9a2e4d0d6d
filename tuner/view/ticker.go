package view

import (
	"fmt"
	"time"

	"sakusen/tuner/numeral"
)

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

// NewTicker shows how far so many blocks are on a status line, nil for nobody. now
// is the clock.
func NewTicker(s *Status, total int64, now func() time.Time) *Ticker {
	return &Ticker{Status: s, total: total, pace: numeral.New(now(), tickEvery), now: now}
}

// Tick tells that the blocks before `to` are played, the last with that many
// games. running, unless nil, says what is known so far.
func (t *Ticker) Tick(to, games int64, running func() string) {
	t.games += games
	now := t.now()
	left := t.pace.Rest(now, to, t.total)
	if t.Status == nil || !t.pace.Due(now) {
		return
	}
	t.pace.Told(now)
	text := fmt.Sprintf("%d/%d blocks", to, t.total)
	if running != nil {
		if more := running(); more != "" {
			text += ", " + more
		}
	}
	if left > 0 {
		if t.AtMost {
			text += ", at most"
		} else {
			text += ","
		}
		text += " " + numeral.Span(left) + " left"
	}
	t.Show(fmt.Sprintf("%s, %.0f games/s", text, t.pace.PerSecond(now, t.games)))
}

// TickOf is Tick where the total is told with every step.
func (t *Ticker) TickOf(total, to, games int64) {
	t.total = total
	t.Tick(to, games, nil)
}

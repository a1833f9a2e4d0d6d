package cli

import (
	"os"
	"time"

	"golang.org/x/term"

	"sakusen/tuner/report"
)

// status is the line on which progress is shown, nil where nobody wants it.
func (a *app) status() *report.Status {
	switch {
	case a.flags.quiet:
		return nil
	case !a.terminal:
		return report.NewStatus(a.rawErr, nil, time.Now)
	}
	return report.NewStatus(a.rawErr, columns, time.Now)
}

// columns is the width of the terminal that shows progress, 80 where it cannot be
// told.
func columns() int {
	if n, _, err := term.GetSize(int(os.Stderr.Fd())); err == nil && n > 0 {
		return n
	}
	return 80
}

// newTicker shows how far so many blocks are.
func newTicker(a *app, total int64) *report.Ticker {
	return report.NewTicker(a.status(), total, time.Now)
}

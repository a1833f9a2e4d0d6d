package cli

import (
	"time"

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

// newTicker shows how far so many blocks are.
func newTicker(a *app, total int64) *report.Ticker {
	return report.NewTicker(a.status(), total, time.Now)
}

package numeral

import (
	"math"
	"time"
)

// Pace says how fast work goes on, how long it will take, and when it is time to tell: for the
// lines of the terminal, the events of the daemon and the progress of studies and jobs. It reads
// no clock: its users hand in the time.
//
//	p := numeral.New(time.Now(), 200*time.Millisecond)
//	if now := time.Now(); p.Due(now) {
//		p.Told(now)
//		rate := p.PerSecond(now, blocks)
//		fmt.Printf("%.0f blocks/s, %s left", rate, numeral.Left(total-blocks, rate))
//	}
type Pace struct {
	began, told time.Time
	every       time.Duration

	since      time.Time // when the part that goes on began
	last, ends int64     // where it was, and its total
	from       int64     // where it was when it was first seen
}

// New returns the pace of work that begins now and of which is told at most so often.
func New(now time.Time, every time.Duration) Pace { return Pace{began: now, every: every} }

// Due reports whether it is time to tell.
func (p *Pace) Due(now time.Time) bool { return p.told.IsZero() || now.Sub(p.told) >= p.every }

// Told notes that the work was told of now.
func (p *Pace) Told(now time.Time) { p.told = now }

// PerSecond returns how many of what is counted were done a second since the
// beginning, 0 where no time has passed.
func (p *Pace) PerSecond(now time.Time, done int64) float64 {
	if s := now.Sub(p.began).Seconds(); s > 0 {
		return float64(done) / s
	}
	return 0
}

// Rest returns how long the rest of a part takes of which so many of a total are done. Work in
// parts counts each from 0 with a total of its own; another total, or less done than
// before, is another part, whose pace is its own. It is to be asked at every step.
func (p *Pace) Rest(now time.Time, done, total int64) time.Duration {
	switch {
	case p.since.IsZero():
		p.since, p.ends = p.began, total
	case total != p.ends || done < p.last:
		p.since, p.ends, p.from = now, total, done
	}
	p.last = done
	s := now.Sub(p.since).Seconds()
	if s <= 0 {
		return 0
	}
	return Left(total-done, float64(done-p.from)/s)
}

// Left returns how long the rest takes at a rate per second, 0 where that is not known
// or nothing is left. It is never more than 292 years, the longest duration.
func Left(rest int64, perSecond float64) time.Duration {
	if rest <= 0 || !(perSecond > 0) {
		return 0
	}
	ns := float64(rest) / perSecond * float64(time.Second)
	if ns >= math.MaxInt64 {
		return math.MaxInt64
	}
	return time.Duration(ns)
}

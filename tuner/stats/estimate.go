package stats

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// Estimate is what a fixed number of blocks says about strength. After a test
// that may stop early use [Test.Unbiased] beside it.
type Estimate struct {
	Blocks int64
	Score  Number   // mean block score, [0, 1]
	CI95   Interval // of the score
	Elo    Number
	EloCI  Interval // Elo at the ends of CI95
	// EloErr is half of the distance between the Elo at the ends of the normal
	// 95 % interval of the score.
	EloErr  Number
	NElo    Number // normalised Elo
	NEloErr Number // its 95 % half-width, taking the variance as known
	// LOS is the likelihood of superiority, Phi((score - 1/k)/standard error).
	LOS Number
	// Ratio is the blocks above 1/k over the blocks below: the pairs ratio of
	// two seats. Undefined for single games, and when none are below.
	Ratio Number
	// Reason says why the undefined numbers are, when any but Ratio is.
	Reason string
}

// Estimate of the blocks. Intervals are normal with the block as unit; where
// every block was won, or every block lost, the variance says nothing and the
// score's interval is Wilson's for that many blocks.
func (b Blocks) Estimate() Estimate {
	m, n := b.Moments(), float64(b.effective())
	e := Estimate{Blocks: m.N, Ratio: b.ratio()}
	if m.N == 0 {
		e.Reason = "no information: " + b.Silent()
		return e
	}
	e.Score = Known(m.Mean)
	e.Elo = Known(Elo(m.Mean, b.Seats))
	if m.Variance == 0 {
		e.Reason = "no information: " + b.Silent()
		if b.Silent() == "" {
			e.Reason = "every block was won or every block was lost"
			e.CI95, _ = Wilson(math.Round(m.Mean*n), n, 0.95)
			e.EloCI = e.CI95.elo(b.Seats)
		}
		return e
	}
	if b.Distinct > 1 {
		n-- // few blocks: the unbiased variance
	}
	se, z := math.Sqrt(m.Variance/n), b.deviate()
	lo, hi := m.Mean-z*se, m.Mean+z*se
	e.CI95 = Interval{Known(max(lo, 0)), Known(min(hi, 1))}
	e.EloCI = e.CI95.elo(b.Seats)
	e.EloErr = Known((Elo(hi, b.Seats) - Elo(lo, b.Seats)) / 2)
	e.NElo = normalizedElo(b)
	e.NEloErr = Known(z * eloUnit / math.Sqrt(n*float64(b.Games)))
	e.LOS = Known(los(m.Mean-b.null(), se))
	return e
}

// los is the probability that a normal variable with the given mean and
// standard deviation (above 0) is above 0.
func los(mean, sd float64) float64 { return distuv.UnitNormal.CDF(mean / sd) }

// ratio is the blocks above the null score over those below.
func (b Blocks) ratio() Number {
	if b.Games < 2 {
		return Number{}
	}
	above, below := int64(0), int64(0)
	for i, c := range b.Counts {
		// Integers: i/(len-1) against 1/Seats.
		switch d := i*b.Seats - (len(b.Counts) - 1); {
		case d > 0:
			above += c
		case d < 0:
			below += c
		}
	}
	return Known(float64(above) / float64(below))
}

// elo maps an interval of scores.
func (i Interval) elo(seats int) Interval {
	if !i.Lo.Defined || !i.Hi.Defined {
		return Interval{}
	}
	return Interval{Known(Elo(i.Lo.Value, seats)), Known(Elo(i.Hi.Value, seats))}
}

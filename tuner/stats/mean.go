package stats

import (
	"fmt"
	"math"

	"sakusen/tuner/numeral"
)

// Sums are a metric's sums over blocks, as a tally has them: X is the block's
// sum over its games.
type Sums struct {
	N   int64   // blocks
	X   float64 // sum of x
	XX  float64 // sum of x squared
	Y   float64 // of the denominator, for a ratio
	YY  float64
	XY  float64
	Per float64 // games in a block; the mean is of one game. 0 counts as 1.
	// Distinct is the number of different blocks, 0 where all are; see Blocks.
	Distinct int64
}

// MeanInterval is a mean with its standard error and 95 % interval. The error
// and the interval are undefined for fewer than two blocks.
type MeanInterval struct {
	Mean, SE Number
	CI95     Interval
}

// Mean of a metric per game, normal with the block as unit.
func (s Sums) Mean() MeanInterval {
	if s.N < 1 {
		return MeanInterval{}
	}
	n, per := float64(s.N), s.Per
	if per == 0 {
		per = 1
	}
	mean := s.X / n
	if s.N < 2 {
		return MeanInterval{Mean: Known(mean / per)}
	}
	variance := max(s.XX-mean*s.X, 0) / (n - 1)
	return s.interval(mean/per, math.Sqrt(variance/n)/per)
}

// Ratio of two sums over all games, scale*X/Y, with the delta method's error
// over blocks: the residuals x - R y have mean 0, and their variance over N,
// divided by the squared mean of y, is the ratio's. hit_ratio is
// Ratio(100) of hits and shots. Undefined when Y is 0.
// Source: W. G. Cochran, Sampling Techniques (1977), section 2.11.
func (s Sums) Ratio(scale float64) MeanInterval {
	if s.N < 1 || s.Y == 0 {
		return MeanInterval{}
	}
	r := s.X / s.Y
	if s.N < 2 {
		return MeanInterval{Mean: Known(scale * r)}
	}
	n := float64(s.N)
	residuals := max(s.XX-2*r*s.XY+r*r*s.YY, 0)
	return s.interval(scale*r, math.Abs(scale)*math.Sqrt(residuals*n/(n-1))/math.Abs(s.Y))
}

// interval is the mean with the error that all N blocks would have if they were
// different. Where they repeat each other, the error is that of the different ones
// alone, and the interval is Student's.
func (s Sums) interval(mean, se float64) MeanInterval {
	if s.Distinct < 2 || s.Distinct >= s.N {
		return Normal(mean, se)
	}
	m := Normal(mean, se*math.Sqrt(float64(s.N-1)/float64(s.Distinct-1)))
	half := Deviate95 * Care(s.Distinct) * m.SE.Value
	m.CI95 = Interval{Known(mean - half), Known(mean + half)}
	return m
}

// Validate tells what is wrong with the sums, if anything.
func (s Sums) Validate() error {
	if s.N < 0 || s.N > maxCount {
		return fmt.Errorf("n: expected a number of blocks in [0, 2^53], got %d", s.N)
	}
	for _, f := range []struct {
		name string
		x    float64
	}{{"x", s.X}, {"xx", s.XX}, {"y", s.Y}, {"yy", s.YY}, {"xy", s.XY}, {"per", s.Per}} {
		if !numeral.IsFinite(f.x) {
			return fmt.Errorf("%s: expected a finite number, got %v", f.name, f.x)
		}
	}
	switch {
	case s.XX < 0:
		return fmt.Errorf("xx: expected a sum of squares, got %v", s.XX)
	case s.YY < 0:
		return fmt.Errorf("yy: expected a sum of squares, got %v", s.YY)
	case s.Per < 0:
		return fmt.Errorf("per: expected a number of games, got %v", s.Per)
	}
	return nil
}

// Normal is a mean with its standard error and the normal interval of 95 %, all
// of them undefined where they are no numbers.
func Normal(mean, se float64) MeanInterval {
	return MeanInterval{
		Mean: Known(mean), SE: Known(se),
		CI95: Around(mean, Deviate95*se),
	}
}

package stats

import (
	"cmp"
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"

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

// Mean returns the mean of a metric per game, normal with the block as unit.
func (s Sums) Mean() MeanInterval {
	if s.N < 1 {
		return MeanInterval{}
	}
	n, per := float64(s.N), cmp.Or(s.Per, 1)
	mean := s.X / n
	if s.N < 2 {
		return MeanInterval{Mean: Known(mean / per)}
	}
	variance := max(s.XX-mean*s.X, 0) / (n - 1)
	return s.interval(mean/per, math.Sqrt(variance/n)/per)
}

// Ratio returns the ratio of two sums over all games, scale*X/Y, with the delta method's error
// over blocks. The residuals x - R y have mean 0, and their variance over N, divided by the
// squared mean of y, is the ratio's. hit_ratio is Ratio(100) of hits and shots. Undefined when
// Y is 0. Source: W. G. Cochran, Sampling Techniques (1977), section 2.11.
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

// interval returns the mean with the error that all N blocks would have if they were
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

// Normal returns a mean with its standard error and the normal interval of 95 %, all
// of them undefined where they are no numbers.
func Normal(mean, se float64) MeanInterval {
	return MeanInterval{Mean: Known(mean), SE: Known(se), CI95: Around(mean, Deviate95*se)}
}

// Wilson returns the score interval of a proportion: successes out of trials (both
// counts of independent events), level in (0, 1). Undefined without trials.
// Source: E. B. Wilson, JASA 22 (1927); R. G. Newcombe, Statistics in Medicine
// 17 (1998), method 3.
func Wilson(successes, trials, level float64) (Interval, error) {
	switch {
	case !(trials >= 0) || trials > float64(maxCount):
		return Interval{}, fmt.Errorf("trials: expected a number in [0, 2^53], got %v", trials)
	case !(successes >= 0 && successes <= trials):
		return Interval{}, fmt.Errorf("successes: expected a number in [0, trials], got %v", successes)
	case !(level > 0 && level < 1):
		return Interval{}, fmt.Errorf("level: expected a number inside (0, 1), got %v", level)
	}
	if trials == 0 {
		return Interval{}, nil
	}
	z := deviate(level)
	p, zz := successes/trials, z*z/trials
	centre := (p + zz/2) / (1 + zz)
	half := math.Sqrt(zz*p*(1-p)+zz*zz/4) / (1 + zz)
	// The ends are exact where all or nothing succeeded.
	i := Interval{Known(max(centre-half, 0)), Known(min(centre+half, 1))}
	if successes == 0 {
		i.Lo = Known(0)
	}
	if successes == trials {
		i.Hi = Known(1)
	}
	return i, nil
}

// deviate returns the normal deviate of a two-sided interval. A level that rounds
// to 1 in float64 halves is held just below.
func deviate(level float64) float64 {
	return -distuv.UnitNormal.Quantile(max((1-level)/2, 1e-300))
}

// Noisy is a mean with the variance of its error: for a mean of n blocks the
// variance of a block over n. Of candidates on common blocks take the variance
// times 1 - correlation: the luck of the blocks is common to all.
type Noisy struct{ Mean, Variance float64 }

// Shrunken is a set of noisy means drawn towards their centre.
type Shrunken struct {
	Centre float64 // the mean of the truths
	Spread float64 // their standard deviation, 0 when noise explains all
	// Means are the expected truths, given what was seen; Errors their standard
	// deviations.
	Means, Errors []float64
}

// Shrink estimates the truths behind noisy means by empirical Bayes: truths are
// normal about a centre, and both centre and spread come from the means. What a
// sampler learns is this and not the mean that was seen, whose best is the
// luckiest. The spread is the one at which the weighted squares of the means
// about their centre are what they should be, one less than their number.
// Source: C. Morris, JASA 78 (1983); R. C. Paule, J. Mandel (1982).
func Shrink(means []Noisy) (Shrunken, error) {
	for i, m := range means {
		if !numeral.IsFinite(m.Mean) || !(m.Variance >= 0) || !numeral.IsFinite(m.Variance) {
			return Shrunken{}, fmt.Errorf("means: expected a finite mean and a variance of at least 0 at %d, got %v and %v", i, m.Mean, m.Variance)
		}
	}
	var s Shrunken
	if len(means) == 0 {
		return s, nil
	}
	// Exact means would have infinite weight.
	lowest, highest := means[0].Mean, means[0].Mean
	for _, m := range means {
		lowest, highest = min(lowest, m.Mean), max(highest, m.Mean)
	}
	span := highest - lowest
	floor := max(span*span*1e-12, 1e-300)
	centre := func(spread float64) (c, squares float64) {
		weights := 0.0
		for _, m := range means {
			w := 1 / (max(m.Variance, floor) + spread)
			weights += w
			c += w * (m.Mean - lowest)
		}
		c = lowest + c/weights
		for _, m := range means {
			squares += (m.Mean - c) * (m.Mean - c) / (max(m.Variance, floor) + spread)
		}
		return c, squares
	}
	// The squares fall as the spread rises.
	spread := 0.0
	if _, squares := centre(0); squares > float64(len(means)-1) {
		lo, hi := 0.0, span*span
		for range 100 {
			spread = (lo + hi) / 2
			if _, squares := centre(spread); squares > float64(len(means)-1) {
				lo = spread
			} else {
				hi = spread
			}
		}
	}
	s.Centre, _ = centre(spread)
	s.Spread = math.Sqrt(spread)
	for _, m := range means {
		trust := 1.0 // in what was seen
		if m.Variance > 0 {
			trust = spread / (spread + m.Variance)
		}
		s.Means = append(s.Means, s.Centre+trust*(m.Mean-s.Centre))
		s.Errors = append(s.Errors, math.Sqrt(trust*m.Variance))
	}
	return s, nil
}

// Selected is a mean that was measured twice. X, with the standard error XError, is told only
// because it came out at Least or above, as that of a test of one look that passed; Y, with
// YError, was measured afterwards and is told however it came out.
type Selected struct {
	X, XError, Least float64
	Y, YError        float64
}

// Estimate returns the mean by both measurements: right on average among those that are told.
// It is the mean of Y over all splits of the weighted sum of both with X at Least or above, as
// the truth does not change the chances of these splits (Rao and Blackwell). It is near Y where
// X hardly reached Least, and near the usual mean of both where X is far above. The interval
// holds the truth in 95 % of those that are told. Source: A. Cohen and H. B. Sackrowitz, "Two
// stage conditionally unbiased estimators of the selected mean" (1989); J. Bowden and E. Glimm,
// "Unbiased estimation of selected treatment means in two-stage trials" (2008).
func (s Selected) Estimate() (mean float64, ci Interval) {
	vx, vy := s.XError*s.XError, s.YError*s.YError
	if !(vx > 0 && vy > 0) {
		return s.Y, Interval{}
	}
	both := (vy*s.X + vx*s.Y) / (vx + vy)
	root := math.Sqrt(vx + vy)
	w := (both - s.Least) * root / vx // of X given both, from Least, in standard deviations
	mean = both - vy/root*math.Exp(-w*w/2)/math.Sqrt(2*math.Pi)/distuv.UnitNormal.CDF(w)
	reach := selectedReach * s.YError
	end := func(chance float64) Number {
		return Known(solve(func(truth float64) float64 { return s.atLeast(both, truth) }, chance, min(both, s.Y)-reach, max(both, s.Y)+reach))
	}
	return mean, Interval{end(0.025), end(0.975)}
}

// selectedReach is how many standard errors of Y the ends of the interval lie away at most.
const selectedReach = 6

// atLeast returns the chance, among those that are told, that the weighted sum of both is so
// large or larger if the mean is as supposed.
func (s Selected) atLeast(both, truth float64) float64 {
	vx, vy := s.XError*s.XError, s.YError*s.YError
	sd := math.Sqrt(vx * vy / (vx + vy)) // of the sum
	given := vx / math.Sqrt(vx+vy)       // of X given the sum
	told := distuv.UnitNormal.CDF((truth - s.Least) / s.XError)
	if !(told > 0) {
		return 0
	}
	from, to := max(both, truth-9*sd), max(both, truth)+9*sd
	g, sum := newGrid(from, to, sd), 0.0
	for i, x := range g.x {
		d := (x - truth) / sd
		sum += g.weight[i] * math.Exp(-d*d/2) * distuv.UnitNormal.CDF((x-s.Least)/given)
	}
	return min(sum/(sd*math.Sqrt(2*math.Pi))/told, 1)
}

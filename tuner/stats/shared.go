package stats

import (
	"fmt"

	"gonum.org/v1/gonum/stat/distuv"

	"sakusen/tuner/numeral"
)

// Shared is what common blocks are worth: the correlation of the scores that
// candidates had on the same blocks.
type Shared struct {
	Blocks, Candidates int
	// Correlation is the mean covariance of two candidates over the mean
	// variance of one. It is also the part of the variance of a difference
	// that common blocks save against blocks of their own; negative when they
	// cost. Undefined for fewer than two blocks or candidates, or no variance.
	Correlation Number
	// CI95 is its 95 % interval, by the F distribution of blocks against
	// residuals: P. E. Shrout, J. L. Fleiss, "Intraclass correlations" (1979),
	// case 3. It supposes normal scores; a few values of a block's score are near
	// enough.
	CI95 Interval
	// Factor is 1/(1-Correlation): how many times the games independent blocks
	// would need to rank as well. Undefined at correlation 1.
	Factor Number
}

// NewShared takes scores[c][b], the score of candidate c on block b in any unit
// common to all.
func NewShared(scores [][]int64) (Shared, error) {
	values := make([][]float64, len(scores))
	for c, row := range scores {
		values[c] = make([]float64, len(row))
		for b, v := range row {
			values[c][b] = float64(v)
		}
	}
	return NewSharedValues(values)
}

// NewSharedValues is NewShared of any finite values of the blocks.
func NewSharedValues(values [][]float64) (Shared, error) {
	s := Shared{Candidates: len(values)}
	if len(values) > 0 {
		s.Blocks = len(values[0])
	}
	for c, row := range values {
		if len(row) != s.Blocks {
			return Shared{}, fmt.Errorf("scores: expected %d blocks of candidate %d, got %d", s.Blocks, c, len(row))
		}
		for b, x := range row {
			if !numeral.IsFinite(x) {
				return Shared{}, fmt.Errorf("scores: expected a finite number in block %d of candidate %d, got %v", b, c, x)
			}
		}
	}
	if s.Blocks < 2 || s.Candidates < 2 {
		return s, nil
	}
	// The variance of the blocks' means is (variance + (k-1) covariance)/k.
	k := float64(s.Candidates)
	means := make([]float64, s.Blocks)
	own := 0.0
	for _, row := range values {
		for b, v := range row {
			means[b] += v / k
		}
		own += sampleVariance(row) / k
	}
	if own == 0 {
		return s, nil
	}
	covariance := (k*sampleVariance(means) - own) / (k - 1)
	s.Correlation = Known(min(covariance/own, 1))
	if s.Correlation.Value < 1 {
		s.Factor = Known(1 / (1 - s.Correlation.Value))
	}
	s.CI95 = s.interval(k*sampleVariance(means), own)
	return s, nil
}

// interval is that of the intraclass correlation, given the mean squares of
// blocks and those of a candidate about its mean.
func (s Shared) interval(blocks, own float64) Interval {
	n, k := float64(s.Blocks), float64(s.Candidates)
	residual := (k*own - blocks) / (k - 1)
	if !(residual > 0) {
		return Interval{} // the candidates differ by a constant
	}
	f := blocks / residual
	between, within := n-1, (n-1)*(k-1)
	bound := func(f float64) Number { return Known((f - 1) / (f + k - 1)) }
	return Interval{
		Lo: bound(f / distuv.F{D1: between, D2: within}.Quantile(0.975)),
		Hi: bound(f * distuv.F{D1: within, D2: between}.Quantile(0.975)),
	}
}

// sampleVariance of at least two values.
func sampleVariance(x []float64) float64 {
	mean, sum := 0.0, 0.0
	for _, v := range x {
		mean += v / float64(len(x))
	}
	for _, v := range x {
		sum += (v - mean) * (v - mean)
	}
	return sum / float64(len(x)-1)
}

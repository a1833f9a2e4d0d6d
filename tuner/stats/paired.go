package stats

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"sakusen/tuner/numeral"
)

// Alternative is the side of a test.
type Alternative string

const (
	TwoSided Alternative = "two-sided"
	Greater  Alternative = "greater" // x tends to be above y
	Less     Alternative = "less"
)

// Zeros says what a signed-rank test does with differences of 0.
type Zeros int

const (
	// DropZeros leaves them out, as Wilcoxon did.
	DropZeros Zeros = iota
	// SplitZeros ranks them and gives half of each rank to either side, so that
	// many equal blocks speak against a difference.
	SplitZeros
)

// exactLimit is the most differences for which the exact distribution of the
// signed-rank sum is built; the work grows with the cube.
const exactLimit = 200

// Wilcoxon is the result of a signed-rank test.
type Wilcoxon struct {
	V     float64 // sum of the ranks of positive differences
	N     int     // differences that count
	P     Number  // undefined when no difference counts
	Exact bool    // P is exact given the ranks, ties included
}

// SignedRank tests paired values for a shift. The distribution of V given the
// ranks is exact up to 200 pairs, ties included (each rank is positive with
// chance 1/2), and normal with the correction for ties above.
// Source: F. Wilcoxon (1945); Hollander and Wolfe (1973), section 3.1. Its use
// at every step of a race (a pruner's) looks repeatedly and states no error
// rate; see docs/research/statistics.md.
func SignedRank(x, y []float64, alternative Alternative, zeros Zeros) (Wilcoxon, error) {
	return signedRank(x, y, alternative, zeros, exactLimit)
}

func signedRank(x, y []float64, alternative Alternative, zeros Zeros, limit int) (Wilcoxon, error) {
	if len(x) != len(y) {
		return Wilcoxon{}, fmt.Errorf("y: expected %d values as in x, got %d", len(x), len(y))
	}
	if alternative != TwoSided && alternative != Greater && alternative != Less {
		return Wilcoxon{}, fmt.Errorf("alternative: expected two-sided, greater or less, got %q", alternative)
	}
	var signs, sizes []float64
	for i := range x {
		if !numeral.IsFinite(x[i]) {
			return Wilcoxon{}, fmt.Errorf("x: expected a finite number at %d, got %v", i, x[i])
		}
		if !numeral.IsFinite(y[i]) {
			return Wilcoxon{}, fmt.Errorf("y: expected a finite number at %d, got %v", i, y[i])
		}
		d := x[i] - y[i]
		switch {
		case d > 0:
			signs = append(signs, 1)
		case d < 0:
			signs = append(signs, 0)
		case zeros == SplitZeros:
			signs = append(signs, 0.5)
		default:
			continue
		}
		sizes = append(sizes, math.Abs(d))
	}
	ranks, _ := midranks(sizes)
	w := Wilcoxon{N: len(ranks)}
	total, squares, half := 0.0, 0.0, 0.0
	var free []float64 // ranks whose sign is a coin toss
	for i, r := range ranks {
		w.V += signs[i] * r
		total += r
		if signs[i] == 0.5 {
			half += r / 2
			continue
		}
		free = append(free, r)
		squares += r * r
	}
	if len(free) == 0 {
		if zeros == SplitZeros && w.N > 0 { // all equal
			w.P, w.Exact = Known(1), true
		}
		return w, nil
	}
	var below, above float64 // P(V <= v), P(V >= v)
	if len(free) <= limit {
		below, above = exactTails(free, w.V-half)
		w.Exact = true
	} else {
		z := (w.V - total/2) / math.Sqrt(squares/4)
		below, above = distuv.UnitNormal.CDF(z), distuv.UnitNormal.CDF(-z)
	}
	switch alternative {
	case Greater:
		w.P = Known(above)
	case Less:
		w.P = Known(below)
	default:
		w.P = Known(min(1, 2*min(below, above)))
	}
	return w, nil
}

// exactTails returns P(V <= v) and P(V >= v) where each rank counts with chance 1/2.
// Midranks are multiples of 1/2, so doubled ranks are integers.
func exactTails(ranks []float64, v float64) (below, above float64) {
	top := 0
	for _, r := range ranks {
		top += int(2 * r)
	}
	ways := make([]float64, top+1) // probability of each doubled sum
	ways[0] = 1
	reach := 0
	for _, r := range ranks {
		step := int(2 * r)
		reach += step
		for s := reach; s >= 0; s-- {
			p := ways[s] / 2
			if s >= step {
				p += ways[s-step] / 2
			}
			ways[s] = p
		}
	}
	at := int(math.Round(2 * v))
	for s, p := range ways {
		if s <= at {
			below += p
		}
		if s >= at {
			above += p
		}
	}
	return min(below, 1), min(above, 1)
}

// midranks ranks the values from 1 upwards; equal values share the mean of
// their ranks. ties is the sum of t^3 - t over groups of t equal values.
func midranks(x []float64) (ranks []float64, ties float64) {
	order := make([]int, len(x))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(x[i], x[j]) })
	ranks = make([]float64, len(x))
	for i := 0; i < len(order); {
		j := i
		for j < len(order) && x[order[j]] == x[order[i]] {
			j++
		}
		for _, k := range order[i:j] {
			ranks[k] = float64(i+j+1) / 2
		}
		t := float64(j - i)
		ties += t*t*t - t
		i = j
	}
	return ranks, ties
}

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

// NewShared takes values[c][b], the finite value of candidate c on block b in any unit common
// to all.
func NewShared(values [][]float64) (Shared, error) {
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

// interval returns that of the intraclass correlation, given the mean squares of
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

// sampleVariance returns the sample variance of at least two values.
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

package stats

import (
	"fmt"
	"math"
)

// Apartness is how far one worker's blocks lie from those of all others, looked at again and again.
type Apartness struct {
	// Ratio is the largest of the tests' statistics over its bound: from 1 on the worker is apart.
	Ratio float64
	// Excess says which: "its mean score is .031 above the others'".
	Excess string
}

// Record is what one worker has played of a series.
type Record struct {
	Scores []int64 // histogram of its blocks' scores, as in Blocks
	Blocks int64
	Games  int64
	Late   int64 // games lost on time, or by a program that was gone
}

const (
	// apartLeast is the number of a worker's blocks from which it is judged.
	apartLeast = 100
	// apartVariance is the variance, blocks squared, from which a count of blocks is judged.
	apartVariance = 10
	// apartMean is the share of alpha that the test of the mean score has, and apartSpread a
	// usual variance of a block's score.
	apartMean, apartSpread = .9, .05
	// apartUsual is, of the variance at which a test is meant to be sharpest, the part that
	// the mixture takes: with 500 blocks beside three others.
	apartUsual = 0.003
)

// Apart compares one worker's blocks with those of all others on the same entrants: the mean score
// and the number of blocks of each score, inside each stratum given what all have together, as
// in [SuspectAll]. alpha is the chance over the whole life of the comparison, however often it
// is made, of calling a sound worker apart.
//
// Source: H. Robbins, "Statistical methods related to the law of the iterated logarithm", 1970: the
// normal mixture's bound, over the variance as the clock.
func Apart(strata []Stratum, alpha float64) Apartness {
	cells := 0
	for _, s := range strata {
		cells = max(cells, len(s.Worker.Counts))
	}
	var out Apartness
	blocks := int64(0)
	for _, s := range strata {
		blocks += s.Worker.N()
	}
	if cells < 2 || blocks < apartLeast {
		return out
	}
	for which := -1; which < cells; which++ { // the mean first, which has most of alpha
		level := alpha * apartMean
		if which >= 0 {
			level = alpha * (1 - apartMean) / float64(cells)
		}
		worth := func(cell int) float64 {
			switch {
			case which < 0:
				return float64(cell) / float64(cells-1)
			case cell == which:
				return 1
			}
			return 0
		}
		sum, shift, variance := 0., 0., 0.
		for _, s := range strata {
			n, m := float64(s.Worker.N()), float64(s.Others.N())
			all := n + m
			if n == 0 || m == 0 || all < 2 || len(s.Worker.Counts) != cells || len(s.Others.Counts) != cells {
				continue
			}
			own, mean, square := 0., 0., 0.
			for c := range cells {
				x := worth(c)
				own += x * float64(s.Worker.Counts[c])
				mean += x * float64(s.Worker.Counts[c]+s.Others.Counts[c]) / all
				square += x * x * float64(s.Worker.Counts[c]+s.Others.Counts[c]) / all
			}
			spread, weight := max(0, square-mean*mean), 1.
			if which < 0 { // the same shift is seen better where most games end alike
				weight = apartSpread / (spread + apartSpread/10)
			}
			sum += weight * (own - n*mean)
			variance += weight * weight * n * m / (all - 1) * spread
			shift += own - n*mean
		}
		if variance <= 0 || which >= 0 && variance < apartVariance {
			continue
		}
		usual := apartUsual * 500 * map[bool]float64{true: 1, false: 5}[which < 0]
		bound := math.Sqrt((variance + usual) * (math.Log((variance+usual)/usual) + 2*math.Log(1/level)))
		if ratio := math.Abs(sum) / bound; ratio > out.Ratio {
			out.Ratio = ratio
			what := fmt.Sprintf("its %d blocks score %+.3f a block beside the others'", blocks, shift/float64(blocks))
			if which >= 0 {
				what = fmt.Sprintf("of %d blocks %+.0f score %g, beside the others'", blocks, sum, float64(which)/float64(cells-1))
			}
			out.Excess = what
		}
	}
	return out
}

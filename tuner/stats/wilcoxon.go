package stats

import (
	"fmt"
	"math"

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
// rate; see docs/statistics.md.
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

// exactTails are P(V <= v) and P(V >= v) where each rank counts with chance
// 1/2. Midranks are multiples of 1/2, so doubled ranks are integers.
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

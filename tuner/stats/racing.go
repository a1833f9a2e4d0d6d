package stats

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"sakusen/tuner/numeral"
)

// Standing is where a trial of a batch is when a rung is judged.
type Standing struct {
	Trial int     // number
	Score float64 // what is raced by; more is better. NaN loses to everything.
}

// Halve keeps the best part of a batch, rounded up and at least one trial:
// synchronous successive halving judges the whole batch at once, so the result
// does not depend on who finished first. Ties go to the lower trial number. It
// gives the numbers of the kept trials, ascending.
//
// This is a budget rule. It claims no error rate: it may well stop the best
// trial, and does so less often with common blocks.
// Source: Z. Karnin, T. Koren, O. Somekh (2013); K. Jamieson, A. Talwalkar
// (2016).
func Halve(batch []Standing, keep float64) ([]int, error) {
	if !(keep > 0 && keep <= 1) {
		return nil, fmt.Errorf("keep: expected a number in (0, 1], got %v", keep)
	}
	order := slices.Clone(batch)
	slices.SortFunc(order, func(a, b Standing) int {
		// NaN is below every number in the order of cmp.
		if c := cmp.Compare(b.Score, a.Score); c != 0 {
			return c
		}
		return cmp.Compare(a.Trial, b.Trial)
	})
	kept := make([]int, kept(len(order), keep))
	for i := range kept {
		kept[i] = order[i].Trial
	}
	slices.Sort(kept)
	return kept, nil
}

// kept returns how many of n are: n keep, rounded up whatever the last bit of the
// product says.
func kept(n int, keep float64) int {
	return min(n, max(min(n, 1), int(math.Ceil(float64(n)*keep-1e-9))))
}

// HalvingBlocks returns the number of blocks that a batch plays in all: all trials to the
// first rung, those kept from it to the second, and so on.
func HalvingBlocks(trials int, rungs []int64, keep float64) int64 {
	blocks, before := int64(0), int64(0)
	for _, r := range rungs {
		blocks += int64(trials) * (r - before)
		before = r
		trials = kept(trials, keep)
	}
	return blocks
}

// Friedman is the rank test that several candidates met the same blocks with
// equal luck. Source: M. Friedman (1937), with the correction for ties of
// Hollander and Wolfe, Nonparametric Statistical Methods (1973), section 7.1.
type Friedman struct {
	Chi2 Number    // undefined when every row is one tie
	DF   int       // degrees of freedom, candidates - 1
	P    Number    // chance of a Chi2 at least as large, by the chi-squared limit
	sums []float64 // of the ranks of each candidate: larger values rank higher
}

// NewFriedman tests rows of values, one row a block and one column a candidate.
func NewFriedman(rows [][]float64) (Friedman, error) {
	if len(rows) == 0 {
		return Friedman{}, fmt.Errorf("rows: expected at least 1 row")
	}
	k := len(rows[0])
	if k < 2 {
		return Friedman{}, fmt.Errorf("rows: expected at least 2 values in row 0, got %d", k)
	}
	f := Friedman{DF: k - 1, sums: make([]float64, k)}
	tied := 0.0
	for i, row := range rows {
		if len(row) != k {
			return Friedman{}, fmt.Errorf("rows: expected %d values in row %d, got %d", k, i, len(row))
		}
		for j, x := range row {
			if !numeral.IsFinite(x) {
				return Friedman{}, fmt.Errorf("rows: expected a finite number in row %d, column %d, got %v", i, j, x)
			}
		}
		ranks, ties := midranks(row)
		tied += ties
		for j, r := range ranks {
			f.sums[j] += r
		}
	}
	n, c := float64(len(rows)), float64(k)
	spread := 0.0
	for _, r := range f.sums {
		d := r - n*(c+1)/2
		spread += d * d
	}
	if scale := n*c*(c+1) - tied/(c-1); scale > 1e-9 {
		chi2 := 12 * spread / scale
		f.Chi2 = Known(chi2)
		f.P = Known(distuv.ChiSquared{K: c - 1}.Survival(chi2))
	}
	return f, nil
}

// Challenge is the test of a trial against the incumbent on blocks that both
// have met, looked at as often as one likes. It stops a trial that is behind and
// never says that one is ahead: that takes blocks that were not used for a choice.
//
// The likelihood ratio of "behind by Gap standard deviations of a block's
// difference" against "as good" is that of the generalised sequential test with
// unknown variance (Van den Bergh, "Normalized Elo", section 4.2; see [Test]),
//
//	n/2 (ln(1 + z^2) - ln(1 + (z + Gap)^2)),  z = mean / standard deviation,
//
// and a trial is stopped where it reaches ln(1/Alpha). A likelihood ratio passes
// 1/Alpha with a chance of at most Alpha over all looks together, however many
// they are (J. Ville 1939; A. Wald 1945): at most Alpha of the trials that are
// as good as the incumbent are stopped, if the blocks did not choose the
// incumbent. Where they did, its luck there counts against all others; see
// docs/research/statistics.md for what that costs.
type Challenge struct {
	Alpha float64 // chance, over all looks, of stopping an equal, inside (0, 1/2]
	Gap   float64 // standard deviations of a block's difference, above 0
}

// NewChallenge returns the challenge that sees most at a number of blocks: its
// boundary there is a mean of sqrt(2 ln(1/alpha)) standard errors, and no other
// gap's is closer.
func NewChallenge(alpha float64, blocks int64) (Challenge, error) {
	if blocks < 1 {
		return Challenge{}, fmt.Errorf("blocks: expected at least 1, got %d", blocks)
	}
	if !(alpha >= 1e-12 && alpha <= 0.5) {
		return Challenge{}, fmt.Errorf("alpha: expected a number in [1e-12, 0.5], got %v", alpha)
	}
	return Challenge{alpha, math.Sqrt(2 * math.Log(1/alpha) / float64(blocks))}, nil
}

// Paired is the differences candidate - incumbent block by block, summed up: in
// any unit, more being better.
type Paired struct {
	N       int64   `json:"n"` // blocks
	Sum     float64 `json:"sum"`
	Squares float64 `json:"squares"`
}

// NewPaired sums up the differences of two rows of the same blocks.
func NewPaired(candidate, incumbent []float64) (Paired, error) {
	if len(candidate) != len(incumbent) {
		return Paired{}, fmt.Errorf("incumbent: expected %d blocks as of the candidate, got %d", len(candidate), len(incumbent))
	}
	p := Paired{N: int64(len(candidate))}
	for i := range candidate {
		d := candidate[i] - incumbent[i]
		if !numeral.IsFinite(d) {
			return Paired{}, fmt.Errorf("candidate: expected finite numbers, got %v and %v in block %d", candidate[i], incumbent[i], i)
		}
		p.Sum += d
		p.Squares += float64(d * d)
	}
	return p, nil
}

// Of returns the same differences where only so many of the blocks are different: as
// many blocks with the same mean and spread.
func (p Paired) Of(distinct int64) Paired {
	if distinct <= 0 || distinct >= p.N {
		return p
	}
	share := float64(distinct) / float64(p.N)
	return Paired{N: distinct, Sum: p.Sum * share, Squares: p.Squares * share}
}

// Look is one look at a challenge.
type Look struct {
	LLR    float64 // of being behind; 0 where there is no information
	Stop   bool
	Reason string // in words
}

// Judge looks at a challenge. It never stops on fewer than [FewBlocks] blocks,
// nor where the differences do not vary: two deterministic players that meet the
// same game again and again have played it once.
func (c Challenge) Judge(p Paired) (Look, error) {
	switch {
	case !(c.Alpha >= 1e-12 && c.Alpha <= 0.5):
		return Look{}, fmt.Errorf("alpha: expected a number in [1e-12, 0.5], got %v", c.Alpha)
	case !(c.Gap > 0 && c.Gap <= 100):
		return Look{}, fmt.Errorf("gap: expected a number in (0, 100], got %v", c.Gap)
	case p.N < 0 || !numeral.IsFinite(p.Sum) || !numeral.IsFinite(p.Squares) || p.Squares < 0:
		return Look{}, fmt.Errorf("differences: expected finite sums, got %+v", p)
	case p.N == 0:
		return Look{Reason: "no information: no common blocks"}, nil
	}
	n := float64(p.N)
	mean := p.Sum / n
	variance := p.Squares/n - mean*mean
	if variance <= 1e-12*p.Squares/n {
		return Look{Reason: "no information: the difference is the same in every block"}, nil
	}
	z := mean / math.Sqrt(variance)
	l := Look{LLR: n / 2 * (math.Log1p(z*z) - math.Log1p((z+c.Gap)*(z+c.Gap)))}
	bound := math.Log(1 / c.Alpha)
	l.Stop = p.N >= FewBlocks && l.LLR >= bound
	switch {
	case l.Stop:
		l.Reason = fmt.Sprintf("LLR %.2f reached %.2f after %d common blocks", l.LLR, bound, p.N)
	case p.N < FewBlocks:
		l.Reason = fmt.Sprintf("%d common blocks of at least %d", p.N, FewBlocks)
	default:
		l.Reason = fmt.Sprintf("LLR %.2f below %.2f after %d common blocks", l.LLR, bound, p.N)
	}
	return l, nil
}

// AttemptAlpha returns the level of one attempt at validation out of all that may
// ever be made on the same game, strategy and baseline: 6 alpha/(pi k)^2 for the
// k-th, which add up to alpha. With many attempts, a study exports noise with a chance of
// at most alpha.
//
// The first attempt keeps 61 % of alpha. Halving (alpha/2^k) was the other
// choice: it gives the second attempt more, but leaves the tenth a thousandth
// of alpha and the twentieth a millionth, where this leaves 1/160 and 1/660. A
// game that is tuned for long must stay provable.
func AttemptAlpha(alpha float64, attempt int) (float64, error) {
	if !(alpha > 0 && alpha <= 0.5) {
		return 0, fmt.Errorf("alpha: expected a number in (0, 0.5], got %v", alpha)
	}
	if attempt < 1 {
		return 0, fmt.Errorf("attempt: expected at least 1, got %d", attempt)
	}
	k := math.Pi * float64(attempt)
	return 6 * alpha / (k * k), nil
}

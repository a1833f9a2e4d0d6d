package stats

import (
	"fmt"
	"math"
)

// Verdict is what a test says.
type Verdict string

const (
	H1            Verdict = "H1"             // at least Elo1 rather than Elo0
	H0            Verdict = "H0"             // at most Elo0 rather than Elo1
	Continue      Verdict = "continue"       // play on
	Inconclusive  Verdict = "inconclusive"   // the maximum of blocks is reached
	NoInformation Verdict = "no information" // the blocks say nothing yet; play on
)

// Test is a sequential probability ratio test that always ends.
type Test struct {
	Hypotheses
	Alpha float64 // chance of H1 at Elo0, inside (0, 1/2]
	Beta  float64 // chance of H0 at Elo1, inside (0, 1/2]
	// MinBlocks is the least number of blocks to decide on. The likelihood ratio
	// of a handful is far from the random walk that the bounds suppose, and
	// waiting for [FewBlocks] costs nothing worth having.
	MinBlocks int64
	// MaxBlocks ends the test as inconclusive, in blocks. It is part of the
	// test: stopping there can only lower both chances of error.
	MaxBlocks int64
}

// FewBlocks is a good minimum of blocks for a test.
const FewBlocks = 16

// Unlimited is the maximum of a calculator that only looks at a test in
// progress and stops nothing.
const Unlimited = maxCount

// Validate tells what is wrong with the test, if anything.
func (t Test) Validate() error {
	if err := t.Hypotheses.Validate(); err != nil {
		return err
	}
	for _, e := range []struct {
		name string
		p    float64
	}{{"alpha", t.Alpha}, {"beta", t.Beta}} {
		if !(e.p >= 1e-12 && e.p <= 0.5) {
			return fmt.Errorf("%s: expected a number in [1e-12, 0.5], got %v", e.name, e.p)
		}
	}
	if t.MaxBlocks < 1 || t.MaxBlocks > Unlimited {
		return fmt.Errorf("max_blocks: expected a number in [1, 2^53], got %d", t.MaxBlocks)
	}
	if t.MinBlocks < 0 || t.MinBlocks > t.MaxBlocks {
		return fmt.Errorf("min_blocks: expected a number in [0, max_blocks], got %d", t.MinBlocks)
	}
	return nil
}

// Wald gives the bounds of the log-likelihood ratio, ln(beta/(1-alpha)) and
// ln((1-beta)/alpha). Source: A. Wald, Sequential Analysis (1947), chapter 3.
func Wald(alpha, beta float64) (lower, upper float64) {
	return math.Log(beta / (1 - alpha)), math.Log((1 - beta) / alpha)
}

// Result is one look at a test.
type Result struct {
	LLR          float64
	Exact        bool // see [Hypotheses.LLR]
	Lower, Upper float64
	Verdict      Verdict
	Reason       string // in words, for people
}

// Done tells whether the test has ended.
func (r Result) Done() bool { return r.Verdict != Continue && r.Verdict != NoInformation }

// Judge looks at all blocks played so far. It may be asked after every block or
// after any number of them.
func (t Test) Judge(b Blocks) (Result, error) {
	if err := t.Validate(); err != nil {
		return Result{}, err
	}
	llr, exact, err := t.LLR(b)
	if err != nil {
		return Result{}, err
	}
	r := Result{LLR: llr, Exact: exact}
	r.Lower, r.Upper = Wald(t.Alpha, t.Beta)
	n, silent := b.N(), b.Silent()
	switch {
	case silent != "" && n >= t.MaxBlocks:
		r.Verdict = Inconclusive
		r.Reason = fmt.Sprintf("no information after the maximum of %d blocks: %s", t.MaxBlocks, silent)
	case silent != "":
		r.Verdict, r.Reason = NoInformation, silent
	case n < t.MinBlocks:
		r.Verdict = Continue
		r.Reason = fmt.Sprintf("%d blocks of at least %d", n, t.MinBlocks)
	case llr >= r.Upper:
		r.Verdict = H1
		r.Reason = fmt.Sprintf("LLR %.2f reached %.2f after %d blocks", llr, r.Upper, n)
	case llr <= r.Lower:
		r.Verdict = H0
		r.Reason = fmt.Sprintf("LLR %.2f reached %.2f after %d blocks", llr, r.Lower, n)
	case n >= t.MaxBlocks:
		r.Verdict = Inconclusive
		r.Reason = fmt.Sprintf("LLR %.2f within (%.2f, %.2f) after the maximum of %d blocks", llr, r.Lower, r.Upper, t.MaxBlocks)
	default:
		r.Verdict = Continue
		r.Reason = fmt.Sprintf("LLR %.2f within (%.2f, %.2f) after %d blocks", llr, r.Lower, r.Upper, n)
	}
	return r, nil
}

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

// Validate returns an error about a wrong test.
func (t Test) Validate() error {
	if err := t.Hypotheses.validate(); err != nil {
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

// waldBounds gives the bounds of the log-likelihood ratio, ln(beta/(1-alpha)) and
// ln((1-beta)/alpha). Source: A. Wald, Sequential Analysis (1947), chapter 3.
func waldBounds(alpha, beta float64) (lower, upper float64) {
	return math.Log(beta / (1 - alpha)), math.Log((1 - beta) / alpha)
}

// Result is one look at a test.
type Result struct {
	LLR          float64
	Lower, Upper float64
	Verdict      Verdict
	Reason       string // in words, for people
}

// Done reports whether the test has ended.
func (r Result) Done() bool { return r.Verdict != Continue && r.Verdict != NoInformation }

// Judge looks at all blocks played so far. It may be asked after every block or
// after any number of them.
func (t Test) Judge(b Blocks) (Result, error) {
	if err := t.Validate(); err != nil {
		return Result{}, err
	}
	llr, _, err := t.LLR(b)
	if err != nil {
		return Result{}, err
	}
	r := Result{LLR: llr}
	r.Lower, r.Upper = waldBounds(t.Alpha, t.Beta)
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

// Truth is a supposed strength, to plan a test by.
type Truth struct {
	Elo          float64 // in the units of the test's model
	SD           float64 // standard deviation of a block's score, in (0, 1/2]
	Seats, Games int     // as of Blocks
}

// Characteristic is what a test will do if the truth is as supposed.
type Characteristic struct {
	H1, H0, Inconclusive float64 // chances, adding up to 1
	Blocks               float64 // expected number of blocks
}

// Plan reports what the test, judged every `every` blocks, does at a supposed
// truth: how long, and with which chance, a gain is proved. The path is taken
// as a Brownian motion, the minimum of blocks apart; simulations agree within a
// few per cent for tests of more than about 50 blocks.
func (t Test) Plan(truth Truth, every int64) (Characteristic, error) {
	if err := t.Validate(); err != nil {
		return Characteristic{}, err
	}
	switch {
	case t.Model == Bayesian:
		return Characteristic{}, fmt.Errorf("model: expected %s or %s, got %s", Normalized, Logistic, t.Model)
	case !(math.Abs(truth.Elo) <= maxBound):
		return Characteristic{}, fmt.Errorf("elo: expected a number in [-%d, %d], got %v", maxBound, maxBound, truth.Elo)
	case !(truth.SD > 0 && truth.SD <= 0.5):
		return Characteristic{}, fmt.Errorf("sd: expected a number in (0, 0.5], got %v", truth.SD)
	case truth.Seats < 2:
		return Characteristic{}, fmt.Errorf("seats: expected at least 2, got %d", truth.Seats)
	case truth.Games < 1:
		return Characteristic{}, fmt.Errorf("games: expected at least 1, got %d", truth.Games)
	case every < 1:
		return Characteristic{}, fmt.Errorf("every: expected at least 1 block between looks, got %d", every)
	}
	b := Blocks{Seats: truth.Seats, Games: truth.Games}
	s0, s1 := t.scores(b, truth.SD)
	_, score := Hypotheses{t.Model, 0, truth.Elo}.scores(b, truth.SD)
	path := t.path((s1-s0)/truth.SD, 1, every)
	drift := (score - (s0+s1)/2) / truth.SD
	n := float64(t.MaxBlocks)
	width := path.upper - path.lower
	end := min(n, settled*width*width)
	c := Characteristic{H1: path.hitUpper(end, drift), H0: path.hitLower(end, drift)}
	c.Inconclusive = max(1-c.H1-c.H0, 0)
	// Blocks: the chance of still running, integrated over a square-root scale
	// by Simpson's rule.
	const steps = 200
	root := math.Sqrt(end)
	for i := range steps + 1 {
		x := root * float64(i) / steps
		weight := []float64{2, 4}[i%2]
		if i == 0 || i == steps {
			weight = 1
		}
		c.Blocks += weight * 2 * x * path.above(x*x, path.lower, drift)
	}
	c.Blocks = max(c.Blocks*root/steps/3, float64(t.MinBlocks))
	return c, nil
}

// walk is a Brownian motion of unit variance per block that starts at 0 between
// two absorbing bounds: the path of a test, measured in standard deviations of
// a block's score. Probabilities come from the method of images; the sums end
// where the terms no longer count.
// Source: D. Siegmund, Sequential Analysis (1985), chapters III and X;
// I. Karatzas, S. Shreve, Brownian Motion and Stochastic Calculus, section 2.8.
type walk struct{ lower, upper float64 } // lower < 0 < upper

// overshoot is how far a discrete walk of unit normal steps passes a bound on
// average, -zeta(1/2)/sqrt(2 pi): bounds of a walk looked at every m blocks act
// like bounds moved outwards by overshoot sqrt(m).
const overshoot = 0.5825971579390107

// images is the most terms of a sum on either side.
const images = 4000

// settled is the time, in squared widths, after which practically no walk is left: at most
// exp(-pi^2/2 settled) of them.
const settled = 100

// hitUpper returns the chance of being absorbed above within the first n blocks,
// with the given drift per block.
func (w walk) hitUpper(n, drift float64) float64 {
	if n <= 0 {
		return 0
	}
	width := w.upper - w.lower
	n = min(n, settled*width*width)
	m, root := math.Abs(drift), math.Sqrt(n)
	sum := 0.0
	for i := range images {
		// The images of the bound at distance c above and below; the inverse
		// Gaussian distribution of each, tilted by the drift.
		term := 0.0
		for side := range 2 {
			c, sign := w.upper+2*float64(i)*width, 1.0
			if side == 1 {
				c, sign = 2*float64(i+1)*width-w.upper, -1.0
			}
			a := math.Exp(drift*w.upper - m*c + logPhi((m*n-c)/root))
			b := math.Exp(drift*w.upper + m*c + logPhi((-m*n-c)/root))
			term += sign * (a + b)
		}
		sum += term
		if math.Abs(term) < 1e-15 && 2*float64(i)*width > root {
			break
		}
	}
	return min(max(sum, 0), 1)
}

// hitLower returns the same below.
func (w walk) hitLower(n, drift float64) float64 {
	return walk{-w.upper, -w.lower}.hitUpper(n, -drift)
}

// above returns the chance of not being absorbed within n blocks and ending at x or
// higher.
func (w walk) above(n, x, drift float64) float64 {
	x = min(max(x, w.lower), w.upper)
	if n <= 0 {
		if x <= 0 {
			return 1
		}
		return 0
	}
	width, root := w.upper-w.lower, math.Sqrt(n)
	if n > settled*width*width {
		return 0
	}
	// One image at distance c adds e^(drift c) times the chance that it ends in
	// [x, upper].
	part := func(c float64) float64 {
		hi, lo := (w.upper-c-drift*n)/root, (x-c-drift*n)/root
		if lo > 0 { // the difference of the smaller tails
			hi, lo = -lo, -hi
		}
		p := logPhi(hi)
		q := logPhi(lo)
		return math.Exp(drift*c+p) * -math.Expm1(q-p)
	}
	sum := part(0) - part(2*w.upper)
	for i := 1; i < images; i++ {
		step := 2 * float64(i) * width
		term := part(step) - part(2*w.upper+step) + part(-step) - part(2*w.upper-step)
		sum += term
		if math.Abs(term) < 1e-15 && step > math.Abs(drift)*n && step > root {
			break
		}
	}
	return min(max(sum, 0), 1)
}

// logPhi returns the logarithm of the normal distribution function, also far out.
func logPhi(x float64) float64 {
	if x > -30 {
		return math.Log(math.Erfc(-x/math.Sqrt2) / 2)
	}
	// Mills' ratio; the next term is below 1e-8 here.
	xx := x * x
	return -xx/2 - math.Log(-x) - math.Log(2*math.Pi)/2 + math.Log1p(-1/xx+3/(xx*xx)-15/(xx*xx*xx))
}

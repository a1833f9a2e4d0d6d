package stats

import (
	"fmt"
	"math"
)

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

// Plan tells what the test, judged every `every` blocks, does at a supposed
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

package rating

import "math"

// Characteristic is what a test will do if the truth is as supposed.
type Characteristic struct {
	H1, H0, Inconclusive float64 // chances, adding up to 1
	Blocks               float64 // expected number of blocks
}

// Characteristic of the test, judged every `every` blocks, at a true mean block
// score with the given standard deviation of a block. It serves to plan: how
// long, and with which chance, a gain is proved. The path is taken as in
// [Test.Unbiased]; simulations agree within a few per cent.
func (t Test) Characteristic(seats, games int, score, sd float64, every int64) (Characteristic, error) {
	if err := t.Validate(); err != nil {
		return Characteristic{}, err
	}
	if !(score >= 0 && score <= 1) || !(sd > 0 && sd <= 1) || seats < 2 || games < 1 || every < 1 {
		return Characteristic{}, errPlan
	}
	s0, s1 := t.scores(Blocks{Seats: seats, Games: games}, sd)
	path := t.path((s1-s0)/sd, 1, every)
	drift := (score - (s0+s1)/2) / sd
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
	c.Blocks *= root / steps / 3
	return c, nil
}

type planError string

func (e planError) Error() string { return string(e) }

const errPlan = planError("score: expected a block score in [0, 1] and sd in (0, 1], at least 2 seats, 1 game and 1 block between looks")

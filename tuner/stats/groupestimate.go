package stats

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// Unbiased is the median-unbiased estimate after the test has come to the given
// blocks, at one of its looks, with the interval that covers the truth in 95 %
// of all runs whatever their verdict. Outcomes are ordered stage-wise, as in
// [Test.Unbiased]. A test that is not over yet is read as if it ended here.
// Source: Tsiatis, Rosner and Mehta (1984).
func (t *GroupTest) Unbiased(b Blocks) (Unbiased, error) {
	l, err := t.Judge(b)
	if err != nil {
		return Unbiased{}, err
	}
	u := Unbiased{Naive: b.Estimate()}
	if silent := b.Silent(); silent != "" {
		u.Reason = "no information: " + silent
		return u, nil
	}
	m := b.dispersed()
	if m.Variance == 0 { // all won or all lost: take the regularised counts
		cells, _ := b.regular()
		ones := make([]float64, len(cells))
		for i := range ones {
			ones[i] = 1
		}
		mean, sd := spread(cells, ones)
		m.Mean, m.Variance = mean, sd*sd
	}
	n, low := float64(m.N), Score(t.Elo0, t.Seats)
	noise := math.Sqrt((n*m.Variance + 0.25) / (n + 1)) // as in Test.Unbiased
	s := t.stages(noise, l.Look, false)
	x := n * (m.Mean - low) / noise
	atLeast := func(drift float64) float64 { return s.atLeast(x, drift) }
	if l.Verdict == H0 { // the same seen upside down
		turned := t.stages(noise, l.Look, true)
		atLeast = func(drift float64) float64 { return 1 - turned.atLeast(-x, -drift) }
	}
	score := func(chance float64) float64 {
		drift := solve(atLeast, chance, -low/noise, (1-low)/noise)
		return min(max(low+noise*drift, 0), 1)
	}
	u.Score = Known(score(0.5))
	u.ScoreCI = Interval{Known(score(0.025)), Known(score(0.975))}
	u.Elo = Known(Elo(u.Score.Value, t.Seats))
	u.EloCI = u.ScoreCI.elo(t.Seats)
	u.PValue = Known(atLeast(0))
	return u, nil
}

// stages are the looks up to the given one, as a walk that is at 0 where the
// mean is at Elo0, in standard deviations of a block; turned is the same seen
// upside down.
func (t *GroupTest) stages(noise float64, last int, turned bool) stages {
	times := make([]float64, last+1)
	for i, n := range t.looks[:last+1] {
		times[i] = float64(n)
	}
	return stagesAt(times, func(i int) walk {
		w := t.walkAt(i, noise)
		if turned {
			return walk{-w.upper, -w.lower}
		}
		return w
	})
}

// walkAt are the bounds of that walk at a look.
func (t *GroupTest) walkAt(i int, noise float64) walk {
	n := float64(t.looks[i])
	gap := (Score(t.Elo1, t.Seats) - Score(t.Elo0, t.Seats)) / noise
	upper := t.pass[i] * math.Sqrt(n)
	return walk{min(n*gap-t.fail[i]*math.Sqrt(n), upper), upper}
}

// Course is what a group-sequential test will do if the truth is as supposed.
type Course struct {
	Pass, Fail, Inconclusive float64 // chances, adding up to 1
	Blocks                   float64 // expected number of blocks
	Median                   int64   // blocks by which half of the runs have ended
}

// Plan tells what the test does at a supposed strength, in Elo, with the given
// standard deviation of a block's score, in (0, 1/2].
func (t *GroupTest) Plan(elo, sd float64) (Course, error) {
	if !(math.Abs(elo) <= maxBound) {
		return Course{}, fmt.Errorf("elo: expected a number in [-%d, %d], got %v", maxBound, maxBound, elo)
	}
	if !(sd > 0 && sd <= 0.5) {
		return Course{}, fmt.Errorf("sd: expected a number in (0, 0.5], got %v", sd)
	}
	drift := (Score(elo, t.Seats) - Score(t.Elo0, t.Seats)) / sd
	var c Course
	for k, n := range t.looks {
		w, before := t.walkAt(k, sd), c.Pass+c.Fail
		c.Pass = t.stages(sd, k, false).atLeast(w.upper, drift)
		c.Fail = t.stages(sd, k, true).atLeast(-w.lower, -drift)
		ended := min(c.Pass+c.Fail, 1)
		if k == len(t.looks)-1 {
			ended = 1
		}
		c.Blocks += float64(n) * (ended - before)
		if c.Median == 0 && ended >= 0.5 {
			c.Median = n
		}
	}
	c.Inconclusive = max(1-c.Pass-c.Fail, 0)
	return c, nil
}

// Provable is the gain above Elo0, in Elo, that a test of n blocks with the
// given standard deviation of a block proves with the given chance, as a test
// of fixed length would: what a budget is good for.
func (g Group) Provable(sd, chance float64) float64 {
	return Elo(Score(g.Elo0, g.Seats)+g.Errors(chance)*sd/math.Sqrt(float64(g.MaxBlocks)), g.Seats) - g.Elo0
}

// Errors is how many standard errors a gain is, with the given chance, that a test of fixed
// length at this alpha proves.
func (g Group) Errors(chance float64) float64 {
	return distuv.UnitNormal.Quantile(1-g.Alpha) + distuv.UnitNormal.Quantile(chance)
}

// Conditional is the estimate for a test that has passed, in Elo, allowing for
// that only passes are looked at: the strength at which half of all runs that
// pass do at least as well as this one, and Elo0 where even that is too high.
// Among few games only lucky runs pass, and the plain estimate of those is too
// high; see docs/statistics.md. Undefined for a test that has not passed.
func (t *GroupTest) Conditional(b Blocks) (Number, error) {
	l, err := t.Judge(b)
	if err != nil || l.Verdict != H1 || b.Silent() != "" {
		return Number{}, err
	}
	m := b.dispersed()
	if m.Variance == 0 {
		return Number{}, nil
	}
	low, noise := Score(t.Elo0, t.Seats), math.Sqrt((float64(m.N)*m.Variance+0.25)/float64(m.N+1))
	seen, all := t.stages(noise, l.Look, false), t.stages(noise, len(t.looks)-1, false)
	x, end := float64(m.N)*(m.Mean-low)/noise, t.walkAt(len(t.looks)-1, noise).upper
	share := func(drift float64) float64 {
		passes := all.atLeast(end, drift)
		if passes <= 0 {
			return 0
		}
		return seen.atLeast(x, drift) / passes
	}
	drift := solve(share, 0.5, 0, (1-low)/noise)
	return Known(Elo(min(low+noise*drift, 1), t.Seats)), nil
}

// Takes says in words what it would take to decide, after a test that did not:
// how many different blocks prove the gain that was seen, if it is true, in four
// of five tests.
func (t *GroupTest) Takes(b Blocks) string {
	m := b.dispersed()
	gap := m.Mean - Score(t.Elo0, t.Seats)
	seen := Known(Elo(m.Mean, t.Seats) - t.Elo0).Or(0)
	if gap <= 0 || m.Variance == 0 {
		return "no gain was seen that more blocks could prove"
	}
	z := t.Errors(0.8)
	n := math.Ceil(z * z * b.Moments().Variance / (gap * gap))
	return fmt.Sprintf("to prove the %+.1f Elo that were seen, if they are true, takes about %.0f different blocks", seen, n)
}

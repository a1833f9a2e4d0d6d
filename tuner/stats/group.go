package stats

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// Group is a group-sequential test of one mean block score: it looks at the
// blocks a few times and may stop at each look, with bounds that keep its two
// chances of error over all looks together.
//
//	plan := stats.Group{Elo0: 0, Elo1: 10, Seats: 2, Alpha: .025, Beta: .05, MaxBlocks: 2000}
//	look, err := plan.Judge(blocks) // after every number of blocks in plan.Looks()
//
// It passes when the mean is above Elo0: the chance of a pass at Elo0 or below
// is Alpha. It fails when the mean is below Elo1: the chance of that at Elo1 or
// above is Beta. The bounds of the two are found apart from each other, so that
// each chance holds even where the other stop is not obeyed. Between the last
// two bounds it ends inconclusive.
//
// Alpha is spent by the function alpha t^spending of the share t of the blocks
// that is played: little at the first looks, so that nearly all of the power of
// a test of fixed length is kept. Tried: O'Brien and Fleming's function, which
// stops a gain of 40 Elo some 60 % later, and Pocock's, which loses up to a
// tenth of the power at the end.
//
// Source: Kim and DeMets (1987) for the spending function; Jennison and
// Turnbull, Group Sequential Methods (2000), chapters 7 and 8, and section 3.8
// for the use of Student's distribution.
type Group struct {
	Elo0, Elo1 float64 // logistic Elo, Elo0 < Elo1
	Seats      int     // of the game, as of Blocks
	Alpha      float64 // chance of a pass at Elo0, inside (0, 1/2]
	Beta       float64 // chance of a fail at Elo1, inside (0, 1/2]
	MaxBlocks  int64   // at the last look
	Once       bool    // look only there: a test of fixed length
}

// spending is the power of t in the spending function.
const spending = 2

// groupShares are the shares of the blocks at which a group-sequential test looks.
// They are dense at first, where a clear answer saves most.
var groupShares = []float64{0.05, 0.075, 0.1, 0.125, 0.15, 0.175, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1}

// Validate returns an error about a wrong plan.
func (g Group) Validate() error {
	if err := (Hypotheses{Logistic, g.Elo0, g.Elo1}).validate(); err != nil {
		return err
	}
	if g.Seats < 2 {
		return fmt.Errorf("seats: expected at least 2, got %d", g.Seats)
	}
	return Test{Hypotheses: Hypotheses{Logistic, g.Elo0, g.Elo1}, Alpha: g.Alpha, Beta: g.Beta, MaxBlocks: g.MaxBlocks}.Validate()
}

// Looks returns the numbers of blocks at which the test looks, ascending; the last
// is MaxBlocks. None is below FewBlocks but the last.
func (g Group) Looks() []int64 {
	if g.Once {
		return []int64{g.MaxBlocks}
	}
	var looks []int64
	for _, share := range groupShares {
		n := int64(math.Ceil(share * float64(g.MaxBlocks)))
		if n < min(FewBlocks, g.MaxBlocks) || slices.Contains(looks, n) {
			continue
		}
		looks = append(looks, n)
	}
	return looks
}

// GroupTest is a group-sequential test with its bounds.
type GroupTest struct {
	Group
	looks      []int64
	pass, fail []float64 // normal deviates to be reached at each look
}

// Prepare works out the bounds, which takes some hundredths of a second.
func (g Group) Prepare() (*GroupTest, error) {
	if err := g.Validate(); err != nil {
		return nil, err
	}
	t := &GroupTest{Group: g, looks: g.Looks()}
	t.pass, t.fail = g.bounds(g.Alpha, t.looks), g.bounds(g.Beta, t.looks)
	return t, nil
}

// GroupLook is what a group-sequential test says at one of its looks.
type GroupLook struct {
	Look    int     // from 0
	Blocks  int64   // that the look judged
	Verdict Verdict // H1, H0, Continue, Inconclusive
	// Above is how far the mean lies above Elo0 and Below how far below Elo1, in
	// standard errors, brought to the scale of the normal distribution; Pass and
	// Fail are the bounds that they must reach.
	Above, Below float64
	Pass, Fail   float64
	Reason       string // in words, for people
}

// Done reports whether the test has ended.
func (l GroupLook) Done() bool { return l.Verdict != Continue }

// Judge looks at the blocks, whose number must be one of Looks.
func (t *GroupTest) Judge(b Blocks) (GroupLook, error) {
	if err := b.Validate(); err != nil {
		return GroupLook{}, err
	}
	k := slices.Index(t.looks, b.N())
	if k < 0 || b.Seats != t.Seats {
		return GroupLook{}, fmt.Errorf("blocks: expected one of %v of %d seats, got %d of %d", t.looks, t.Seats, b.N(), b.Seats)
	}
	l := GroupLook{
		Look: k, Blocks: b.N(), Verdict: Continue,
		Above: b.above(Score(t.Elo0, t.Seats)), Below: -b.above(Score(t.Elo1, t.Seats)),
		Pass: t.pass[k], Fail: t.fail[k],
	}
	switch {
	case l.Above >= l.Pass:
		l.Verdict = H1
		l.Reason = fmt.Sprintf("%.2f standard errors above %s Elo, at least %.2f are needed, after %d of %d blocks", l.Above, bare(t.Elo0), l.Pass, l.Blocks, t.MaxBlocks)
	case l.Below >= l.Fail:
		l.Verdict = H0
		l.Reason = fmt.Sprintf("%.2f standard errors below %s Elo, at least %.2f are needed, after %d of %d blocks", l.Below, bare(t.Elo1), l.Fail, l.Blocks, t.MaxBlocks)
	case k == len(t.looks)-1:
		l.Verdict = Inconclusive
		l.Reason = fmt.Sprintf("%.2f standard errors above %s Elo, %.2f are needed to pass, and %.2f below %s Elo, %.2f are needed to fail, after all %d blocks",
			l.Above, bare(t.Elo0), l.Pass, l.Below, bare(t.Elo1), l.Fail, l.Blocks)
	default:
		l.Reason = fmt.Sprintf("%d of %d blocks", l.Blocks, t.MaxBlocks)
	}
	return l, nil
}

// bounds returns the normal deviates to be reached at each look so that the chance
// of reaching one of them, without any drift, is spent as the plan says.
func (g Group) bounds(chance float64, looks []int64) []float64 {
	var s stages
	deviates := make([]float64, len(looks))
	for k, n := range looks {
		s.last = float64(n)
		root := math.Sqrt(s.last)
		goal := chance * math.Pow(s.last/float64(g.MaxBlocks), spending)
		// The chance falls with the bound; solve wants it to rise.
		deviates[k] = -solve(func(z float64) float64 { return s.atLeast(-z*root, 0) }, goal, -12, 12)
		every := s.last
		if k > 0 {
			every -= float64(looks[k-1])
		}
		s.add(s.last, walk{-12 * root, deviates[k] * root}, every)
	}
	return deviates
}

// above returns how far the mean lies above a score, as the normal deviate with the same
// tail. It is the smaller of two values, each of which is careful where the other is not.
// Student's t uses the spread that was seen, which claims too much if a rare bad block has
// not been seen yet; the signed root of the likelihood ratio allows for such blocks. Source
// of the second: A. Owen, Empirical Likelihood (2001), section 2.3.
func (b Blocks) above(score float64) float64 {
	m := b.Moments()
	n := float64(b.effective())
	gap := m.Mean - score
	if n < 2 || gap == 0 {
		return 0
	}
	if cell, ok := b.single(); ok && b.Placed == nil {
		if cell > 0 && cell < len(b.Counts)-1 {
			return 0 // the blocks are silent
		}
		// All won or all lost: no distribution with that mean makes it likelier.
		chance := score
		if gap < 0 {
			chance = 1 - score
		}
		return math.Copysign(-distuv.UnitNormal.Quantile(max(math.Pow(chance, n), 1e-300)), gap)
	}
	t := math.Abs(gap) / math.Sqrt(m.Variance/(n-1))
	tail := distuv.StudentsT{Sigma: 1, Nu: n - 1}.CDF(-t)
	z := t
	if tail > 1e-300 {
		z = -distuv.UnitNormal.Quantile(tail)
	}
	if b.Placed != nil { // placements are shares: none of them is rare and far out
		return math.Copysign(max(z, 0), gap)
	}
	cells, total := b.regular()
	d, w := make([]float64, len(cells)), make([]float64, len(cells))
	if atMean(cells, score, d, w) {
		ratio := 0.0
		for i, c := range cells {
			ratio += c.share * math.Log(w[i])
		}
		z = min(z, math.Sqrt(2*max(ratio, 0)*total*n/float64(m.N)))
	}
	return math.Copysign(max(z, 0), gap)
}

// bare returns a number of Elo with no more digits than it needs.
func bare(elo float64) string { return Known(elo).String() }

// Unbiased returns the median-unbiased estimate after the test has come to the given
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
	m := b.varied()
	n, low := float64(m.N), Score(t.Elo0, t.Seats)
	noise := m.noise()
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

// stages returns the looks up to the given one, as a walk that is at 0 where the
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

// walkAt returns the bounds of that walk at a look.
func (t *GroupTest) walkAt(i int, noise float64) walk {
	n := float64(t.looks[i])
	gap := (Score(t.Elo1, t.Seats) - Score(t.Elo0, t.Seats)) / noise
	upper := t.pass[i] * math.Sqrt(n)
	return walk{min(n*gap-t.fail[i]*math.Sqrt(n), upper), upper}
}

// Course is what a group-sequential test will do if the truth is as supposed.
type Course struct {
	Pass, Fail float64 // chances
	Blocks     float64 // expected number of blocks
	Median     int64   // blocks by which half of the runs have ended
}

// Plan reports what the test does at a supposed strength, in Elo, with the given
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
	return c, nil
}

// Provable returns the gain above Elo0, in Elo, that a test of n blocks with the
// given standard deviation of a block proves with the given chance, as a test
// of fixed length would: what a budget is good for.
func (g Group) Provable(sd, chance float64) float64 {
	return Elo(Score(g.Elo0, g.Seats)+g.Errors(chance)*sd/math.Sqrt(float64(g.MaxBlocks)), g.Seats) - g.Elo0
}

// Errors returns how many standard errors a gain is, with the given chance, that a test of
// fixed length at this alpha proves.
func (g Group) Errors(chance float64) float64 {
	return distuv.UnitNormal.Quantile(1-g.Alpha) + distuv.UnitNormal.Quantile(chance)
}

// NoGainSeen is what a test says that did not decide where more blocks would not either.
const NoGainSeen = "no gain was seen that more blocks could prove"

// Takes describes in words what it would take to decide, after a test that did not:
// how many different blocks prove the gain that was seen, if it is true, in four
// of five tests.
func (t *GroupTest) Takes(b Blocks) string {
	m := b.dispersed()
	gap := m.Mean - Score(t.Elo0, t.Seats)
	seen := Known(Elo(m.Mean, t.Seats) - t.Elo0).Or(0)
	if gap <= 0 || m.Variance == 0 {
		return NoGainSeen
	}
	z := t.Errors(0.8)
	n := math.Ceil(z * z * b.Moments().Variance / (gap * gap))
	return fmt.Sprintf("to prove the %+.1f Elo that were seen, if they are true, takes about %.0f different blocks", seen, n)
}

package stats

import (
	"fmt"
	"math"
	"slices"
)

// Unbiased is an estimate that allows for early stopping: a test that stops
// when it looks good reports too much if its blocks are read like a fixed
// number of them.
type Unbiased struct {
	// Elo is above the truth as often as below; EloCI covers it in 95 % of all
	// runs, whatever their verdict.
	Elo   Number
	EloCI Interval
	// Score and ScoreCI are the same as block scores.
	Score   Number
	ScoreCI Interval
	// Naive is the estimate that takes the number of blocks as fixed.
	Naive Estimate
	// PValue is the chance, at Elo0, of an outcome at least as good.
	PValue Number
	Reason string // why the others are undefined, when they are
}

// Unbiased is the median-unbiased estimate after the test, judged every `every`
// blocks once it has its minimum, has come to the given blocks. Outcomes are
// ordered stage-wise: stopping above early is best, stopping above late is
// next, then reaching the end, then stopping below late, then early; within one
// look a higher mean is better. A test that is not over yet is read as if it
// ended here.
//
// The chance of an outcome at least as good as the one seen rises with the true
// score; the estimate is the score at which it is 1/2, the interval's ends
// those at which it is .025 and .975. The path is taken as a random walk: exactly
// for up to 200 looks, in continuous time with the bounds moved outwards for
// more. Its variance is the one seen and one more block of the largest variance
// there is, 1/4: after a few blocks the one seen may be next to nothing.
// Source: Tsiatis, Rosner and Mehta (1984); Siegmund (1985), section IV.5.
func (t Test) Unbiased(b Blocks, every int64) (Unbiased, error) {
	if every < 1 {
		return Unbiased{}, fmt.Errorf("every: expected at least 1 block between looks, got %d", every)
	}
	r, err := t.Judge(b)
	if err != nil {
		return Unbiased{}, err
	}
	u := Unbiased{Naive: b.Estimate()}
	if silent := b.Silent(); silent != "" {
		u.Reason = "no information: " + silent
		return u, nil
	}
	if u.Reason = t.unreachable(b, r, every); u.Reason != "" {
		return u, nil
	}
	o := t.order(b, r, every)
	// The chance goes from 0 to 1 between the drifts of all lost and all won.
	score := func(chance float64) float64 {
		drift := solveNear(o.atLeast, chance, (u.Naive.Score.Value-o.mid)/o.noise, 1/math.Sqrt(float64(b.N())), -o.mid/o.noise, (1-o.mid)/o.noise)
		return min(max(o.mid+o.noise*drift, 0), 1)
	}
	u.Score = Known(score(0.5))
	u.ScoreCI = Interval{Known(score(0.025)), Known(score(0.975))}
	u.Elo = Known(Elo(u.Score.Value, b.Seats))
	u.EloCI = u.ScoreCI.elo(b.Seats)
	u.PValue = Known(o.atLeast((o.s0 - o.mid) / o.noise))
	return u, nil
}

// leeway is the share of the way between the bounds by which a ratio may be beyond its
// bound though no single look brings it there: tests are reported a few games late, which
// moves the estimate by less than a fifth of its interval's half-width.
const leeway = 0.02

// unreachable says why no test that is judged every `every` blocks ends at the blocks: one
// look before, it had ended already, whichever blocks came last. It is empty where one does.
func (t Test) unreachable(b Blocks, r Result, every int64) string {
	over, bound, best := r.LLR-r.Upper, r.Upper, true
	if r.LLR <= r.Lower {
		over, bound, best = r.Lower-r.LLR, r.Lower, false
	}
	before := b.N() - every
	if !(over > leeway*(r.Upper-r.Lower)) || before < max(t.MinBlocks, 1) || b.Placed != nil {
		return ""
	}
	last := b
	last.Counts = slices.Clone(b.Counts)
	for i := range last.Counts {
		if best { // the blocks that brought it there are the best at the most
			i = len(last.Counts) - 1 - i
		}
		taken := min(every, last.Counts[i])
		last.Counts[i] -= taken
		every -= taken
	}
	if b.Distinct > 0 {
		last.Distinct = max(b.Distinct*before/b.N(), 1)
	}
	llr, _, err := t.LLR(last)
	if err != nil || best && llr < r.Upper || !best && llr > r.Lower {
		return ""
	}
	return fmt.Sprintf("the ratio %.2f is beyond its bound %.2f by more than one look can move it: the test did not stop where it should have, so nothing is known of when it would stop; \"every\" is the blocks between looks",
		r.LLR, bound)
}

// solveNear is solve, looking first within width of a likely place, and then further and
// further away, up to lo and hi: far from there the chance is not exact.
func solveNear(rising func(float64) float64, value, near, width, lo, hi float64) float64 {
	from, to := max(near-width, lo), min(near+width, hi)
	for w := width; from > lo && rising(from) > value; w *= 2 {
		from = max(from-w, lo)
	}
	for w := width; to < hi && rising(to) < value; w *= 2 {
		to = min(to+w, hi)
	}
	return solve(rising, value, from, to)
}

// solve finds where a rising function takes a value between lo and hi, or the
// end that comes nearest.
func solve(rising func(float64) float64, value, lo, hi float64) float64 {
	for range 40 {
		mid := (lo + hi) / 2
		if rising(mid) < value {
			lo = mid
		} else {
			hi = mid
		}
	}
	return (lo + hi) / 2
}

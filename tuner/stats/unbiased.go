package stats

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
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

// Unbiased returns the median-unbiased estimate after the test, judged every `every` blocks
// once it has its minimum, has come to the given blocks. Outcomes are ordered stage-wise:
// stopping above early is best, stopping above late is next, then reaching the end, then
// stopping below late, then early; within one look a higher mean is better. A test that is
// not over yet is read as if it ended here.
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

// leeway is the share of the way between the bounds by which a ratio may be beyond its bound
// though no single look brings it there. Tests are reported a few games late, which moves the
// estimate by less than a fifth of its interval's half-width.
const leeway = 0.02

// unreachable reports why no test that is judged every `every` blocks ends at the blocks:
// one look before, it had ended already, whichever blocks came last. It is empty where one
// does.
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

// solveNear does what solve does, looking first within width of a likely place, and then
// further and further away, up to lo and hi: far from there the chance is not exact.
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

// order is the stage-wise order of outcomes about one that was seen.
type order struct {
	s0    float64 // block score of the lower hypothesis
	mid   float64 // block score at which the path has no drift
	noise float64 // standard deviation of a block
	// atLeast is the chance of an outcome at least as good, given the drift of
	// the path: (score - mid)/noise per block.
	atLeast func(drift float64) float64
}

// order returns the place in the order of the outcome of a test that is judged every
// `every` blocks. The blocks must not be silent.
func (t Test) order(b Blocks, r Result, every int64) order {
	m := b.varied()
	n, sd, step, games := float64(m.N), math.Sqrt(m.Variance), float64(every), b.Games
	if b.Placed != nil {
		games = 1 // as in Hypotheses.placed
	}
	s0, s1 := t.scores(b, sd)
	o := order{s0: s0, mid: (s0 + s1) / 2, noise: m.noise()}
	x := n * (m.Mean - o.mid) / o.noise

	first := step * math.Ceil(max(float64(t.MinBlocks), 1)/step)
	if (n-first)/step <= maxLooks {
		limit := math.Abs(x) + 12*math.Sqrt(n) // nothing comes here and back
		bounds := func(time float64) (walk, bool) { return t.boundsAt(time, (s1-s0)/sd, sd/o.noise, games) }
		if r.LLR <= r.Lower { // the same seen upside down
			s := newStages(func(time float64) (walk, bool) {
				w, ok := bounds(time)
				return walk{-w.upper, -w.lower}, ok
			}, limit, first, step, n)
			o.atLeast = func(drift float64) float64 { return 1 - s.atLeast(-x, -drift) }
			return o
		}
		s := newStages(bounds, limit, first, step, n)
		o.atLeast = func(drift float64) float64 { return s.atLeast(x, drift) }
		return o
	}
	path := t.path((s1-s0)/sd, sd/o.noise, every)
	switch {
	case r.LLR >= r.Upper:
		o.atLeast = func(drift float64) float64 { return path.hitUpper(n, drift) }
	case r.LLR <= r.Lower:
		o.atLeast = func(drift float64) float64 { return 1 - path.hitLower(n, drift) }
	default:
		o.atLeast = func(drift float64) float64 { return path.hitUpper(n, drift) + path.above(n, x, drift) }
	}
	return o
}

// path returns the random walk that the log-likelihood ratio amounts to in the long
// run: Wald's bounds over the gap between the hypotheses in standard deviations
// of a block, moved outwards for looks every so many blocks. scale turns the
// standard deviations seen into those of the walk.
func (t Test) path(gap, scale float64, every int64) walk {
	lower, upper := waldBounds(t.Alpha, t.Beta)
	beyond := overshoot * math.Sqrt(float64(every))
	return walk{lower/gap*scale - beyond, upper/gap*scale + beyond}
}

// boundsAt returns the bounds of the walk after n blocks. The ratio of hypotheses gap apart is
// nearly n g/2 ln((1 + (z+h)^2/g)/(1 + (z-h)^2/g)), with z the mean from the middle in standard
// deviations and h half of the gap. g is the games in a block under normalised bounds, else 1.
// It is Wald's, 2 n h z, only for small z. After few blocks no mean reaches the bounds.
func (t Test) boundsAt(n, gap, scale float64, games int) (walk, bool) {
	g := 1.0
	if t.Model == Normalized {
		g = float64(games)
	}
	h := gap / 2
	reach := func(bound float64) (float64, bool) {
		e := math.Expm1(2 * bound / (n * g)) // (1+(z+h)^2/g) = (1+e)(1+(z-h)^2/g)
		root := h*h*(2+e)*(2+e) - e*e*(h*h+g)
		z := e * (h*h + g) / (h*(2+e) + math.Sqrt(max(root, 0)))
		return n * z * scale, root >= 0
	}
	lower, upper := waldBounds(t.Alpha, t.Beta)
	up, above := reach(upper)
	down, below := reach(-lower)
	return walk{-down, up}, above || below
}

// stages is a test that is looked at a limited number of times: a random walk
// of unit variance per block, with bounds of its own at every look. Unlike
// [walk] it is exact for the looks it has, which matters where one look carries
// much: a walk with a strong drift stops at the first look, and how far it got
// says all there is to say.
//
// Everything is built from r, the chance of not having stopped before, given
// where the walk is now. A drift does not change it (given its ends a walk is a
// bridge), so one pass serves every drift.
// Source: P. Armitage, C. K. McPherson, B. C. Rowe (1969), in the form of
// bridges; Jennison and Turnbull, Group Sequential Methods (2000), chapter 19.
type stages struct {
	looks []look  // before the last one
	last  float64 // time of the last look, blocks
}

// look is one time at which the walk may stop.
type look struct {
	time   float64 // blocks
	bounds walk
	in     grid // between the bounds
	out    grid // beyond the upper bound
	// inside and beyond are r at the nodes of in and out.
	inside, beyond []float64
}

// maxLooks is the most looks that are worth the time; beyond it the walk in
// continuous time is as good.
const maxLooks = 200

// newStages returns the looks at first, first+every, ... before last, and at last.
// bounds gives the bounds at a time, and false where the test cannot stop. A
// bound further out than limit is as good as none and is held there.
func newStages(bounds func(time float64) (walk, bool), limit, first, every, last float64) stages {
	s := stages{last: last}
	// Where the walk has so much room that its steps would fall between the
	// nodes, fewer looks will do.
	if coarse := 2 * limit / (3 * maxPanels); coarse*coarse > every {
		if b, ok := bounds(last); !ok || b.upper-b.lower > 3*maxPanels*math.Sqrt(every) {
			every *= math.Ceil(coarse * coarse / every)
			first = every * math.Ceil(first/every)
		}
	}
	for t := first; t < last; t += every {
		if b, ok := bounds(t); ok {
			s.add(t, walk{max(b.lower, -limit), min(b.upper, limit)}, every)
		}
	}
	return s
}

// stagesAt returns the looks at the given times, ascending; the last is the one at
// which the walk ends. A bound may be infinite.
func stagesAt(times []float64, bounds func(look int) walk) stages {
	s := stages{last: times[len(times)-1]}
	for i, t := range times[:len(times)-1] {
		b, every, limit := bounds(i), t, 12*math.Sqrt(s.last)
		if i > 0 {
			every = t - times[i-1]
		}
		s.add(t, walk{max(b.lower, -limit), min(b.upper, limit)}, every)
	}
	return s
}

// add computes a further look at time t, every blocks after the one before.
func (s *stages) add(t float64, b walk, every float64) {
	l := look{time: t, bounds: b}
	width := 3 * math.Sqrt(min(every, t))
	l.in = newGrid(b.lower, b.upper, width)
	if len(s.looks) == 0 {
		l.inside = make([]float64, len(l.in.x))
		for i := range l.inside {
			l.inside[i] = 1
		}
		s.looks = append(s.looks, l)
		return
	}
	// The walk passes the bound by a few steps, and by the drift of one stage; with more
	// drift it would have stopped at the first look.
	start := s.looks[0]
	before := s.looks[len(s.looks)-1]
	step := t - before.time
	reach := 6*math.Sqrt(step) + step*(start.bounds.upper+5*math.Sqrt(start.time))/start.time
	l.out = newGrid(b.upper, b.upper+reach, width)
	l.inside = before.carry(t, l.in.x)
	l.beyond = before.carry(t, l.out.x)
	s.looks = append(s.looks, l)
}

// carry takes r from one look to the places x of the next.
func (l look) carry(now float64, x []float64) []float64 {
	out := make([]float64, len(x))
	sd := math.Sqrt(l.time * (now - l.time) / now)
	for i, y := range x {
		mean := y * l.time / now
		sum := 0.0
		for k, z := range l.in.x {
			if d := (z - mean) / sd; math.Abs(d) < 7 {
				sum += l.in.weight[k] * l.inside[k] * math.Exp(-d*d/2)
			}
		}
		out[i] = min(sum/(sd*math.Sqrt(2*math.Pi)), 1)
	}
	return out
}

// atLeast returns the chance, with the given drift per block, of stopping above at
// an earlier look, or of reaching the last one and being at x or higher.
func (s stages) atLeast(x, drift float64) float64 {
	if len(s.looks) == 0 {
		return distuv.UnitNormal.CDF((drift*s.last - x) / math.Sqrt(s.last))
	}
	first := s.looks[0]
	sum := distuv.UnitNormal.CDF((drift*first.time - first.bounds.upper) / math.Sqrt(first.time))
	for _, l := range s.looks[1:] {
		for i, y := range l.out.x {
			sum += l.out.weight[i] * l.beyond[i] * density(y, l.time, drift)
		}
	}
	l := s.looks[len(s.looks)-1]
	step := s.last - l.time
	for i, y := range l.in.x {
		if g := l.in.weight[i] * l.inside[i] * density(y, l.time, drift); g > 1e-12 {
			sum += g * distuv.UnitNormal.CDF((y+drift*step-x)/math.Sqrt(step))
		}
	}
	return min(max(sum, 0), 1)
}

// density returns the density of the unstopped random walk at y after t blocks.
func density(y, t, drift float64) float64 {
	d := (y - drift*t) / math.Sqrt(t)
	if math.Abs(d) > 38 {
		return 0
	}
	return math.Exp(-d*d/2) / math.Sqrt(2*math.Pi*t)
}

// grid is a rule of integration.
type grid struct{ x, weight []float64 }

// maxPanels is the most panels of a grid.
const maxPanels = 100

// newGrid covers an interval with panels of about the given width, of six
// Gauss-Legendre nodes each.
func newGrid(from, to, width float64) grid {
	panels := int(min(max(math.Ceil((to-from)/width), 1), maxPanels))
	half := (to - from) / float64(panels) / 2
	node := [3]float64{0.2386191860831969, 0.6612093864662645, 0.9324695142031521}
	weight := [3]float64{0.4679139345726910, 0.3607615730481386, 0.1713244923791704}
	var g grid
	for p := range panels {
		centre := from + half*float64(2*p+1)
		for side := -1.0; side <= 1; side += 2 {
			for i := range node {
				g.x = append(g.x, centre+side*half*node[i])
				g.weight = append(g.weight, half*weight[i])
			}
		}
	}
	return g
}

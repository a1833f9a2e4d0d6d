package bench

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Sequential judges two sides while they are being measured: it looks at them
// after a few numbers of rounds, decides what is clear, and says of what more
// rounds are wanted. Its decisions do not change later.
//
//	s := bench.NewSequential(bench.Policy{}, 20)
//	open := s.Look(comparison, noise, rounds) // after each number of rounds in s.Looks(), until nothing is open
//	gate := s.Gate(comparison, noise)
//
// A series fails as the gate's policy says, but at the part of the policy's alpha
// that its look may spend: by the square of the share of the rounds, so that most
// is left for the last look. The chance of a false alarm over all looks together
// is at most alpha, whatever the looks have in common, since it is at most the sum
// of what each may spend. A series passes before the last look only if a slowdown
// beyond the limit is ruled out, or if it is exact; at the last one as the policy
// says.
//
// Source: Kim and DeMets (1987) for spending by a power of the share.
type Sequential struct {
	policy  Policy
	looks   []int
	spent   float64 // of alpha
	decided map[Series]decision
}

// decision is what one look decided of a series.
type decision struct {
	kind    kind
	finding Finding
}

// kind is the list of the gate in which a series ends.
type kind int

const (
	passed kind = iota
	noted
	failed
)

// sequentialShares are the shares of the rounds at which it looks: none where
// nothing could be proved yet.
var sequentialShares = []float64{0.3, 0.4, 0.5, 0.6, 0.8, 1}

// NewSequential plans looks at a comparison of at most so many rounds.
func NewSequential(p Policy, rounds int) *Sequential {
	s := &Sequential{policy: p.filled(), decided: map[Series]decision{}}
	for _, share := range sequentialShares {
		if n := int(math.Ceil(share*float64(rounds) - 1e-9)); (n >= 5 || n == rounds) && !slices.Contains(s.looks, n) {
			s.looks = append(s.looks, n)
		}
	}
	return s
}

// Looks returns the numbers of rounds at which it looks, ascending.
func (s *Sequential) Looks() []int { return s.looks }

// Look judges what is open after so many rounds, which is one of Looks, and
// returns the series of which more rounds are wanted.
func (s *Sequential) Look(c *Comparison, noise map[Series]float64, rounds int) (open []Series) {
	last := s.looks[len(s.looks)-1]
	share := float64(min(rounds, last)) / float64(last)
	return s.judge(c, noise, s.policy.Alpha*share*share, rounds >= last)
}

// judge looks once, with the part of alpha that may be spent by then.
func (s *Sequential) judge(c *Comparison, noise map[Series]float64, until float64, last bool) (open []Series) {
	p := s.policy
	p.Noise = noise
	p.Alpha = math.Max(until-s.spent, math.SmallestNonzeroFloat64)
	s.spent = math.Max(s.spent, until)
	g := Judge(c, p)
	told := map[Series]decision{}
	for _, f := range g.Notes {
		told[f.Row.Series] = decision{noted, f}
	}
	for _, f := range g.Failures {
		told[f.Row.Series] = decision{failed, f}
	}
	doubtful := map[Series]bool{}
	for _, f := range g.Doubts {
		doubtful[f.Row.Series] = true
	}
	for i := range c.Rows {
		r := &c.Rows[i]
		if _, done := s.decided[r.Series]; done || !r.Paired() {
			continue
		}
		d := told[r.Series]
		switch {
		case d.kind == failed:
		case doubtful[r.Series], !last && !r.harmless(p):
			open = append(open, r.Series)
			continue
		}
		s.decided[r.Series] = d
	}
	return open
}

// harmless reports whether a slowdown beyond the limit is ruled out.
func (r *Row) harmless(p Policy) bool {
	if r.weight != weightFull || r.Exact && (r.earned() || r.Old.gap(r.New) <= 0) || r.Better == 0 || r.constant() {
		return true
	}
	if r.Series.timed() { // there are several looks: a noise floor is no reason to stop at one
		return r.farWorse() <= p.Threshold
	}
	return r.farWorse() <= math.Max(p.Threshold, p.NoiseFactor*p.Noise[r.Series])
}

// Gate returns the verdict after the last round, whenever that was: what is open then
// is judged with all of alpha that was not spent.
func (s *Sequential) Gate(c *Comparison, noise map[Series]float64) Gate {
	open := s.judge(c, noise, s.policy.Alpha, true)
	p := s.policy
	p.Noise = noise
	last := Judge(c, p)
	g := Gate{Power: last.Power}
	for i := range c.Rows {
		d, ok := s.decided[c.Rows[i].Series]
		switch {
		case !ok:
		case d.kind == failed:
			g.Failures = append(g.Failures, d.finding)
		case d.kind == noted:
			g.Notes = append(g.Notes, d.finding)
		}
	}
	for _, list := range [][]Finding{last.Doubts, last.Failures} {
		for _, f := range list {
			// Series that are on one side only, and those that were in doubt to the end. A
			// series that fails with all of alpha but not with the part that was left is in
			// doubt.
			if !f.Row.Paired() || slices.Contains(open, f.Row.Series) {
				g.Doubts = append(g.Doubts, f)
			}
		}
	}
	for _, f := range last.Notes {
		if !f.Row.Paired() {
			g.Notes = append(g.Notes, f)
		}
	}
	g.settle(c)
	return g
}

// Unconfirmed moves failures into doubt that a second measurement does not bear
// out. Exact metrics need none; what the second one had no time to judge, nil, stays a failure.
func (g *Gate) Unconfirmed(c *Comparison, second func(Series) (row *Row, confirmed bool)) {
	var failures []Finding
	for _, f := range g.Failures {
		again, confirmed := second(f.Row.Series)
		switch {
		case f.Row.Verdict == ExactChanged:
		case again == nil:
			f.Reason += "; there was no time to measure it again on new builds"
		case confirmed:
			f.Reason += fmt.Sprintf("; also on new builds (%s)", again.moved())
		default:
			_, near := again.forTheWorse()
			f.Reason += fmt.Sprintf("; but not on new builds (%s, at least by %.1f %%, %s): measure again", again.moved(), 100*near, again.Test)
			g.Doubts = append(g.Doubts, f)
			continue
		}
		failures = append(failures, f)
	}
	g.Failures = failures
	for i := range g.Notes {
		if n := &g.Notes[i]; n.Row.Verdict == Better && !strings.HasSuffix(n.Reason, unchecked) {
			n.Reason += unchecked
		}
	}
	g.settle(c)
}

// unchecked says that only what is worse is measured again.
const unchecked = " (not measured again on new builds)"

package bench

import (
	"fmt"
	"math"
)

// Outcome is what a gate says.
type Outcome string

// The outcomes.
const (
	Pass        Outcome = "pass"
	Regression  Outcome = "regression"
	Undecided   Outcome = "inconclusive"
	NothingToDo Outcome = "nothing"
)

// Policy says what fails. The zero value takes the defaults.
type Policy struct {
	Alpha     float64 // q below which a change of time counts; default 0.01
	Threshold float64 // least relative change of time that fails; default 0.05
	// NoiseFactor times the noise floor is the other least change; default 2.
	NoiseFactor float64
	// Noise is the noise floor of a series: the relative change between two measurements of
	// the same code, made at the same time as the two that are compared.
	Noise map[Series]float64
	// AllowMissing accepts series that are missing on the new side.
	AllowMissing bool
}

// Check says which of the numbers is wrong, by its flag.
func (p Policy) Check() error {
	if !(p.Alpha > 0 && p.Alpha < 1) {
		return fmt.Errorf("--alpha: expected a number between 0 and 1, got %g", p.Alpha)
	}
	if !(p.Threshold > 0) || p.Threshold > 100 {
		return fmt.Errorf("--threshold: expected a number above 0 and at most 100, got %g", p.Threshold)
	}
	return nil
}

func (p Policy) filled() Policy {
	if p.Alpha == 0 {
		p.Alpha = 0.01
	}
	if p.Threshold == 0 {
		p.Threshold = 0.05
	}
	if p.NoiseFactor == 0 {
		p.NoiseFactor = 2
	}
	return p
}

// Finding is a series and what is the matter with it.
type Finding struct {
	Row    *Row
	Reason string
}

// Gate is a comparison judged by a policy.
type Gate struct {
	Outcome  Outcome
	Failures []Finding
	Doubts   []Finding // reasons why the gate cannot pass although nothing failed
	Notes    []Finding // improvements, series that are new
	Causes   []Cause   // which functions got slower, if profiles were taken
}

// Judge applies a policy. Exact metrics fail at any change, but for the better
// where a direction is known. Anything else fails only if q is below alpha, the
// change for the worse exceeds both the threshold and the noise, and the near end
// of its interval exceeds the threshold. What could not have failed for want of
// samples or for noise, and what looks worse without proof, makes the gate
// undecided rather than pass.
func Judge(c *Comparison, p Policy) Gate {
	p = p.filled()
	g := Gate{}
	for i := range c.Rows {
		r := &c.Rows[i]
		switch {
		case r.Verdict == New:
			g.Notes = append(g.Notes, Finding{r, "is new"})
		case r.Verdict == Missing:
			if !p.AllowMissing {
				g.Doubts = append(g.Doubts, Finding{r, "is missing: nothing guards it any more"})
			}
		case r.Verdict == ExactChanged:
			g.exact(r)
		case r.Verdict != Same:
			g.statistical(r, p)
		}
	}
	g.settle(c)
	return g
}

// settle is the outcome of what was found.
func (g *Gate) settle(c *Comparison) {
	switch {
	case c.Paired == 0:
		g.Outcome = NothingToDo
	case len(g.Failures) > 0:
		g.Outcome = Regression
	case len(g.Doubts) > 0:
		g.Outcome = Undecided
	default:
		g.Outcome = Pass
	}
}

func (g *Gate) exact(r *Row) {
	what := fmt.Sprintf("exact metric changed from %.12g to %.12g", r.Old.Center, r.New.Center)
	switch diff := r.New.Center - r.Old.Center; {
	case diff*float64(r.Better) > 0:
		g.Notes = append(g.Notes, Finding{r, what + ", for the better: renew the baseline"})
	case r.Better == 0:
		g.Failures = append(g.Failures, Finding{r, what})
	default:
		g.Failures = append(g.Failures, Finding{r, what + ", for the worse"})
	}
}

// statistical judges what has noise.
func (g *Gate) statistical(r *Row, p Policy) {
	least := math.Max(p.Threshold, p.NoiseFactor*p.Noise[r.Series])
	change, near := r.forTheWorse()
	switch {
	case r.Better == 0:
		if r.Q < p.Alpha {
			g.Notes = append(g.Notes, Finding{r, "went " + r.moved() + ", but whether more is better is unknown"})
		}
	case r.Q < p.Alpha && change > least && near > p.Threshold:
		g.Failures = append(g.Failures, Finding{r, fmt.Sprintf("worse: %s, at least by %.1f %% (%s, q=%.2g, limit %.1f %%)",
			r.moved(), 100*near, r.Test, r.Q, 100*least)})
	case r.Q < p.Alpha && r.Verdict == Worse && change <= least:
		g.Notes = append(g.Notes, Finding{r, fmt.Sprintf("worse: %s (q=%.2g), but not beyond the limit of %.1f %%", r.moved(), r.Q, 100*least)})
	case r.Verdict == Better:
		g.Notes = append(g.Notes, Finding{r, "better: " + r.moved()})
	case r.constant():
	case leastP(r.Old.N, r.New.N) >= p.Alpha:
		g.Doubts = append(g.Doubts, Finding{r, fmt.Sprintf("%d and %d samples cannot show a change at level %g", r.Old.N, r.New.N, p.Alpha)})
	case change > least && r.P < 0.05:
		g.Doubts = append(g.Doubts, Finding{r, fmt.Sprintf("looks worse: %s (q=%.2g, limit %.1f %%), but the samples do not prove it: measure again", r.moved(), r.Q, 100*least)})
	case r.Verdict == Inconclusive:
		far := r.farWorse()
		finding := Finding{r, fmt.Sprintf("too noisy to rule out that it is worse by up to %.0f %%", 100*far)}
		if r.Series.Unit == "sec/op" && far > blind*least {
			g.Doubts = append(g.Doubts, finding)
		} else if far > least {
			g.Notes = append(g.Notes, finding)
		}
	}
}

// blind times the limit is the slowdown that a gate must be able to rule out: at a limit of
// 5 %, 20 %. A measurement that could not have shown even that is no pass.
const blind = 4

// forTheWorse is the relative change in the bad direction and the near end of its interval;
// negative for an improvement. From zero to anything else is infinite.
func (r *Row) forTheWorse() (change, near float64) {
	if r.Old.Center == 0 && r.New.Center*float64(-r.Better) > 0 {
		if r.Old.Max == 0 && r.New.Min > 0 {
			return math.Inf(1), math.Inf(1)
		}
		return math.Inf(1), 0
	}
	if r.Better > 0 {
		return -r.Delta, 1 - r.RatioHi
	}
	return r.Delta, r.RatioLo - 1
}

// farWorse is the far end of the interval of the change for the worse.
func (r *Row) farWorse() float64 {
	if r.Better > 0 {
		return 1 - r.RatioLo
	}
	return r.RatioHi - 1
}

// constant tells whether each side holds one value only, both the same.
func (r *Row) constant() bool {
	return r.Old.Min == r.Old.Max && r.New.Min == r.New.Max && r.Old.Min == r.New.Min
}

// NoiseFloor measures noise: the relative change of each series between two
// runs of the same code. Half the width of the ratio's interval is not added:
// the interval of the comparison itself already allows for it.
func NoiseFloor(one, other *Run) map[Series]float64 {
	floor := map[Series]float64{}
	for _, r := range Compare(one, other, Options{}).Rows {
		if r.Paired() && !math.IsNaN(r.Delta) {
			floor[r.Series] = math.Abs(r.Delta)
		}
	}
	return floor
}

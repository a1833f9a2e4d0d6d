package bench

import "math"

// Verdict is what a comparison says about a series.
type Verdict string

// The verdicts.
const (
	Better       Verdict = "better"
	Worse        Verdict = "worse"
	Same         Verdict = "same"         // no change, and one that matters is ruled out
	Inconclusive Verdict = "inconclusive" // neither shown nor ruled out
	New          Verdict = "new"
	Missing      Verdict = "missing"
	ExactChanged Verdict = "exact-changed"
)

// judge fills in the verdict.
func (r *Row) judge(o Options) {
	switch {
	case r.Old == nil:
		r.Verdict = New
	case r.New == nil:
		r.Verdict = Missing
	case r.Exact && r.exactlySame():
		r.Verdict = Same
	case r.Exact && r.exactlyChanged():
		r.Verdict = ExactChanged
	default:
		r.Verdict = r.statistical(o)
	}
}

// exactlySame tells whether all values of both sides are one.
func (r *Row) exactlySame() bool {
	tol := tolerance(r.Series.Unit)
	lo, hi := math.Min(r.Old.Min, r.New.Min), math.Max(r.Old.Max, r.New.Max)
	return hi-lo <= tol*math.Abs(lo)
}

// exactlyChanged tells whether the sides have no value in common. Where an
// exact unit varies inside a side and the sides overlap, it is not exact, and
// statistics must say more.
func (r *Row) exactlyChanged() bool {
	gap := math.Max(r.New.Min-r.Old.Max, r.Old.Min-r.New.Max)
	if gap <= 0 {
		r.Warnings = append(r.Warnings, "varies from run to run though its unit should be exact")
		return false
	}
	tol := tolerance(r.Series.Unit)
	if tol > 0 {
		// Two samples that differ by noise alone are apart now and then. So a unit with a
		// tolerance must also not vary inside each side.
		for _, s := range []*Summary{r.Old, r.New} {
			if s.Max-s.Min > tol*math.Abs(s.Min) {
				r.Warnings = append(r.Warnings, "varies from run to run by more than its tolerance")
				return false
			}
		}
	}
	return gap > tol*math.Abs(r.Old.Center)
}

// statistical judges by q, by the size of the change and by its interval.
func (r *Row) statistical(o Options) Verdict {
	diff := r.New.Center - r.Old.Center
	if r.Q < o.Alpha && diff != 0 {
		switch {
		case r.Better == 0:
			r.Warnings = append(r.Warnings, "changed, but whether more is better is unknown: print a line \"Unit "+r.Series.Unit+" better=higher\" (or lower)")
			return Inconclusive
		case diff*float64(r.Better) > 0:
			return Better
		default:
			return Worse
		}
	}
	if r.RatioLo >= 1-o.Threshold && r.RatioHi <= 1+o.Threshold {
		return Same
	}
	return Inconclusive
}

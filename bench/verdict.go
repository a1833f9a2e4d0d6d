package bench

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"sakusen/tuner/numeral"
)

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

// undecided is what people read where JSON, CSV and the names of filters say inconclusive.
const undecided = "undecided"

// String returns the verdict as reports print it.
func (v Verdict) String() string {
	if v == Inconclusive {
		return undecided
	}
	return string(v)
}

// judge fills in the verdict.
func (r *Row) judge(o Options) {
	switch {
	case r.Old == nil:
		r.Verdict = New
	case r.New == nil:
		r.Verdict = Missing
	case r.Exact && r.exactlySame():
		r.Verdict = Same
	case r.Exact && (r.earned() || r.repeated) && r.exactlyChanged():
		r.Verdict = ExactChanged
	default:
		r.Verdict = r.statistical(o)
	}
}

// earned reports whether a change of an exact unit proves something: a side shows one value
// at least three times and no other, or the unit was declared exact. Allocations of
// concurrent code vary by chance, so that one sample a side shows nothing.
func (r *Row) earned() bool {
	still := func(s *Summary) bool {
		return s.N >= 3 && s.Max-s.Min <= tolerance(r.Series.Unit)*math.Abs(s.Min)
	}
	return r.declared || still(r.Old) || still(r.New)
}

// strayed reports whether new samples are worse than all old ones though the median is not: a mode
// that the benchmark enters now and then. One is enough of a unit that was declared exact, and two
// are where the old side holds still.
func (r *Row) strayed() bool {
	if !r.Paired() || r.strays == 0 || r.Series.timed() {
		return false
	}
	still := r.Old.N >= 3 && r.Old.Min == r.Old.Max
	return r.declared || still && r.strays > 1 || r.Exact && r.repeated && r.strays > 2
}

// exactlySame reports whether all values of both sides are one.
func (r *Row) exactlySame() bool {
	tol := tolerance(r.Series.Unit)
	lo, hi := math.Min(r.Old.Min, r.New.Min), math.Max(r.Old.Max, r.New.Max)
	return hi-lo <= tol*math.Abs(lo)
}

// exactlyChanged reports whether the sides have no value in common. Where an
// exact unit varies inside a side and the sides overlap, it is not exact, and
// statistics must say more.
func (r *Row) exactlyChanged() bool {
	gap := r.Old.gap(r.New)
	if gap <= 0 {
		r.Warnings = append(r.Warnings, "varies from run to run though its unit should be exact")
		return false
	}
	if !r.declared && gap <= math.Max(r.Old.Max-r.Old.Min, r.New.Max-r.New.Min) && !(r.P < usualAlpha) { // three are equal by chance
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

// gap returns how far the values of the sides are apart; at most 0 where they overlap.
func (s *Summary) gap(other *Summary) float64 { return math.Max(other.Min-s.Max, s.Min-other.Max) }

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

// Decided returns the verdict as people read it: what is exact and has changed for the
// better or the worse is better or worse.
func (r *Row) Decided() Verdict {
	if r.Verdict != ExactChanged || r.Better == 0 || !r.Paired() {
		return r.Verdict
	}
	if (r.New.Center-r.Old.Center)*float64(r.Better) > 0 {
		return Better
	}
	return Worse
}

// Word returns a verdict for people.
func (v Verdict) Word() string {
	switch v {
	case Same:
		return "Level"
	case Inconclusive:
		return "Undecided"
	case ExactChanged:
		return "Changed"
	case "":
		return "Not compared"
	}
	return strings.ToUpper(string(v[:1])) + string(v[1:])
}

// Sign returns a verdict as one sign, so that it is not told by its colour alone.
func (v Verdict) Sign() string {
	switch v {
	case Better:
		return "✓"
	case Worse:
		return "✗"
	case Same:
		return "="
	case Inconclusive:
		return "?"
	case ExactChanged:
		return "≠"
	}
	return "·"
}

// Tone returns the class of a verdict's colour on pages: good, bad, warn or plain.
func (v Verdict) Tone() string {
	switch v {
	case Better:
		return "good"
	case Worse:
		return "bad"
	case Inconclusive, ExactChanged:
		return "warn"
	}
	return "plain"
}

// half returns the half-width of the interval of the change in per cent; NaN where there is
// none.
func (r *Row) half() float64 {
	if half := 50 * (r.RatioHi - r.RatioLo); half > 0 && numeral.IsFinite(half) {
		return half
	}
	return math.NaN()
}

// Change returns the change of the median for people, rounded by its interval: "+18.6 %".
func (r *Row) Change() string {
	switch {
	case !r.Paired():
		return ""
	case r.Old.Center == r.New.Center:
		return "0 %"
	case r.Old.Center == 0:
		return "from 0 to " + Amount(r.New.Center, r.Series.Unit)
	}
	return numeral.Signed(rounded(100*(r.New.Center-r.Old.Center)/math.Abs(r.Old.Center), r.half()), r.half()) + " %"
}

// rounded keeps three digits of a number whose error is not known.
func rounded(x, half float64) float64 {
	if math.IsNaN(half) {
		x, _ = strconv.ParseFloat(strconv.FormatFloat(x, 'g', 3, 64), 64)
	}
	return x
}

// Interval returns the interval of the change for people: "+17.9 to +19.3 %".
func (r *Row) Interval() string {
	switch half := r.half(); {
	case !r.Paired():
		return ""
	case r.Exact && (r.Verdict == Same || r.Verdict == ExactChanged):
		return "exact"
	case r.RatioLo == r.RatioHi:
		return "every sample is the same"
	case math.IsNaN(half) || r.RatioLo == 0:
		return "too few samples for an interval"
	case r.Old.Center < 0: // more of a negative number is a smaller amount
		return numeral.Signed(100*(1-r.RatioHi), half) + " to " + numeral.Signed(100*(1-r.RatioLo), half) + " %"
	default:
		return numeral.Signed(100*(r.RatioLo-1), half) + " to " + numeral.Signed(100*(r.RatioHi-1), half) + " %"
	}
}

// Sentence returns the change in words: "18.6 % slower".
func (r *Row) Sentence() string {
	change := r.Change()
	if change == "" || change == "0 %" || strings.HasPrefix(change, "from") {
		return change
	}
	up, down := "more", "less"
	switch {
	case strings.HasSuffix(r.Series.Unit, "sec/op"), r.Series.Unit == SetupTime:
		up, down = "slower", "faster"
	case r.Better > 0:
		up, down = "higher", "lower"
	}
	if r.New.Center < r.Old.Center {
		up = down
	}
	return strings.TrimLeft(change, "+\u2212") + " " + up
}

// Amount returns a value with its unit for people: "1.482 µs", "20.00 KiB", "3 allocs".
func Amount(value float64, unit string) string {
	name, _ := strings.CutSuffix(unit, "/op")
	switch unit {
	case "sec/op", meanTime, processorTime, SetupTime:
		name = "s"
	case "B/op", "B/s":
		if value == math.Trunc(value) && math.Abs(value) < 1000 {
			return numeral.Count(int64(value)) + " " + name
		}
	default:
		if value == math.Trunc(value) && math.Abs(value) < 1e9 {
			return numeral.Count(int64(value)) + " " + name
		}
	}
	text := Show(value, unit)
	number := strings.TrimRight(text, "yzafpnµmkKMGTPEZYi")
	return numeral.Page(number) + " " + text[len(number):] + name
}

// Measure returns what a unit measures: time, memory, allocations, or the unit itself.
func Measure(unit string) string {
	switch unit {
	case "sec/op":
		return "time"
	case meanTime:
		return "mean time"
	case processorTime:
		return "processor time"
	case SetupTime:
		return "setup"
	case "B/op":
		return "memory"
	case "allocs/op":
		return "allocations"
	case "B/s":
		return "speed"
	}
	return unit
}

// Moved reports for people how a number changed: "up by 20.00 %", "down by 5.10 %".
// Whether that is for the better is for its unit to say.
func Moved(old, new float64) string {
	word := "up"
	if new < old {
		word = "down"
	}
	switch {
	case new == old:
		return "unchanged"
	case old == 0:
		return fmt.Sprintf("%s from 0 to %.6g", word, new)
	}
	return fmt.Sprintf("%s by %.2f %%", word, 100*math.Abs(new/old-1))
}

// moved returns how the medians of a row changed.
func (r *Row) moved() string { return Moved(r.Old.Center, r.New.Center) }

package bench

import (
	"math"
	"strconv"
	"strings"

	"sakusen/tuner/numeral"
)

// Decided is the verdict as people read it: what is exact and has changed for the better
// or the worse is better or worse.
func (r *Row) Decided() Verdict {
	if r.Verdict != ExactChanged || r.Better == 0 || !r.Paired() {
		return r.Verdict
	}
	if (r.New.Center-r.Old.Center)*float64(r.Better) > 0 {
		return Better
	}
	return Worse
}

// Word is a verdict for people.
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

// Sign is a verdict as one sign, so that it is not told by its colour alone.
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

// Tone is the class of a verdict's colour on pages: good, bad, warn or plain.
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

// half is the half-width of the interval of the change in per cent; NaN where there is
// none.
func (r *Row) half() float64 {
	if half := 50 * (r.RatioHi - r.RatioLo); half > 0 && numeral.IsFinite(half) {
		return half
	}
	return math.NaN()
}

// Change is the change of the median for people, rounded by its interval: "+18.6 %".
func (r *Row) Change() string {
	switch {
	case !r.Paired():
		return ""
	case r.Old.Center == r.New.Center:
		return "0 %"
	case r.Old.Center == 0:
		return "from 0 to " + Amount(r.New.Center, r.Series.Unit)
	}
	return numeral.Signed(rounded(100*(r.New.Center/r.Old.Center-1), r.half()), r.half()) + " %"
}

// rounded keeps three digits of a number whose error is not known.
func rounded(x, half float64) float64 {
	if math.IsNaN(half) {
		x, _ = strconv.ParseFloat(strconv.FormatFloat(x, 'g', 3, 64), 64)
	}
	return x
}

// Interval is the interval of the change for people: "+17.9 to +19.3 %".
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
	default:
		return numeral.Signed(100*(r.RatioLo-1), half) + " to " + numeral.Signed(100*(r.RatioHi-1), half) + " %"
	}
}

// Sentence is the change in words: "18.6 % slower".
func (r *Row) Sentence() string {
	change := r.Change()
	if change == "" || change == "0 %" || strings.HasPrefix(change, "from") {
		return change
	}
	up, down := "more", "less"
	switch {
	case strings.HasPrefix(r.Series.Unit, "sec/"):
		up, down = "slower", "faster"
	case r.Better > 0:
		up, down = "higher", "lower"
	}
	if r.New.Center < r.Old.Center {
		up = down
	}
	return strings.TrimLeft(change, "+\u2212") + " " + up
}

// Amount is a value with its unit for people: "1.482 µs", "20.00 KiB", "3 allocs".
func Amount(value float64, unit string) string {
	name, _ := strings.CutSuffix(unit, "/op")
	switch unit {
	case "sec/op":
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

// Measure is what a unit measures: time, memory, allocations, or the unit itself.
func Measure(unit string) string {
	switch unit {
	case "sec/op":
		return "time"
	case "B/op":
		return "memory"
	case "allocs/op":
		return "allocations"
	case "B/s":
		return "speed"
	}
	return unit
}

package numeral

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// IsFinite reports whether x is a number, neither NaN nor infinite.
func IsFinite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// Finite returns a pointer to x, nil where x is NaN or infinite, which JSON cannot
// hold: there it is null.
func Finite(x float64) *float64 {
	if !IsFinite(x) {
		return nil
	}
	return &x
}

// OrNaN returns what p points to, NaN where it points to nothing. It undoes [Finite].
func OrNaN(p *float64) float64 {
	if p == nil {
		return math.NaN()
	}
	return *p
}

// Text returns a number whose error is not known: four significant digits, or all
// digits before the point, since 5.265e+04 is hard to read.
func Text(x float64) string {
	text := strconv.FormatFloat(x, 'g', 4, 64)
	if strings.Contains(text, "e+") && math.Abs(x) < 1e15 {
		return strconv.FormatFloat(x, 'f', 0, 64)
	}
	return text
}

const (
	// errorDigits is the number of significant digits that an error keeps.
	errorDigits = 2
	// mostDecimals is the number of digits behind the point up to which numbers
	// are written without an exponent.
	mostDecimals = 9
)

// Pair returns a number and its error as texts, both rounded to the second
// significant digit of the error. An error that is zero, infinite or NaN rounds
// nothing: then both are written by [Text].
func Pair(x, err float64) (value, margin string) {
	place, ok := placeOf(err)
	if !ok || !IsFinite(x) {
		return Text(x), Text(err)
	}
	return at(x, place), at(math.Abs(err), place)
}

// PlusMinus returns "41.2 +- 3.2" for the terminal and for notes, which are ASCII, and
// the number alone where its error is not known.
func PlusMinus(x, err float64) string {
	value, margin := Pair(x, err)
	if _, known := placeOf(err); !known {
		return value
	}
	return value + " +- " + margin
}

// Rounded returns the number of a [Pair] alone.
func Rounded(x, err float64) string {
	value, _ := Pair(x, err)
	return value
}

// Interval returns the two ends of an interval, both rounded to the second
// significant digit of its half-width.
func Interval(low, high float64) (from, to string) {
	half := (high - low) / 2
	return Rounded(low, half), Rounded(high, half)
}

// Elo returns a gain in Elo: to 1 Elo, with a sign before gains above 0. What [EloEnds] returns
// stands beside it. All that tells a gain calls the two, so that it reads the same everywhere.
func Elo(gain float64) string {
	text := at(gain, 0)
	if gain > 0 && text != "0" {
		return "+" + text
	}
	return text
}

// EloEnds returns the ends of an interval of gains, rounded outwards to 1 Elo.
func EloEnds(low, high float64) (from, to string) {
	const exact = 1e-9 // of a bound that is whole but for its last digits
	return at(math.Floor(low+exact), 0), at(math.Ceil(high-exact), 0)
}

// Half returns the half-width of an interval, NaN where there is none.
func Half(ci *[2]float64) float64 {
	if ci == nil {
		return math.NaN()
	}
	return (ci[1] - ci[0]) / 2
}

// placeOf returns the decimal place at which the rounded error ends: 1 for tenths, 0
// for ones, -2 for hundreds.
func placeOf(err float64) (place int, ok bool) {
	if err == 0 || !IsFinite(err) {
		return 0, false
	}
	// The exponent is read after rounding: 0.0996 is 0.10 and ends at hundredths.
	text := strconv.FormatFloat(err, 'e', errorDigits-1, 64)
	exponent, failed := strconv.Atoi(text[strings.IndexByte(text, 'e')+1:])
	return errorDigits - 1 - exponent, failed == nil
}

// at writes a number to a decimal place.
func at(x float64, place int) string {
	switch {
	case place > mostDecimals || math.Abs(x) >= 1e15:
		return strconv.FormatFloat(x, 'g', 4, 64)
	case place < 0:
		unit := math.Pow10(-place)
		x, place = math.Round(x/unit)*unit, 0
	}
	text := strconv.FormatFloat(x, 'f', place, 64)
	if strings.Trim(text, "-0.") == "" {
		return strings.TrimPrefix(text, "-") // no minus before zero
	}
	return text
}

// Thin is the space between thousands on pages: narrow, and no line breaks there.
const Thin = "\u202f"

// minus is the sign of negative numbers on pages.
const minus = "\u2212"

// Rough returns a number of which two digits are known, rounded up to those.
func Rough(x float64) float64 {
	unit := math.Pow(10, max(0, math.Floor(math.Log10(max(1, x)))-1))
	return math.Ceil(x/unit) * unit
}

// Count returns a whole number for pages, its thousands apart: 226 000.
func Count(n int64) string { return Page(strconv.FormatInt(n, 10)) }

// Counted returns a number of things for pages: 1 block, 2000 blocks.
func Counted(n int64, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return Count(n) + " " + thing
}

// Page puts a decimal number into the form of pages: thousands apart from five
// digits on, and a minus sign in place of a hyphen.
func Page(text string) string {
	sign := ""
	if rest, ok := strings.CutPrefix(text, "-"); ok {
		if sign, text = minus, rest; strings.Trim(text, "0.") == "" {
			sign = "" // zero has no sign
		}
	}
	whole, rest := text, ""
	if i := strings.IndexAny(text, ".e"); i >= 0 {
		whole, rest = text[:i], text[i:]
	}
	if len(whole) < 5 || strings.Trim(whole, "0123456789") != "" {
		return sign + text
	}
	var b strings.Builder
	for i, c := range whole {
		if i > 0 && (len(whole)-i)%3 == 0 {
			b.WriteString(Thin)
		}
		b.WriteRune(c)
	}
	return sign + b.String() + rest
}

// Short returns a number for headlines and tables of pages, rounded by the half-width
// of its 95 % interval: that would keep two digits, or one where it begins with 3
// or more. A half-width that is 0 or none rounds nothing.
func Short(x, half float64) string {
	place, ok := shortPlace(half)
	if !ok || !IsFinite(x) {
		return Page(Text(x))
	}
	return Page(at(x, place))
}

// Signed returns Short with a sign before numbers above 0 as well.
func Signed(x, half float64) string {
	text := Short(x, half)
	if x > 0 && strings.Trim(text, "0.") != "" {
		return "+" + text
	}
	return text
}

// shortPlace returns the decimal place at which numbers of that error end.
func shortPlace(half float64) (int, bool) {
	place, ok := placeOf(half)
	if ok && half*math.Pow10(place) >= 29.5 {
		place--
	}
	return place, ok
}

// Span returns a duration for people, nothing below a second: "53 s", "3 min 39 s", "16 h 47 min",
// "3 d 4 h".
func Span(d time.Duration) string {
	if d > 0 {
		d = max(d, time.Second)
	}
	switch s := max(0, int64(d.Round(time.Second)/time.Second)); {
	case s < 60:
		return units(s, "s", 0, "")
	case s < 3600:
		return units(s/60, "min", s%60, "s")
	case s < 48*3600:
		return units(s/3600, "h", s%3600/60, "min")
	default:
		return units(s/86400, "d", s%86400/3600, "h")
	}
}

// About returns a duration that is only a guess: its largest unit alone from ten of
// it on.
func About(d time.Duration) string {
	switch {
	case d >= 20*time.Hour && d < 48*time.Hour:
		d = d.Round(time.Hour)
	case d >= 10*time.Minute && d < time.Hour:
		d = d.Round(time.Minute)
	case d >= 10*time.Second && d < time.Minute:
		d = d.Round(5 * time.Second)
	case d >= time.Minute && d < 10*time.Minute:
		d = d.Round(10 * time.Second)
	}
	return "about " + Span(d)
}

func units(n int64, unit string, rest int64, less string) string {
	text := strconv.FormatInt(n, 10) + " " + unit
	if rest > 0 {
		text += " " + strconv.FormatInt(rest, 10) + " " + less
	}
	return text
}

// Pace says how fast work goes on, how long it will take, and when it is time to show that: for the
// lines of the terminal, the events of the daemon and the progress of studies and jobs. It reads
// no clock: its users hand in the time.
//
//	p := numeral.New(time.Now(), 200*time.Millisecond)
//	if now := time.Now(); p.Due(now) {
//		p.Shown(now)
//		rate := p.PerSecond(now, blocks)
//		fmt.Printf("%.0f blocks/s, %s left", rate, numeral.Left(total-blocks, rate))
//	}
type Pace struct {
	began, told time.Time
	every       time.Duration

	since      time.Time // when the part that goes on began
	last, ends int64     // where it was, and its total
	from       int64     // where it was when it was first seen
}

// New returns the pace of work that begins now and whose progress is shown at most so often.
func New(now time.Time, every time.Duration) Pace { return Pace{began: now, every: every} }

// Due reports whether it is time to show progress again.
func (p *Pace) Due(now time.Time) bool { return p.told.IsZero() || now.Sub(p.told) >= p.every }

// Shown notes that progress was shown now.
func (p *Pace) Shown(now time.Time) { p.told = now }

// PerSecond returns how many of what is counted were done a second since the
// beginning, 0 where no time has passed.
func (p *Pace) PerSecond(now time.Time, done int64) float64 {
	if s := now.Sub(p.began).Seconds(); s > 0 {
		return float64(done) / s
	}
	return 0
}

// Rest returns how long the rest of a part takes of which so many of a total are done. Work in
// parts counts each from 0 with a total of its own; another total, or less done than
// before, is another part, whose pace is its own. It is to be asked at every step.
func (p *Pace) Rest(now time.Time, done, total int64) time.Duration {
	switch {
	case p.since.IsZero():
		p.since, p.ends = p.began, total
	case total != p.ends || done < p.last:
		p.since, p.ends, p.from = now, total, done
	}
	p.last = done
	s := now.Sub(p.since).Seconds()
	if s <= 0 {
		return 0
	}
	return Left(total-done, float64(done-p.from)/s)
}

// Left returns how long the rest takes at a rate per second, 0 where that is not known
// or nothing is left. It is never more than 292 years, the longest duration.
func Left(rest int64, perSecond float64) time.Duration {
	if rest <= 0 || !(perSecond > 0) {
		return 0
	}
	ns := float64(rest) / perSecond * float64(time.Second)
	if ns >= math.MaxInt64 {
		return math.MaxInt64
	}
	return time.Duration(ns)
}

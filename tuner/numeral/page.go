package numeral

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// Thin is the space between thousands on pages: narrow, and no line breaks there.
const Thin = "\u202f"

// minus is the sign of negative numbers on pages.
const minus = "\u2212"

// Count is a whole number for pages, its thousands apart: 226 000.
func Count(n int64) string { return Page(strconv.FormatInt(n, 10)) }

// Page puts a decimal number into the form of pages: thousands apart from five
// digits on, and a minus sign in place of a hyphen.
func Page(text string) string {
	sign := ""
	if rest, ok := strings.CutPrefix(text, "-"); ok {
		if sign, text = minus, rest; strings.Trim(text, "0.") == "" {
			sign = "" // nothing is below nothing
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

// Short is a number for headlines and tables of pages, rounded by the half-width
// of its 95 % interval: that would keep two digits, or one where it begins with 3
// or more. A half-width that is 0 or none rounds nothing.
func Short(x, half float64) string {
	place, ok := shortPlace(half)
	if !ok || !IsFinite(x) {
		return Page(Text(x))
	}
	return Page(at(x, place))
}

// Typeset is "41 ± 3" for pages: a number and the half-width of its 95 % interval, both
// as Short has them, and the number alone where that is not known.
func Typeset(x, half float64) string {
	if _, known := placeOf(half); !known {
		return Short(x, half)
	}
	return Short(x, half) + " ± " + Short(half, half)
}

// Signed is Short with a sign before numbers above 0 as well.
func Signed(x, half float64) string {
	text := Short(x, half)
	if x > 0 && strings.Trim(text, "0.") != "" {
		return "+" + text
	}
	return text
}

// shortPlace is the decimal place at which numbers of that error end.
func shortPlace(half float64) (int, bool) {
	place, ok := placeOf(half)
	if ok && half*math.Pow10(place) >= 29.5 {
		place--
	}
	return place, ok
}

// Span is a duration for people: "53 s", "3 min 39 s", "16 h 47 min", "3 d 4 h".
func Span(d time.Duration) string {
	switch s := int64(d.Round(time.Second) / time.Second); {
	case d < 0:
		return "0 s"
	case d < time.Second:
		return strconv.FormatInt(d.Milliseconds(), 10) + " ms"
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

// About is a duration that is only a guess: its largest unit alone from ten of
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

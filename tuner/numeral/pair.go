package numeral

import (
	"math"
	"strconv"
	"strings"
)

const (
	// errorDigits is the number of significant digits that an error keeps.
	errorDigits = 2
	// mostDecimals is the number of digits behind the point up to which numbers
	// are written without an exponent.
	mostDecimals = 9
)

// Pair is a number and its error as texts, both rounded to the second
// significant digit of the error. An error that is zero, infinite or NaN rounds
// nothing: then both are written by [Text].
func Pair(x, err float64) (value, margin string) {
	place, ok := placeOf(err)
	if !ok || math.IsNaN(x) || math.IsInf(x, 0) {
		return Text(x), Text(err)
	}
	return at(x, place), at(math.Abs(err), place)
}

// PlusMinus is "41.2 +- 3.2" for the terminal and for notes, which are ASCII, and
// the number alone where its error is not known.
func PlusMinus(x, err float64) string { return joined(x, err, " +- ") }

func joined(x, err float64, sign string) string {
	value, margin := Pair(x, err)
	if _, known := placeOf(err); !known {
		return value
	}
	return value + sign + margin
}

// Rounded is the number of a [Pair] alone.
func Rounded(x, err float64) string {
	value, _ := Pair(x, err)
	return value
}

// Interval is the two ends of an interval, both rounded to the second
// significant digit of its half-width.
func Interval(low, high float64) (from, to string) {
	half := (high - low) / 2
	return Rounded(low, half), Rounded(high, half)
}

// placeOf is the decimal place at which the rounded error ends: 1 for tenths, 0
// for ones, -2 for hundreds.
func placeOf(err float64) (place int, ok bool) {
	if err == 0 || math.IsNaN(err) || math.IsInf(err, 0) {
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

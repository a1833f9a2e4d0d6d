package chart

import (
	"fmt"
	"html/template"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"sakusen/tuner/insight"
	"sakusen/tuner/numeral"
)

// axis is one axis of a drawing: its range and its marks.
type axis struct {
	name     string
	low, top float64
	log      bool      // the decadic logarithm is shown
	names    []string  // of 0, 1, ...; nil for numbers
	slanted  bool      // the names stand below the drawing, as long as they are
	whole    bool      // only integers are marked
	wide     bool      // a margin is left at both ends
	upright  bool      // a y axis, whose names stand above each other
	at       []float64 // the marks in ascending order, if they are not left to the axis
}

// mark is a number on an axis.
type mark struct {
	at   float64
	text string // escaped
}

// over returns an axis with room for values, and a margin.
func over(name string, values ...float64) axis {
	a := axis{name: name, low: math.NaN(), top: math.NaN(), wide: true}
	a.reach(values...)
	return a
}

// reach widens the axis to finite values.
func (a *axis) reach(values ...float64) {
	for _, x := range values {
		if numeral.IsFinite(x) {
			if !(a.low <= x) {
				a.low = x
			}
			if !(a.top >= x) {
				a.top = x
			}
		}
	}
}

// span widens the axis to the values and the intervals of points, and returns it.
func (a axis) span(all []point) axis {
	for _, d := range all {
		a.reach(d.y, d.low, d.high)
	}
	return a
}

// spread returns an axis for values; it is logarithmic if they differ by decades.
func (a axis) spread() axis {
	const decades = 1000
	a.log = a.low > 0 && a.top >= decades*a.low
	return a
}

// value returns a number of the axis as a text: a name if the axis has names.
func (a *axis) value(v float64) string {
	if i := int(math.Round(v)); a.names != nil && i >= 0 && i < len(a.names) {
		return a.names[i]
	}
	if math.IsNaN(v) {
		return ""
	}
	return strconv.FormatFloat(v, 'g', 5, 64)
}

// empty reports whether the axis has no value.
func (a *axis) empty() bool { return math.IsNaN(a.low) }

// settle completes the range for drawing: a width above 0, logarithms on a logarithmic
// axis, and the margin.
func (a *axis) settle() {
	if a.empty() {
		a.low, a.top = 0, 1
	}
	if a.names != nil {
		a.low, a.top = -0.5, float64(len(a.names))-0.5
	}
	if !(a.top > a.low) {
		half := max(0.5, math.Abs(a.low)*0.05)
		if a.log {
			a.low, a.top = a.low/2, a.low*2
		} else {
			a.low, a.top = a.low-half, a.low+half
		}
	}
	if a.log {
		a.low, a.top = math.Log10(max(a.low, math.SmallestNonzeroFloat64)), math.Log10(max(a.top, math.SmallestNonzeroFloat64))
	}
	if a.wide {
		margin := 0.04 * (a.top - a.low)
		a.low, a.top = a.low-margin, a.top+margin
	}
}

// share returns the place of a number along the settled axis, 0 to 1 inside its range.
func (a *axis) share(v float64) float64 {
	if a.log {
		v = math.Log10(max(v, math.SmallestNonzeroFloat64))
	}
	return (v - a.low) / (a.top - a.low)
}

// middle returns the number in the middle of one of n columns of the settled axis.
func (a *axis) middle(column, n int) float64 {
	x := a.low + (float64(column)+0.5)/float64(n)*(a.top-a.low)
	if a.log {
		return math.Pow(10, x)
	}
	return x
}

// column returns in which of n columns of the settled axis a number lies.
func (a *axis) column(x float64, n int) int {
	return min(n-1, max(0, int(a.share(x)*float64(n))))
}

// tickRoom is the least distance between two given marks of an x axis.
const tickRoom = 30

// marks returns about n round numbers along the axis, or its names. As many names, and as much
// of each, are returned as fit side by side along an x axis, or above each other beside a y
// axis.
func (a *axis) marks(n int, room float64) (out []mark) {
	last := math.Inf(-1)
	for _, x := range a.at {
		if place := a.share(x) * room; place-last >= tickRoom {
			last, out = place, append(out, mark{x, numeral.Page(numeral.Text(x))})
		}
	}
	if out != nil {
		return out
	}
	if a.names != nil {
		step, most := a.fit(room)
		for i := 0; i < len(a.names); i += step {
			out = append(out, mark{float64(i), template.HTMLEscapeString(shorten(a.names[i], most))})
		}
		return out
	}
	if a.log && a.top-a.low >= 1 {
		step := max(1, math.Ceil((a.top-a.low)/float64(n)))
		for e := math.Ceil(a.low - 1e-9); e <= a.top+1e-9; e += step {
			out = append(out, mark{math.Pow(10, e), numeral.Page(numeral.Text(math.Pow(10, e)))})
		}
		if len(out) > 1 {
			return out
		}
		out = nil
	}
	low, top := a.low, a.top
	if a.log {
		low, top = math.Pow(10, low), math.Pow(10, top)
	}
	step := roundStep((top - low) / float64(n))
	if a.whole {
		step = max(1, step)
	}
	digits := max(0, int(math.Ceil(-math.Log10(step)-1e-9)))
	for k := math.Ceil(low/step-1e-9) + 0; k*step <= top+1e-9*step; k++ {
		text := strconv.FormatFloat(k*step+0, 'f', min(digits, 12), 64) // + 0 makes -0 one
		if math.Abs(k*step) >= 1e6 || digits > 6 {
			if text = tick(k * step); step < 0.01*math.Abs(k*step) {
				text = strconv.FormatFloat(k*step, 'f', min(digits, 12), 64) // its neighbour would read the same
			}
		}
		if text = numeral.Page(text); a.end(k * step) {
			text = map[bool]string{true: "≥ ", false: "≤ "}[k > 0] + text
		}
		out = append(out, mark{k * step, text})
	}
	return out
}

// end reports whether a gain in Elo stands at the end of what is drawn: it may be any larger one.
func (a *axis) end(v float64) bool {
	return math.Abs(v) == insight.MostElo && strings.HasPrefix(a.name, "Elo")
}

// outside reports whether a value lies beyond the axis.
func (a *axis) outside(v float64) bool { return a.share(v) < -1e-9 || a.share(v) > 1+1e-9 }

// letter is about the width of a character of a drawing's text, fewLetters how many of a
// name are shown at least.
const letter, fewLetters = 7.0, 8

// fit returns how names fit on an axis: each step-th one is shown, cut to most characters.
func (a *axis) fit(room float64) (step, most int) {
	if a.upright {
		return (len(a.names) + 7) / 8, max(2, int(room/letter))
	}
	longest := 0
	for _, name := range a.names {
		longest = max(longest, utf8.RuneCountInString(name))
	}
	for step = 1; step < len(a.names); step++ {
		most = int(room*float64(step)/float64(len(a.names))/letter) - 1
		if most >= min(longest, fewLetters) {
			break
		}
	}
	return step, max(2, most, min(longest, fewLetters))
}

// roundStep returns the first of 1, 2 and 5 times a power of ten that is not below x.
func roundStep(x float64) float64 {
	if !(x > 0) || math.IsInf(x, 0) {
		return 1
	}
	unit := math.Pow(10, math.Floor(math.Log10(x)))
	for _, k := range []float64{1, 2, 5} {
		if k*unit >= x*(1-1e-9) {
			return k * unit
		}
	}
	return 10 * unit
}

// tick returns a number of an axis with three digits.
func tick(x float64) string {
	if size := math.Abs(x); size >= 999.5 && size < 1e6 {
		return strconv.FormatFloat(x, 'f', 0, 64)
	}
	return strings.Replace(strings.Replace(fmt.Sprintf("%.3g", x), "e+0", "e", 1), "e+", "e", 1)
}

// shorten cuts a text to n characters.
func shorten(text string, n int) string {
	if r := []rune(text); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return text
}

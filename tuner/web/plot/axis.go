package plot

import (
	"fmt"
	"html/template"
	"math"
	"strconv"
	"strings"

	"sakusen/tuner/numeral"
)

// axis is one of a chart's: what is shown of it, and how.
type axis struct {
	name     string
	low, top float64
	log      bool      // the decadic logarithm is shown
	names    []string  // of 0, 1, ...; nil for numbers
	whole    bool      // only integers are marked
	wide     bool      // a margin is left at both ends
	at       []float64 // the marks, if they are not left to the axis
}

// mark is a number on an axis.
type mark struct {
	at   float64
	text string // escaped
}

// marks are about n round numbers along the axis, or its names, thinned out.
func (a *axis) marks(n int) []mark {
	var out []mark
	for _, x := range a.at {
		out = append(out, mark{x, numeral.Text(x)})
	}
	if out != nil {
		return out
	}
	if a.names != nil {
		step := (len(a.names) + 7) / 8
		for i := 0; i < len(a.names); i += step {
			out = append(out, mark{float64(i), template.HTMLEscapeString(shorten(a.names[i], 12))})
		}
		return out
	}
	if a.log && a.top-a.low >= 1 {
		step := max(1, math.Ceil((a.top-a.low)/float64(n)))
		for e := math.Ceil(a.low - 1e-9); e <= a.top+1e-9; e += step {
			out = append(out, mark{math.Pow(10, e), numeral.Text(math.Pow(10, e))})
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
		out = append(out, mark{k * step, text})
	}
	return out
}

// roundStep is the first of 1, 2 and 5 times a power of ten that is not below x.
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

// share is where a number lies along the axis, 0 to 1 where it is shown.
func (a *axis) share(v float64) float64 {
	if a.log {
		v = math.Log10(max(v, math.SmallestNonzeroFloat64))
	}
	return (v - a.low) / (a.top - a.low)
}

// tick is an axis' number.
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

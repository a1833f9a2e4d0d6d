package param

import (
	"fmt"
	"math"
	"strconv"
)

// Domain is the set of values that a number may take: the closed interval
// [Low, High]. Step, where positive, is the spacing at which tuning looks;
// play accepts every value of the interval. Log asks tuning to treat ratios,
// not differences, as equal.
type Domain struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
	Step float64 `json:"step,omitempty"`
	Log  bool    `json:"log,omitempty"`
}

// exact bounds what a real number counts exactly: the absolute value of an integer
// parameter, and the steps of a range.
const exact = 1 << 53

// Range is the closed interval from low to high.
func Range(low, high float64) Domain { return Domain{Low: low, High: high} }

// Grid is the interval from low to high, tuned at low, low+step, ... The upper
// end is part of the grid only if the steps reach it.
func Grid(low, high, step float64) Domain { return Domain{Low: low, High: high, Step: step} }

// Log is the interval from low to high (low > 0), tuned on a logarithmic scale.
func Log(low, high float64) Domain { return Domain{Low: low, High: high, Log: true} }

// Whole returns the range of integers from low to high, or as much of it as Exact allows.
func Whole(low, high int64) Domain {
	low, high = max(low, -exact), min(high, exact)
	if high-low > exact {
		low, high = max(low, -exact/2), min(high, exact/2)
	}
	return Range(float64(low), float64(high))
}

// check returns what is wrong with a declared domain of a kind of numbers, or nil.
func (d Domain) check(k Kind) error {
	switch {
	case math.IsNaN(d.Low) || math.IsNaN(d.High) || math.IsInf(d.Low, 0) || math.IsInf(d.High, 0):
		return fmt.Errorf("its ends must be finite")
	case d.Low > d.High:
		return fmt.Errorf("its lower end %s is above its upper end %s", number(d.Low), number(d.High))
	case d.Log && d.Low <= 0:
		return fmt.Errorf("a logarithmic range needs a positive lower end, not %s", number(d.Low))
	case d.Step < 0 || math.IsNaN(d.Step):
		return fmt.Errorf("its step must be positive, not %s", number(d.Step))
	case d.Log && d.Step > 0:
		return fmt.Errorf("a range has a step or is logarithmic, not both")
	case k == Int && (math.Abs(d.Low) > exact || math.Abs(d.High) > exact):
		return fmt.Errorf("the ends of a range of integers must lie in -2^53..2^53")
	case d.Uncounted(k):
		return fmt.Errorf("it must have at most 2^53 steps")
	}
	return nil
}

// Uncounted reports whether a domain of a kind of numbers has more steps than a real number
// counts exactly. Integers without a step have steps of 1.
func (d Domain) Uncounted(k Kind) bool {
	step := d.Step
	if k == Int {
		step = max(step, 1)
	}
	return step > 0 && (d.High-d.Low)/step > exact
}

// Points is the number of grid points, 0 where the domain has no step.
func (d Domain) Points() int {
	if d.Step <= 0 {
		return 0
	}
	return int(math.Floor((d.High-d.Low)/d.Step+1e-9)) + 1
}

// Point is the i-th grid point, i in [0, Points()), as a trial has it: see Round.
func (d Domain) Point(i int) float64 { return d.Round(d.Low + float64(i)*d.Step) }

// Round is the number at which a trial plays a number of a stepped range: without
// the rounding errors that multiplication leaves, such as 0.30000000000000004, and
// inside the range. In a range without a step it is the number, put inside.
func (d Domain) Round(x float64) float64 {
	x = math.Min(math.Max(x, d.Low), d.High)
	if d.Step <= 0 || x == math.Trunc(x) {
		return x
	}
	short, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 12, 64), 64)
	if err != nil || short < d.Low || short > d.High {
		return x // the range's own end has more digits
	}
	return short
}

// Top is the largest value that tuning visits: the last grid point, or High. A trial
// at the top has exactly this value.
func (d Domain) Top() float64 {
	if n := d.Points(); n > 0 {
		return d.Point(n - 1)
	}
	return d.High
}

// End is where the scale ends on which searches place the values of the range: Top
// but for an error of rounding. Digests of studies depend on that error.
func (d Domain) End() float64 {
	if n := d.Points(); n > 0 {
		return d.Low + float64(n-1)*d.Step
	}
	return d.High
}

// String describes the domain for people: "10..100 step 10".
func (d Domain) String() string {
	s := number(d.Low) + ".." + number(d.High)
	if d.Step > 0 {
		s += " step " + number(d.Step)
	}
	if d.Log {
		s += " log"
	}
	return s
}

// number is the canonical text of a float: the shortest that reads back equal.
func number(x float64) string {
	if x == 0 {
		return "0" // and never "-0"
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

package stats

import (
	"encoding/json"
	"math"
	"strconv"

	"gonum.org/v1/gonum/stat/distuv"

	"sakusen/tuner/numeral"
)

// Number is a result that may be undefined: the Elo error of blocks that are
// all equal, the ratio to nothing. The zero value is undefined.
type Number struct {
	Value   float64 // 0 when not Defined
	Defined bool
}

// Known returns a defined number; NaN and the infinities become undefined, so that
// they cannot travel further.
func Known(x float64) Number {
	if !numeral.IsFinite(x) {
		return Number{}
	}
	return Number{Value: x, Defined: true}
}

// Pointer returns a pointer to the value, nil when undefined: the form of JSON fields
// that may be null.
func (n Number) Pointer() *float64 {
	if !n.Defined {
		return nil
	}
	return &n.Value
}

// Or returns the value, or the given one when undefined.
func (n Number) Or(x float64) float64 {
	if n.Defined {
		return n.Value
	}
	return x
}

// String returns the shortest decimal text that reads back to the value, or
// "undefined".
func (n Number) String() string {
	if !n.Defined {
		return "undefined"
	}
	return strconv.FormatFloat(n.Value, 'g', -1, 64)
}

// MarshalJSON writes the value, or null when undefined.
func (n Number) MarshalJSON() ([]byte, error) {
	if !n.Defined {
		return []byte("null"), nil
	}
	return strconv.AppendFloat(nil, n.Value, 'g', -1, 64), nil
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (n *Number) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		*n = Number{}
		return nil
	}
	x, err := strconv.ParseFloat(string(text), 64)
	if err != nil {
		return err
	}
	*n = Known(x)
	return nil
}

// Fixed returns the number with so many digits behind the point, or "-" when
// undefined.
func (n Number) Fixed(digits int) string {
	if !n.Defined {
		return "-"
	}
	return strconv.FormatFloat(n.Value, 'f', digits, 64)
}

// Interval is a range with a stated confidence. Its JSON is [lo, hi], or null
// where an end is undefined.
type Interval struct{ Lo, Hi Number }

// Defined reports whether both ends are.
func (i Interval) Defined() bool { return i.Lo.Defined && i.Hi.Defined }

// Around returns the interval of values at most half a width away from a middle,
// undefined where either is no number.
func Around(middle, half float64) Interval {
	return Interval{Known(middle - half), Known(middle + half)}
}

// Half returns half the width, NaN where the interval is undefined.
func (i Interval) Half() float64 {
	if !i.Defined() {
		return math.NaN()
	}
	return (i.Hi.Value - i.Lo.Value) / 2
}

// Ends returns both ends, nil where the interval is undefined.
func (i Interval) Ends() *[2]float64 {
	if !i.Defined() {
		return nil
	}
	return &[2]float64{i.Lo.Value, i.Hi.Value}
}

// MarshalJSON writes the interval.
func (i Interval) MarshalJSON() ([]byte, error) {
	if !i.Defined() {
		return []byte("null"), nil
	}
	return json.Marshal([2]Number{i.Lo, i.Hi})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (i *Interval) UnmarshalJSON(text []byte) error {
	var ends *[2]Number
	*i = Interval{}
	if err := json.Unmarshal(text, &ends); err != nil || ends == nil {
		return err
	}
	i.Lo, i.Hi = ends[0], ends[1]
	return nil
}

// Round returns a value and its interval for people, both rounded to the second
// significant digit of the interval's half-width (see tuner/numeral): "0.512" and
// "[0.487, 0.537]". Where the interval is undefined or has no width the value has
// so many digits behind the point.
func (i Interval) Round(n Number, digits int) (value, interval string) {
	if !i.Defined() || !n.Defined || !(i.Hi.Value > i.Lo.Value) {
		return n.Fixed(digits), i.text(digits)
	}
	half := (i.Hi.Value - i.Lo.Value) / 2
	low, high := numeral.Interval(i.Lo.Value, i.Hi.Value)
	return numeral.Rounded(n.Value, half), "[" + low + ", " + high + "]"
}

// text returns "[0.49, 0.51]" with so many digits behind the point, or "-" when
// undefined.
func (i Interval) text(digits int) string {
	if !i.Defined() {
		return "-"
	}
	return "[" + i.Lo.Fixed(digits) + ", " + i.Hi.Fixed(digits) + "]"
}

// OfRuns returns the mean of a few independent runs, each one number, with Student's
// 95 % interval. SE is the half-width in units of the normal deviate, so that
// 1.96 times it is the half-width of the interval; both are undefined for fewer
// than two runs.
func OfRuns(runs []float64) MeanInterval {
	n := float64(len(runs))
	if n == 0 {
		return MeanInterval{}
	}
	sum := 0.0
	for _, x := range runs {
		sum += x
	}
	mean := sum / n
	if n < 2 {
		return MeanInterval{Mean: Known(mean)}
	}
	squares := 0.0
	for _, x := range runs {
		squares += (x - mean) * (x - mean)
	}
	t := distuv.StudentsT{Sigma: 1, Nu: n - 1}.Quantile(0.975)
	return Normal(mean, t/Deviate95*math.Sqrt(squares/(n-1)/n))
}

package stats

import (
	"encoding/json"
	"math"

	"sakusen/tuner/numeral"
)

// Interval is a range with a stated confidence. Its JSON is [lo, hi], or null
// where an end is undefined.
type Interval struct{ Lo, Hi Number }

// Defined tells whether both ends are.
func (i Interval) Defined() bool { return i.Lo.Defined && i.Hi.Defined }

// Around is the interval of values at most half a width away from a middle,
// undefined where either is no number.
func Around(middle, half float64) Interval {
	return Interval{Known(middle - half), Known(middle + half)}
}

// Half is half the width, NaN where the interval is undefined.
func (i Interval) Half() float64 {
	if !i.Defined() {
		return math.NaN()
	}
	return (i.Hi.Value - i.Lo.Value) / 2
}

// Ends are both ends, nil where the interval is undefined.
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

// Round is a value and its interval for people, both rounded to the second
// significant digit of the interval's half-width (see tuner/numeral): "0.512" and
// "[0.487, 0.537]". Where the interval is undefined or has no width the value has
// so many digits behind the point.
func (i Interval) Round(n Number, digits int) (value, interval string) {
	if !i.Defined() || !n.Defined || !(i.Hi.Value > i.Lo.Value) {
		return n.Fixed(digits), i.Text(digits)
	}
	half := (i.Hi.Value - i.Lo.Value) / 2
	low, high := numeral.Interval(i.Lo.Value, i.Hi.Value)
	return numeral.Rounded(n.Value, half), "[" + low + ", " + high + "]"
}

// RoundElo is Round for differences of Elo: with a sign, and one digit where the
// interval says nothing.
func (i Interval) RoundElo(n Number) (value, interval string) {
	value, interval = i.Round(n, 1)
	if n.Defined && n.Value >= 0 {
		value = "+" + value
	}
	return value, interval
}

// Text is "[0.49, 0.51]" with so many digits behind the point, or "-" when
// undefined.
func (i Interval) Text(digits int) string {
	if !i.Defined() {
		return "-"
	}
	return "[" + i.Lo.Fixed(digits) + ", " + i.Hi.Fixed(digits) + "]"
}

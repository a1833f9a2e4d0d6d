package experiment

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"sakusen/tuner/stats"
)

// Row is a printed value beside ours. Intervals are of 95 %, null where they are
// undefined.
type Row struct {
	Label     string         `json:"label"`
	Metric    string         `json:"metric"`
	Printed   Value          `json:"printed"` // null where nothing is printed
	PrintedCI stats.Interval `json:"printed_ci95"`
	Measured  Value          `json:"measured"`
	CI        stats.Interval `json:"ci95"`
	Agrees    *bool          `json:"agrees"` // null: too few games, or nothing printed
	// SingleSided is the same chance of a win estimated from the sides of the
	// games taken singly.
	SingleSided   *Value         `json:"single_sided,omitempty"`
	SingleSidedCI stats.Interval `json:"single_sided_ci95,omitzero"`
	Note          string         `json:"note,omitempty"`
}

// Value is a number, a text, other JSON, or nothing: the zero value.
type Value struct{ raw json.RawMessage }

// Number is a number; undefined it is nothing.
func Number(n stats.Number) Value {
	if !n.Defined {
		return Value{}
	}
	return Value{strconv.AppendFloat(nil, n.Value, 'g', -1, 64)}
}

// Integer is a whole number.
func Integer(n int64) Value { return Value{strconv.AppendInt(nil, n, 10)} }

// Text is a text: also counts that may exceed 2^53.
func Text(s string) Value {
	raw, err := json.Marshal(s)
	if err != nil {
		return Value{}
	}
	return Value{raw}
}

// JSON is a value that is JSON already; what is none becomes a text.
func JSON(text string) Value {
	if !json.Valid([]byte(text)) {
		return Text(text)
	}
	return Value{json.RawMessage(text)}
}

// Nothing tells whether there is no value.
func (v Value) Nothing() bool { return v.raw == nil }

// String is the value for people.
func (v Value) String() string {
	if v.raw == nil {
		return "-"
	}
	var s string
	if json.Unmarshal(v.raw, &s) == nil {
		return s
	}
	return string(v.raw)
}

// MarshalJSON writes the value, null where there is none.
func (v Value) MarshalJSON() ([]byte, error) {
	if v.raw == nil {
		return []byte("null"), nil
	}
	return v.raw, nil
}

// UnmarshalJSON reads what MarshalJSON writes.
func (v *Value) UnmarshalJSON(text []byte) error {
	v.raw = nil
	if string(text) != "null" {
		v.raw = append(json.RawMessage(nil), text...)
	}
	return nil
}

// Verdict is what is said of a row to people.
func (r *Row) Verdict() string {
	switch {
	case r.Agrees != nil && *r.Agrees:
		return "yes"
	case r.Agrees != nil:
		return "no"
	case r.Printed.Nothing():
		return "not printed"
	}
	return "undecided"
}

// Texts are the printed and the measured value for people: "52.31 +- 0.31", the
// measured one with a digit more than the printed; an interval that does not lie
// evenly about its value is told by its ends.
func (r *Row) Texts() (printed, measured string) {
	printed, measured = r.Printed.String(), r.Measured.String()
	if r.PrintedCI.Defined() {
		printed += " +- " + strconv.FormatFloat(r.PrintedCI.Half(), 'g', 3, 64)
	}
	if !r.CI.Defined() {
		return printed, measured
	}
	digits := 2
	if _, decimals, ok := strings.Cut(r.Printed.String(), "."); ok {
		digits = len(decimals) + 1
	}
	x, err := strconv.ParseFloat(measured, 64)
	if err != nil {
		return printed, measured
	}
	number := func(x float64) string { return strconv.FormatFloat(x, 'f', digits, 64) }
	lo, hi, half := r.CI.Lo.Value, r.CI.Hi.Value, r.CI.Half()
	if math.Abs((lo+hi)/2-x) > 0.01*half {
		return printed, number(x) + " [" + number(lo) + ", " + number(hi) + "]"
	}
	return printed, number(x) + " +- " + number(half)
}

package stats

import (
	"strconv"

	"sakusen/tuner/numeral"
)

// Number is a result that may be undefined: the Elo error of blocks that are
// all equal, the ratio to nothing. The zero value is undefined.
type Number struct {
	Value   float64 // 0 when not Defined
	Defined bool
}

// Known is a defined number; NaN and the infinities become undefined, so that
// they cannot travel further.
func Known(x float64) Number {
	if !numeral.IsFinite(x) {
		return Number{}
	}
	return Number{Value: x, Defined: true}
}

// Pointer is a pointer to the value, nil when undefined: the form of JSON fields
// that may be null.
func (n Number) Pointer() *float64 {
	if !n.Defined {
		return nil
	}
	return &n.Value
}

// Or is the value, or the given one when undefined.
func (n Number) Or(x float64) float64 {
	if n.Defined {
		return n.Value
	}
	return x
}

// String is the shortest decimal text that reads back to the value, or
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

// Fixed is the number with so many digits behind the point, or "-" when
// undefined.
func (n Number) Fixed(digits int) string {
	if !n.Defined {
		return "-"
	}
	return strconv.FormatFloat(n.Value, 'f', digits, 64)
}

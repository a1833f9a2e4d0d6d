package rating

import "encoding/json"

// Interval is a range with a stated confidence. Its JSON is [lo, hi], or null
// where an end is undefined.
type Interval struct{ Lo, Hi Number }

// Defined tells whether both ends are.
func (i Interval) Defined() bool { return i.Lo.Defined && i.Hi.Defined }

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

// Text is "[0.49, 0.51]" with so many digits behind the point, or "-" when
// undefined.
func (i Interval) Text(digits int) string {
	if !i.Defined() {
		return "-"
	}
	return "[" + i.Lo.Fixed(digits) + ", " + i.Hi.Fixed(digits) + "]"
}

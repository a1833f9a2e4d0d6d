package arena

import (
	"errors"
	"testing"
)

// Clocks are scaled by the mean of the factors of a job's engines, within bounds.
func TestSpeeds(t *testing.T) {
	for _, c := range []struct {
		reference, own Speeds
		want           float64
		beyond         bool
	}{
		{nil, nil, 1, false},
		{Speeds{"a": 1000}, Speeds{"a": 500}, 2, false},
		{Speeds{"a": 1000}, Speeds{"a": 4000}, .25, false},
		{Speeds{"a": 1000, "b": 1000}, Speeds{"a": 500, "b": 2000}, 1, false},
		{Speeds{"a": 1000}, Speeds{"a": 240}, 0, true},
		{Speeds{"a": 1000}, Speeds{"a": 4100}, 0, true},
	} {
		got, err := c.reference.Scale(c.own)
		if got != c.want || errors.Is(err, ErrBeyond) != c.beyond {
			t.Errorf("%+v: %g, %v", c, got, err)
		}
	}
	for _, own := range []Speeds{nil, {"a": 0}, {"a": -1}, {"b": 5}} {
		if scale, err := (Speeds{"a": 1}).Scale(own); err == nil {
			t.Errorf("%v: %g", own, scale)
		}
	}
	for _, text := range []string{"", " ", "a", "a:", ":5", "a:0", "a:-1", "a:NaN", "a:Inf", "a:1 a:2", "a:1,b:2", "a:1 b"} {
		if got, err := ParseSpeeds(text); err == nil {
			t.Errorf("%q: %v", text, got)
		}
	}
	if got, err := ParseSpeeds(" b:2e6  a:1.5 "); err != nil || got.String() != "a:1.5 b:2000000" {
		t.Errorf("%v, %v", got, err)
	}
}

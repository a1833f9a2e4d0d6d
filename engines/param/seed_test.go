package param

import (
	"encoding/json"
	"flag"
	"math"
	"testing"
)

var _ flag.Value = (*Seed)(nil)

func TestParseSeed(t *testing.T) {
	for text, want := range map[string]Seed{"0": 0, "7": 7, "18446744073709551615": math.MaxUint64} {
		if got, err := ParseSeed(text); err != nil || got != want || got.String() != text {
			t.Errorf("%q is %v, %v", text, got, err)
		}
	}
	for text, want := range map[string]string{
		"":                     `expected an integer from 0, got ""`,
		"-1":                   `expected an integer from 0, got "-1"`,
		"x":                    `expected an integer from 0, got "x"`,
		"1.0":                  `expected an integer from 0, got "1.0"`,
		"18446744073709551616": `expected an integer of at most 64 bits (18446744073709551615), got "18446744073709551616"`,
	} {
		if _, err := ParseSeed(text); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// JSON has seeds as texts and takes numbers too.
func TestSeedJSON(t *testing.T) {
	var v struct{ A, B, C *Seed }
	if err := json.Unmarshal([]byte(`{"a":"18446744073709551615","b":18446744073709551615}`), &v); err != nil {
		t.Fatal(err)
	}
	if text, err := json.Marshal(v); err != nil || string(text) != `{"A":"18446744073709551615","B":"18446744073709551615","C":null}` {
		t.Errorf("%s, %v", text, err)
	}
	for _, bad := range []string{`{"a":"x"}`, `{"a":1.5}`, `{"a":-1}`, `{"a":true}`} {
		if err := json.Unmarshal([]byte(bad), &v); err == nil {
			t.Errorf("%s is read", bad)
		}
	}
}

package yamlfile

import (
	"slices"
	"strings"
	"testing"
)

func TestChanges(t *testing.T) {
	long := strings.Repeat("mp(start_squares=70,", 6)
	for _, c := range []struct {
		was, now string
		want     []string
	}{
		{"a: 1\nb: [x]", "# no change\nb: [x]\na: 1.0", nil},
		{"a: 1", "a: 2", []string{"a: 2, was 1"}},
		{"a: {b: 1}", "a: {b: 1, c: on}", []string{"a.c: on, was not given"}},
		{"a: {b: 1}\nc: no", "a: {b: 1}", []string{"c: not given, was no"}},
		{"p: [{name: x}, {name: y, low: 1}]", "p: [{name: y, low: 2}, {name: z}]", []string{"p[x]: taken out", "p[y].low: 2, was 1", "p[z]: added"}},
		{"r: [{name: w, value: 8}]", "r: [{name: w, value: 9}]", []string{"r[w]: 9, was 8"}},
		{"pool: [R, CB]", "pool: [R]", []string{`pool: ["R"], was ["R","CB"]`}},
		{"b: [{x: 1}]", "b: [{x: <>}]", []string{`b: [{"x":"<>"}], was [{"x":1}]`}},
		{"b: " + long + "here)", "b: " + long + "there)", []string{"b: ...=70,mp(start_squares=70,there), was ...s=70,mp(start_squares=70,here)"}},
		{"a: ''", "a: b", []string{`a: b, was ""`}},
		{"a: [", "a: 1", nil},
	} {
		if got := Changes([]byte(c.was), []byte(c.now)); !slices.Equal(got, c.want) {
			t.Errorf("%s -> %s: %q, expected %q", c.was, c.now, got, c.want)
		}
	}
	var many strings.Builder
	for i := range 50 {
		many.WriteString(strings.Repeat("k", i+1) + ": 1\n")
	}
	if got := Changes([]byte("a: 1"), []byte(many.String())); len(got) != mostChanges+1 || got[mostChanges] != "and 31 more" {
		t.Errorf("%q", got)
	}
}

// Whatever two texts are, what differs is told in bounded lines, and equal texts do not differ.
func FuzzChanges(f *testing.F) {
	f.Add("a: 1", "a: [{name: x, value: {b: 2}}, {name: x}]")
	f.Add("a: &x [*x]", "? [1]\n: 2\n")
	f.Fuzz(func(t *testing.T, was, now string) {
		if same := Changes([]byte(was), []byte(was)); same != nil {
			t.Errorf("%q differs from itself: %q", was, same)
		}
		if got := Changes([]byte(was), []byte(now)); len(got) > mostChanges+1 {
			t.Errorf("%d lines", len(got))
		}
	})
}

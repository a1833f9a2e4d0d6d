package daemon

import "testing"

func TestPriorities(t *testing.T) {
	for _, n := range []int{-10, 0, 10} {
		if err := CheckPriority(n); err != nil {
			t.Errorf("%d: %v", n, err)
		}
	}
	for n, want := range map[int]string{-11: "expected -10 to 10, got -11", 11: "expected -10 to 10, got 11"} {
		if err := CheckPriority(n); err == nil || err.Error() != want {
			t.Errorf("%d: %v, want %s", n, err, want)
		}
	}
	for text, want := range map[string]int{"": 0, "-10": -10, "7": 7} {
		if n, err := ParsePriority(text); err != nil || n != want {
			t.Errorf("%q is %d, %v", text, n, err)
		}
	}
	for _, text := range []string{"11", "x", "1.5"} {
		if _, err := ParsePriority(text); err == nil || err.Error() != `expected -10 to 10, got "`+text+`"` {
			t.Errorf("%q: %v", text, err)
		}
	}
}

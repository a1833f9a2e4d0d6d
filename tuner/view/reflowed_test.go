package view

import (
	"strings"
	"testing"
)

// Descriptions are broken anew, and what is indented stays as it is.
func TestReflowed(t *testing.T) {
	const text = "One\ntwo.\n\n  kept   as it is\n\nThree"
	if got, want := Reflowed(text), "One two.\n\n  kept   as it is\n\nThree"; got != want {
		t.Errorf("got %q, expected %q", got, want)
	}
	long := strings.Repeat("word ", 40)
	for _, line := range strings.Split(Reflowed(long), "\n") {
		if len(line) > Width {
			t.Error(line)
		}
	}
}

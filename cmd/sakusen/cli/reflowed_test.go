package cli

import (
	"strings"
	"testing"

	"sakusen/tuner/report"
)

// Descriptions are broken anew, and what is indented stays as it is.
func TestReflowed(t *testing.T) {
	const text = "One\ntwo.\n\n  kept   as it is\n\nThree"
	if got, want := reflowed(text), "One two.\n\n  kept   as it is\n\nThree"; got != want {
		t.Errorf("got %q, expected %q", got, want)
	}
	long := strings.Repeat("word ", 40)
	for _, line := range strings.Split(reflowed(long), "\n") {
		if len(line) > report.Width {
			t.Error(line)
		}
	}
}

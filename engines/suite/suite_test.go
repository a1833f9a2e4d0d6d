package suite_test

import (
	"testing"

	"sakusen/engines/suite"
)

// The switch is one value of one variable.
func TestSwitch(t *testing.T) {
	for value, few := range map[string]bool{"": true, "all": false, "some": true} {
		t.Setenv("SAKUSEN_TESTS", value)
		if suite.Few() != few {
			t.Errorf("SAKUSEN_TESTS=%s: few cases %t, want %t", value, suite.Few(), few)
		}
		t.Run(value, func(inner *testing.T) {
			defer func() {
				if inner.Skipped() != few {
					t.Errorf("SAKUSEN_TESTS=%s: skipped %t, want %t", value, inner.Skipped(), few)
				}
			}()
			suite.All(inner)
		})
	}
}

// Package suite divides the module's tests in two: `go test ./...` tries each
// promise with few cases, in minutes on a laptop, and SAKUSEN_TESTS=all tries all
// cases and the heavier suites, as continuous integration does.
//
// A heavier test begins with suite.All(t); one that is as true with fewer cases
// asks suite.Few for their number:
//
//	games := 20_000
//	if suite.Few() {
//		games = 1_000
//	}
//
// Whatever waits, waits until Deadline: no test fails because time has passed.
package suite

import (
	"os"
	"testing"
	"time"
)

// variable is the variable of the environment that is the switch.
const variable = "SAKUSEN_TESTS"

// Few reports whether few cases are enough: SAKUSEN_TESTS is not "all".
func Few() bool { return os.Getenv(variable) != "all" }

// All skips a test unless SAKUSEN_TESTS is "all".
func All(t testing.TB) {
	t.Helper()
	if Few() {
		t.Skip("a heavier suite: " + variable + "=all go test runs it")
	}
}

// Deadline returns the moment until which a test may wait for what must come: a
// little before the test binary's own -timeout ends, so that the test can still say
// what did not come. A busy machine makes nothing fail earlier.
func Deadline(t testing.TB) time.Time {
	if t, ok := t.(*testing.T); ok {
		if end, limited := t.Deadline(); limited {
			return end.Add(-min(time.Until(end)/10, 20*time.Second))
		}
	}
	return time.Now().Add(24 * time.Hour)
}

// Late returns a channel that receives at Deadline, for a select.
func Late(t testing.TB) <-chan time.Time { return time.After(time.Until(Deadline(t))) }

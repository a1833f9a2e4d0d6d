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
package suite

import (
	"os"
	"testing"
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

// Package bench holds the tests of sakusen bench.
package bench

import (
	"os"
	"strings"
	"testing"

	"sakusen/cmd/sakusen/clitest"
)

// TestMain has the modules under test built at less cost, as in bench/runner.
func TestMain(m *testing.M) {
	os.Setenv("GOGC", "400")
	os.Setenv("GOFLAGS", strings.TrimSpace(os.Getenv("GOFLAGS")+" -vet=off -ldflags=-w"))
	clitest.Main(m)
}

// Package bench holds the tests of sakusen bench.
package bench

import (
	"os"
	"strings"
	"testing"

	"sakusen/cmd/sakusen/clitest"
)

// TestMain has the modules under test built at less cost: without vet and the tables of debuggers.
func TestMain(m *testing.M) {
	os.Setenv("GOFLAGS", strings.TrimSpace(os.Getenv("GOFLAGS")+" -vet=off -ldflags=-w"))
	clitest.Main(m)
}

package runner

import (
	"os"
	"strings"
	"testing"
)

// TestMain has the modules under test built at less cost: without vet and the tables of
// debuggers, by a go command that collects its garbage rarely. Tests of vet and of layouts take
// that out of GOFLAGS again.
func TestMain(m *testing.M) {
	os.Setenv("GOGC", "400")
	os.Setenv("GOFLAGS", strings.TrimSpace(os.Getenv("GOFLAGS")+" -vet=off -ldflags=-w"))
	os.Exit(m.Run())
}

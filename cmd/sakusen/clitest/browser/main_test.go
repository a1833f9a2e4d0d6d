// Package browser holds the tests of the pages in Chromium.
package browser

import (
	"os"
	"testing"

	"sakusen/cmd/sakusen/clitest"
)

// A daemon of these tests plays on one core, and leaves another to Chromium: most tests watch
// a study that plays without an end.
func TestMain(m *testing.M) {
	os.Setenv("SAKUSEN_WORKERS", "1")
	clitest.Main(closing{m})
}

// closing runs the tests, and ends the Chromium that they share.
type closing struct{ tests *testing.M }

func (c closing) Run() int {
	defer chromium.end()
	return c.tests.Run()
}

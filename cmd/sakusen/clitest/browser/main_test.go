// Package browser holds the tests of the pages in Chromium.
package browser

import (
	"testing"

	"sakusen/cmd/sakusen/clitest"
)

func TestMain(m *testing.M) { clitest.Main(closing{m}) }

// closing runs the tests, and ends the Chromium that they share.
type closing struct{ tests *testing.M }

func (c closing) Run() int {
	defer chromium.end()
	return c.tests.Run()
}

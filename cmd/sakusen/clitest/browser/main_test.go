// Package browser holds the tests of the pages in Chromium.
package browser

import (
	"testing"

	"sakusen/cmd/sakusen/clitest"
)

func TestMain(m *testing.M) { clitest.Main(m) }

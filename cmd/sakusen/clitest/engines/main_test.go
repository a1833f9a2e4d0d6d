// Package engines holds the tests of external engines and bots.
package engines

import (
	"testing"

	"sakusen/cmd/sakusen/clitest"
)

func TestMain(m *testing.M) { clitest.Main(m) }

// Package experiments holds the tests of sakusen paper experiment.
package experiments

import (
	"testing"

	"sakusen/cmd/sakusen/clitest"
)

func TestMain(m *testing.M) { clitest.Main(m) }

// Package workers holds the tests of workers on other machines as whole programs.
package workers

import (
	"testing"

	"sakusen/cmd/sakusen/clitest"
	"sakusen/engines/arena/catalogue"
)

func TestMain(m *testing.M) { clitest.Main(m, catalogue.Game{Game: slowGame()}) }

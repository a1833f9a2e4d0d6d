// Package daemon holds the tests of sakusen serve and what it is asked.
package daemon

import (
	"testing"

	"sakusen/cmd/sakusen/clitest"
)

func TestMain(m *testing.M) { clitest.Main(m) }

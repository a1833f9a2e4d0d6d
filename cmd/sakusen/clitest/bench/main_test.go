// Package bench holds the tests of sakusen bench.
package bench

import (
	"testing"

	"sakusen/cmd/sakusen/clitest"
)

func TestMain(m *testing.M) { clitest.Main(m) }

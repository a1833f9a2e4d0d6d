// Package studies holds the tests of studies.
package studies

import (
	"testing"

	"sakusen/cmd/sakusen/clitest"
)

func TestMain(m *testing.M) { clitest.Main(m) }

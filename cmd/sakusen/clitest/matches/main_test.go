// Package matches holds the tests of matches, tournaments, games in the terminal, and what lists and answers.
package matches

import (
	"testing"

	"sakusen/cmd/sakusen/clitest"
)

func TestMain(m *testing.M) { clitest.Main(m) }

// Package documents holds the tests of documents and files that newcomers follow.
package documents

import (
	"testing"

	"sakusen/cmd/sakusen/clitest"
)

func TestMain(m *testing.M) { clitest.Main(m) }

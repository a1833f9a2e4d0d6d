package cli_test

import (
	"io"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"sakusen/cmd/sakusen/cli"
	"sakusen/cmd/sakusen/clitest"
	"sakusen/engines/plain"
)

// The help of every command fits into 80 columns; only examples, which are to be
// copied, may be wider, of 100 at most.
func TestHelpFits(t *testing.T) {
	commands := 0
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		commands++
		path := strings.Fields(c.CommandPath())[1:]
		out, _, err := clitest.Program(t, t.TempDir(), nil, append(path, "--help")...)
		if err != nil {
			t.Fatal(path, err)
		}
		for _, line := range strings.Split(out, "\n") {
			example := strings.HasPrefix(line, "  sakusen ") || strings.HasPrefix(line, "  {")
			if n := len([]rune(line)); n > 100 || n > plain.Width && !example {
				t.Errorf("sakusen %s --help: %d columns: %s", strings.Join(path, " "), n, line)
			}
		}
		for _, sub := range c.Commands() {
			if sub.IsAvailableCommand() {
				walk(sub)
			}
		}
	}
	walk(cli.NewInside(nil, io.Discard).Root())
	if commands < 60 {
		t.Errorf("%d commands", commands)
	}
}

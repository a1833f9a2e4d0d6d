package cli_test

import (
	"io"
	"regexp"
	"strconv"
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
	t.Chdir(t.TempDir())
	commands := 0
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		commands++
		path := strings.Fields(c.CommandPath())[1:]
		p := clitest.Launch(t, "", append(path, "--help")...)
		if p.Code != clitest.ExitDone {
			t.Fatal(path, p)
		}
		for _, line := range strings.Split(p.Out, "\n") {
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

// No package of ours works for long before the program begins, for that is paid by every command.
func TestStartIsLittleWork(t *testing.T) {
	_, errs, err := clitest.Program(t, t.TempDir(), []string{"GODEBUG=inittrace=1"}, "version")
	if err != nil || !strings.Contains(errs, "init sakusen/tuner/web @") {
		t.Fatal(err, errs)
	}
	for _, m := range regexp.MustCompile(`init (sakusen/\S+) .* (\d+) allocs`).FindAllStringSubmatch(errs, -1) {
		if n, _ := strconv.Atoi(m[2]); n > 5000 {
			t.Errorf("%s makes %d allocations when the program starts", m[1], n)
		}
	}
}

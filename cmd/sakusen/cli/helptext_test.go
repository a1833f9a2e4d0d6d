package cli_test

import (
	"strings"
	"testing"

	"sakusen/cmd/sakusen/clitest"
	"sakusen/tuner/view"
)

// The help of every command fits into 80 columns; only examples, which are to be
// copied, may be wider.
func TestHelpFits(t *testing.T) {
	commands := 0
	var walk func(path []string)
	walk = func(path []string) {
		commands++
		out, _, err := clitest.Program(t, t.TempDir(), nil, append(path[:len(path):len(path)], "--help")...)
		if err != nil {
			t.Fatal(path, err)
		}
		for _, line := range strings.Split(out, "\n") {
			example := strings.HasPrefix(line, "  sakusen ") || strings.HasPrefix(line, "  {")
			if n := len([]rune(line)); n > view.Width && !example {
				t.Errorf("sakusen %s --help: %d columns: %s", strings.Join(path, " "), n, line)
			}
		}
		_, rest, ok := strings.Cut(out, "\nCommands:\n")
		if !ok {
			return
		}
		rest, _, _ = strings.Cut(rest, "\n\n")
		for _, line := range strings.Split(rest, "\n") {
			if name := strings.Fields(line); strings.HasPrefix(line, "  ") && line[2] != ' ' && name[0] != "help" {
				walk(append(path[:len(path):len(path)], name[0]))
			}
		}
	}
	walk(nil)
	if commands < 60 {
		t.Errorf("%d commands", commands)
	}
}

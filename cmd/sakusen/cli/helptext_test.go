package cli

import (
	"strings"
	"testing"

	"sakusen/tuner/report"
)

// The help of every command fits into 80 columns; only examples, which are to be
// copied, may be wider.
func TestHelpFits(t *testing.T) {
	commands := 0
	var walk func(path []string)
	walk = func(path []string) {
		commands++
		out, _, err := program(t, t.TempDir(), nil, append(path[:len(path):len(path)], "--help")...)
		if err != nil {
			t.Fatal(path, err)
		}
		for _, line := range strings.Split(out, "\n") {
			example := strings.HasPrefix(line, "  sakusen ") || strings.HasPrefix(line, "  {")
			if n := len([]rune(line)); n > report.Width && !example {
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

// Descriptions are broken anew, and what is indented stays as it is.
func TestReflowed(t *testing.T) {
	const text = "One\ntwo.\n\n  kept   as it is\n\nThree"
	if got, want := reflowed(text), "One two.\n\n  kept   as it is\n\nThree"; got != want {
		t.Errorf("got %q, expected %q", got, want)
	}
	long := strings.Repeat("word ", 40)
	for _, line := range strings.Split(reflowed(long), "\n") {
		if len(line) > report.Width {
			t.Error(line)
		}
	}
}

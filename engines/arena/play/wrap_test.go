package play

import (
	"strings"
	"testing"
)

// What a person is told fits into 80 columns, between words, and boards stay as they are.
func TestWrapped(t *testing.T) {
	long := strings.TrimSpace(strings.Repeat("word ", 30))
	for _, text := range []string{long, "  " + long, "red   " + long, long + "> "} {
		got := wrapped(text)
		if strings.Join(strings.Fields(got), " ") != strings.Join(strings.Fields(text), " ") || strings.HasSuffix(text, " ") != strings.HasSuffix(got, " ") {
			t.Errorf("%q became %q", text, got)
		}
		for line := range strings.Lines(got) {
			if len(strings.TrimRight(line, "\n ")) > width || strings.HasPrefix(text, "  ") && !strings.HasPrefix(line, "  ") {
				t.Errorf("%q", line)
			}
		}
	}
	if got := wrapped("red   " + long); !strings.HasPrefix(got, "red   word") {
		t.Errorf("%q", got)
	}
	for _, board := range []string{strings.Repeat(".   ", 30), strings.Repeat("\x1b[1m.\x1b[0m ", 90), "short", ""} {
		if got := wrapped(board); got != board {
			t.Errorf("%q became %q", board, got)
		}
	}
	if got := reflowed("One that\nis broken:\n  a sign   kept\nand goes\non.\n"); got != "One that is broken:\n  a sign   kept\nand goes on.\n" {
		t.Errorf("%q", got)
	}
}

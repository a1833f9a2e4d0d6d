package cli

import (
	"strings"
	"testing"
)

// A person votes to the end of a game of four, mistakes among the lines, and
// sees the others' votes only when all are in.
func TestPlayLifeboats(t *testing.T) {
	in := "9\nmap\nhelp\nx\n" + strings.Repeat("0\n1\n2\n3\n4\n", 120)
	p := launch(t, in, "play", "lifeboats", "level0", "me", "level1", "random", "--seed", "5", "-q")
	if p.code != exitDone || p.err != "" {
		t.Fatalf("exit code %d, %s", p.code, p.err)
	}
	for _, want := range []string{
		"You sit in seat 1 of 4.", `expected one of 0 1 2 3 4, got "9"`, `got "x"`, "round 1, leak: votes ", "saved: ",
	} {
		if !strings.Contains(p.out, want) {
			t.Errorf("the game does not say %q:\n%s", want, p.out)
		}
	}
	if strings.Count(p.out, "saved: ") != 1 || strings.Contains(p.out, "no option") || strings.Index(p.out, "which boat leaks") > strings.Index(p.out, "round 1, leak") {
		t.Error(p.out)
	}
	left := launch(t, "0\nquit\n", "play", "lifeboats", "me", "level0", "random", "--seed", "5", "-q")
	if left.code != exitDone || !strings.Contains(left.out, "The game is left here.") || strings.Contains(left.out, "saved: ") {
		t.Errorf("exit code %d, %s%s", left.code, left.err, left.out)
	}
}

package matches

import (
	"strings"
	"testing"

	"sakusen/cmd/sakusen/clitest"
)

// A person votes to the end of a game of four, mistakes among the lines, and
// sees the others' votes only when all are in.
func TestPlayLifeboats(t *testing.T) {
	in := "9\nmap\nhelp\nx\n" + strings.Repeat("0\n1\n2\n3\n4\n", 120)
	p := clitest.Launch(t, in, "play", "lifeboats", "level0", "me", "level1", "random", "--seed", "5", "-q")
	if p.Code != clitest.ExitDone || p.Err != "" {
		t.Fatalf("exit code %d, %s", p.Code, p.Err)
	}
	for _, want := range []string{
		"seat 1: you\n", `expected one of 0 1 2 3 4, got "9"`, `got "x"`, "round 1, leak: votes ", "saved: ",
	} {
		if !strings.Contains(p.Out, want) {
			t.Errorf("the game does not say %q:\n%s", want, p.Out)
		}
	}
	if strings.Count(p.Out, "saved: ") != 1 || strings.Contains(p.Out, "no option") || strings.Index(p.Out, "which boat leaks") > strings.Index(p.Out, "round 1, leak") {
		t.Error(p.Out)
	}
	left := clitest.Launch(t, "0\nquit\n", "play", "lifeboats", "me", "level0", "random", "--seed", "5", "-q")
	if left.Code != clitest.ExitDone || !strings.Contains(left.Out, "The game is left here.") || strings.Contains(left.Out, "saved: ") {
		t.Errorf("exit code %d, %s%s", left.Code, left.Err, left.Out)
	}
}

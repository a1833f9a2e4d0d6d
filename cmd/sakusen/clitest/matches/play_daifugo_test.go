package matches

import (
	"os"
	"strings"
	"testing"

	"sakusen/cmd/sakusen/clitest"
)

// A person plays Daifugo, in any case of letters and whatever arrow keys send, takes back a
// card, and reads the rules. If the input ends, the game is kept, and continues to the end that
// it would have had.
func TestPlayDaifugo(t *testing.T) {
	t.Chdir(t.TempDir())
	line := strings.Fields("play daifugo me random random lowest-first --seed 3")
	const all = "3\npass\npass\n6\n"
	whole := clitest.Launch(t, all, line...)
	if whole.Code != clitest.ExitDone || !strings.Contains(whole.Out, "is out and has rank 1") || !strings.Contains(whole.Out, "seat 0: you\nseat 1: random\n") {
		t.Fatalf("exit code %d, %s%s", whole.Code, whole.Err, whole.Out)
	}
	end := whole.Out[strings.LastIndex(whole.Out, "your card"):]
	again := clitest.Launch(t, "HELP\nundo\n\x1b[A6\nhands\n4\nUnDo\n"+"3\nPASS\nrules\npass\n6\n", line...)
	if !strings.HasSuffix(again.Out, end) || !strings.Contains(again.Out, "there is no move to take back") || !strings.Contains(again.Out, "higher is stronger") || strings.Count(again.Out, "seat 0 plays 6") != 2 {
		t.Errorf("with a card taken back: exit code %d, %s", again.Code, again.Out)
	}
	left := clitest.Launch(t, "help\n3\npass\n", line...)
	if left.Code != clitest.ExitDone || !strings.Contains(left.Err, "sakusen play --resume daifugo-3.play goes on") {
		t.Fatalf("left: %+v", left)
	}
	for _, in := range []string{"undo\n", "pass\npass\n6\n"} {
		on := clitest.Launch(t, in, "play", "--resume", "daifugo-3.play")
		if on.Code != clitest.ExitDone || in != "undo\n" && !strings.HasSuffix(on.Out, end) {
			t.Errorf("%q: exit code %d, %s%s", in, on.Code, on.Out, on.Err)
		}
	}
	text, err := os.ReadFile("daifugo-3.play")
	if err != nil || strings.Count(string(text), "line ") != 5 {
		t.Errorf("%v %s", err, text)
	}
	if p := clitest.Launch(t, "", "play", "--resume", "daifugo-3.play", "--seed", "3"); p.Code != clitest.ExitUsage || !strings.Contains(p.Err, "--resume: expected a file alone") {
		t.Errorf("%+v", p)
	}
}

// Every game that seats a person tells its rules and takes back; a kept game of each
// goes on.
func TestPlayRules(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, c := range []struct{ line, in, rules string }{
		{"battleship me R", "RANDOM\nE5\n", "x hit, the ship is afloat"},
		{"daifugo me random random random", "6\n", "the table clears"},
		{"lifeboats me random random", "0\n", "counts the crew of seat 0"},
		{"tubstap me single --rules map=own02", "0\n", "~ sea"},
	} {
		game := strings.Fields(c.line)[0]
		p := clitest.Launch(t, "rules\n"+c.in+"undo\n"+c.in[strings.LastIndex(strings.TrimSpace(c.in), "\n")+1:], append([]string{"play", "--seed", "3"}, strings.Fields(c.line)...)...)
		kept, err := os.ReadFile(game + "-3.play")
		if p.Code != clitest.ExitDone || !strings.Contains(p.Out, c.rules) || !strings.Contains(p.Out, "seat 0: you\n") || err != nil || strings.Count(string(kept), "line ") != strings.Count(c.in, "\n") {
			t.Errorf("%s: exit code %d, %v, kept %s, %s%s", game, p.Code, err, kept, p.Out, p.Err)
		}
		if p := clitest.Launch(t, "quit\n", "play", "--resume", game+"-3.play"); p.Code != clitest.ExitDone || !strings.HasSuffix(p.Out, "The game is left here.\n") {
			t.Errorf("%s goes on: %+v", game, p)
		}
	}
}

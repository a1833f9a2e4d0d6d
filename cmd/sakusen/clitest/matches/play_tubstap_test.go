package matches

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sakusen/cmd/sakusen/clitest"
)

// A person gives orders, mistakes among them, resigns, and the game is kept as
// a record of ours and as a replay file.
func TestPlayTubstap(t *testing.T) {
	folder := t.TempDir()
	record, sgf := filepath.Join(folder, "g.txt"), filepath.Join(folder, "g.sgf")
	in := "moves 0\nmoves 9\nmap\nhelp\n1 9,9\nfoo\n2 3,4,5\n0 x\n2 3,2 x3\n0\nend\nresign\n"
	p := clitest.Launch(t, in, "play", "tubstap", "single", "--rules", "map=own02", "--seed", "3", "-q", "--save", record, "--sgf", sgf)
	if p.Code != clitest.ExitDone || p.Err != "" {
		t.Fatalf("exit code %d, %s", p.Code, p.Err)
	}
	for _, want := range []string{
		"You command red.", "red (units 0 1 2)> ", "attacks: ", `expected one of the units 0 1 2, got "9"`, "outside the playable cells",
		`number of a unit first (units 0 1 2), got "foo"`, `such as x7, got "3,4,5"`, `the number of a unit, got "x"`,
		"turn 0, red: F2 (10 HP) goes (2,3) to (3,2), hits F3 (10 HP) for 6", "turn 1, blue: ", "red resigns in turn 2",
	} {
		if !strings.Contains(p.Out, want) {
			t.Errorf("the game does not say %q:\n%s", want, p.Out)
		}
	}
	if strings.Contains(p.Out, "illegal") || strings.Contains(p.Out, "\x1b") {
		t.Error(p.Out)
	}
	again := clitest.Launch(t, "", "play", "--replay", record, "-q")
	if again.Code != clitest.ExitDone || strings.Count(again.Out, " HP) ") != strings.Count(p.Out, " HP) ") || !strings.Contains(again.Out, "red resigns in turn 2") {
		t.Errorf("replayed, exit code %d:\n%s%s", again.Code, again.Out, again.Err)
	}
	told := clitest.Launch(t, "", "play", "--replay", sgf)
	if told.Code != clitest.ExitDone || !strings.Contains(told.Out, "red person, blue single") || !strings.Contains(told.Out, "the record ends before the game does") {
		t.Errorf("told, exit code %d:\n%s%s", told.Code, told.Out, told.Err)
	}
	t.Chdir(t.TempDir())
	left := clitest.Launch(t, "0\n", "play", "tubstap", "single", "me", "--rules", "map=own02", "--seed", "3", "-q")
	if left.Code != clitest.ExitDone || !strings.Contains(left.Out, "You command blue.") || !strings.Contains(left.Out, "The game is left here.") {
		t.Errorf("left, exit code %d:\n%s%s", left.Code, left.Out, left.Err)
	}
}

// Two strategies are told with boards; the replay file is the whole game.
func TestTellTubstap(t *testing.T) {
	sgf := filepath.Join(t.TempDir(), "g.sgf")
	p := clitest.Launch(t, "", "play", "tubstap", "single", "random", "--rules", "map=own02", "--rules", "noise_pos=true", "--seed", "4", "-q", "--sgf", sgf)
	if p.Code != clitest.ExitDone || !strings.Contains(p.Out, ", winner ") || !strings.Contains(p.Out, "turn 1 of 20, blue to move") {
		t.Fatalf("exit code %d, %s%s", p.Code, p.Out, p.Err)
	}
	told := clitest.Launch(t, "", "play", "--replay", sgf)
	end := p.Out[strings.LastIndex(p.Out, ", winner "):]
	if told.Code != clitest.ExitDone || !strings.Contains(told.Out, end[:12]) {
		t.Errorf("exit code %d, %s%s; want the end %q", told.Code, told.Out, told.Err, end)
	}
	text, err := os.ReadFile(sgf)
	if err != nil {
		t.Fatal(err)
	}
	cut := filepath.Join(t.TempDir(), "cut.sgf")
	if err := os.WriteFile(cut, []byte(strings.Replace(string(text), "ACTION[", "ACTION[9", 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	if r := clitest.Launch(t, "", "play", "--replay", cut); r.Code != clitest.ExitUsage || !strings.Contains(r.Err, "cut.sgf: turn 0") || r.Out != "" {
		t.Errorf("exit code %d, %s%s", r.Code, r.Out, r.Err)
	}
	if r := clitest.Launch(t, "", "play", "lifeboats", "random", "random", "random", "--sgf", cut); r.Code != clitest.ExitUsage || !strings.Contains(r.Err, "--sgf") {
		t.Errorf("exit code %d, %s", r.Code, r.Err)
	}
}

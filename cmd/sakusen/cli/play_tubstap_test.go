package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A person gives orders, mistakes among them, resigns, and the game is kept as
// a record of ours and as a replay file.
func TestPlayTubstap(t *testing.T) {
	folder := t.TempDir()
	record, sgf := filepath.Join(folder, "g.txt"), filepath.Join(folder, "g.sgf")
	in := "moves 0\nmoves 9\nmap\nhelp\n1 9,9\nfoo\n2 3,4,5\n0 x\n2 3,2 x3\n0\nend\nresign\n"
	p := launch(t, in, "play", "tubstap", "single", "--rules", "map=own02", "--seed", "3", "-q", "--save", record, "--sgf", sgf)
	if p.code != exitDone || p.err != "" {
		t.Fatalf("exit code %d, %s", p.code, p.err)
	}
	for _, want := range []string{
		"You command red.", "red (units 0 1 2)> ", "attacks: ", `expected one of the units 0 1 2, got "9"`, "outside the playable cells",
		`number of a unit first (units 0 1 2), got "foo"`, `such as x7, got "3,4,5"`, `the number of a unit, got "x"`,
		"turn 0, red: F2 (10 HP) goes (2,3) to (3,2), hits F3 (10 HP) for 6", "turn 1, blue: ", "red resigns in turn 2",
	} {
		if !strings.Contains(p.out, want) {
			t.Errorf("the game does not say %q:\n%s", want, p.out)
		}
	}
	if strings.Contains(p.out, "illegal") || strings.Contains(p.out, "\x1b") {
		t.Error(p.out)
	}
	again := launch(t, "", "play", "--replay", record, "-q")
	if again.code != exitDone || strings.Count(again.out, " HP) ") != strings.Count(p.out, " HP) ") || !strings.Contains(again.out, "red resigns in turn 2") {
		t.Errorf("replayed, exit code %d:\n%s%s", again.code, again.out, again.err)
	}
	told := launch(t, "", "play", "--replay", sgf)
	if told.code != exitDone || !strings.Contains(told.out, "red person, blue single") || !strings.Contains(told.out, "the record ends before the game does") {
		t.Errorf("told, exit code %d:\n%s%s", told.code, told.out, told.err)
	}
	left := launch(t, "0\n", "play", "tubstap", "single", "me", "--rules", "map=own02", "--seed", "3", "-q")
	if left.code != exitDone || !strings.Contains(left.out, "You command blue.") || !strings.Contains(left.out, "The game is left here.") {
		t.Errorf("left, exit code %d:\n%s%s", left.code, left.out, left.err)
	}
}

// Two strategies are told with boards; the replay file is the whole game.
func TestTellTubstap(t *testing.T) {
	sgf := filepath.Join(t.TempDir(), "g.sgf")
	p := launch(t, "", "play", "tubstap", "single", "random", "--rules", "map=own02", "--rules", "noise_pos=true", "--seed", "4", "-q", "--sgf", sgf)
	if p.code != exitDone || !strings.Contains(p.out, ", winner ") || !strings.Contains(p.out, "turn 1 of 20, blue to move") {
		t.Fatalf("exit code %d, %s%s", p.code, p.out, p.err)
	}
	told := launch(t, "", "play", "--replay", sgf)
	end := p.out[strings.LastIndex(p.out, ", winner "):]
	if told.code != exitDone || !strings.Contains(told.out, end[:12]) {
		t.Errorf("exit code %d, %s%s; want the end %q", told.code, told.out, told.err, end)
	}
	text, err := os.ReadFile(sgf)
	if err != nil {
		t.Fatal(err)
	}
	cut := filepath.Join(t.TempDir(), "cut.sgf")
	if err := os.WriteFile(cut, []byte(strings.Replace(string(text), "ACTION[", "ACTION[9", 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	if r := launch(t, "", "play", "--replay", cut); r.code != exitUsage || !strings.Contains(r.err, "cut.sgf: turn 0") || r.out != "" {
		t.Errorf("exit code %d, %s%s", r.code, r.out, r.err)
	}
	if r := launch(t, "", "play", "lifeboats", "random", "random", "random", "--sgf", cut); r.code != exitUsage || !strings.Contains(r.err, "--sgf") {
		t.Errorf("exit code %d, %s", r.code, r.err)
	}
}

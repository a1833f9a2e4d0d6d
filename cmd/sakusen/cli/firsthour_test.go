package cli_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sakusen/cmd/sakusen/cli"
	"sakusen/cmd/sakusen/clitest"
)

// What people meet in their first hour: messages are bounded,
// a queued study that nothing runs is told as such, and a name of the database is enough.
func TestFirstHour(t *testing.T) {
	source, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	files := map[string]string{
		"small.yaml":   clitest.SmallStudy,
		"outside.yaml": `{version: 1, name: outside, game: external, tune: {strategy: x, params: [{name: u}]}, baseline: x, engines: {x: {protocol: jsonl, command: [sh, -c, "read -r l; cat hello"]}}}`,
		"hello":        `{"id":"1","protocol":1,"name":"x","role":"match","params":[{"name":"u","kind":"int","low":0,"high":9,"default":50},{"name":"v","kind":"int","low":0,"high":9,"default":3}]}` + "\n",
		"ext.yaml":     "version: 1\nname: ext\ngame: external\ntune: {strategy: x}\nbaseline: x\n",
	}
	wrong := "version: 1\nname: bad\ngame: dice\ntune: {strategy: loaded}\nbaseline: plain\n"
	for i := range 60 {
		wrong += fmt.Sprintf("key%d: 1\n", i)
	}
	files["bad.yaml"] = wrong
	files["typo.yaml"] = "version: 1\nname: typo\ngame: dice\ntune: {strategy: loaded}\nbasline: plain\n"
	for name, text := range files {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	run := func(code int, want string, args ...string) {
		t.Helper()
		if p := clitest.Launch(t, "", args...); p.Code != code || !strings.Contains(p.Out+p.Err, want) {
			t.Errorf("%q: exit code %d, no %q in\n%s%s", args, p.Code, want, p.Out, p.Err)
		}
	}
	if p := clitest.Launch(t, "", "study", "check", "bad.yaml"); strings.Count(p.Err, "\n") != 20 || !strings.Contains(p.Err, "lines more)") {
		t.Errorf("%d lines: %s", strings.Count(p.Err, "\n"), p.Err)
	}
	run(clitest.ExitUsage, "the game exists when a program that plays it is registered: in config.yaml of this folder", "study", "check", "ext.yaml")
	run(clitest.ExitUsage, "expected a parameter of x (it cannot be set: expected a parameter, got default: u: expected an integer in 0..9, got 50), got u", "study", "check", "outside.yaml")
	run(clitest.ExitUsage, "a program of your own plays it once it is registered: in config.yaml of this folder", "match", "chess", "nosuch", "random")
	if p := clitest.Launch(t, "", "study", "check", "typo.yaml"); p.Code != clitest.ExitUsage || strings.Count(p.Err, "\n") != 1 || !strings.Contains(p.Err, "basline: expected a known key (did you mean baseline?), got basline") {
		t.Errorf("a mistyped key is not one mistake: %d %s", p.Code, p.Err)
	}
	run(clitest.ExitUsage, `expected an engine of config.yaml, or NAME=PROGRAM, got "nobody"`, "engine", "book", "--engine", "nobody")
	run(clitest.ExitUsage, "--games cannot be given together with --count", "engine", "book", "--engine", "nobody", "--games", "10", "--count", "10")
	run(clitest.ExitDone, "next: cd 'it'\\''s mine' && go test", "game", "new", "pig", "it's mine", "--sakusen", source)
	run(clitest.ExitDone, "queued; no daemon holds sakusen.db, so nothing runs it: sakusen serve runs what is queued, sakusen tune small runs it here", "study", "submit", "small.yaml")
	run(clitest.ExitNothing, "study small is queued; no daemon holds sakusen.db", "study", "watch", "small")
	run(clitest.ExitDone, "Result ", "tune", "small")
	run(clitest.ExitDone, "study small: deleted", "study", "delete", "small", "--yes")
}

// A first study of an engine has the games of 40 minutes, with two digits, and no fewer than tell anything.
func TestBudgetOfAFirstStudy(t *testing.T) {
	for want, c := range map[string][2]float64{
		"{games: 20000}   # at most 3 min 20 s": {20000, 0.01}, "{games: 4700}   # at most 40 min": {4785, 0.51}, "{games: 400}   # at most 2 h": {133, 18},
	} {
		if got := cli.FirstBudget(c[0], c[1]); !strings.HasPrefix(got, want) {
			t.Errorf("expected %s, got %s", want, got)
		}
	}
	for program, hint := range map[string]bool{"gnu=gnuchess": true, "gnu=gnuchess --uci": false, "": false} {
		err := cli.WithArgument(errors.New("handshake: stall"), program)
		if strings.Contains(err.Error(), "gnuchess --uci") != hint {
			t.Errorf("%s: %v", program, err)
		}
	}
}

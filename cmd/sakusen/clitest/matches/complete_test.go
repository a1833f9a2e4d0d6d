package matches

import (
	"slices"
	"strings"
	"testing"

	"sakusen/cmd/sakusen/clitest"
)

// A shell completes games, strategies, studies, experiments and formats, and asks
// for files where a file stands. cobra's own command __complete is what shells call.
func TestCompletion(t *testing.T) {
	db := t.TempDir() + "/a.db"
	if p := clitest.Launch(t, "", "tune", clitest.WriteNew(t, "small.yaml", clitest.SmallStudy), "--db", db); p.Code != clitest.ExitDone {
		t.Fatal(p.Err)
	}
	for _, c := range []struct{ line, want, directive string }{
		{"match |", "battleship", ":4"}, {"match battleship |", "checkerboard", ":4"}, {"match battleship CB RNB |", "mp", ":4"},
		{"match battlesip |", "", ":0"}, {"play |", "tubstap", ":4"}, {"play tubstap |", "muct", ":4"}, {"strategies |", "dice", ":4"},
		{"tune |", "battleship-mp-threshold", ":0"}, {"tune x.yaml |", "", ":4"}, {"study submit |", "laboratory-hill", ":0"},
		{"tournament |", "battleship-table3", ":0"}, {"experiment run |", "tubstap-figure5", ":4"},
		{"export |", "small", ":4"}, {"study show |", "small", ":4"}, {"ask |", "small", ":4"}, {"export small --format |", "optuna-sqlite", ":4"},
		{"bench record |", "", ":0"}, {"db backup |", "", ":0"},
	} {
		args := append([]string{"__complete", "--db", db}, strings.Fields(c.line)...)
		args[len(args)-1] = ""
		p := clitest.Launch(t, "", args...)
		lines := strings.Split(strings.TrimSpace(p.Out), "\n")
		if p.Code != clitest.ExitDone || c.want != "" && !slices.Contains(lines, c.want) || c.want == "" && len(lines) > 1 || lines[len(lines)-1] != c.directive {
			t.Errorf("%s: exit code %d, %q, want %q and %s", c.line, p.Code, lines, c.want, c.directive)
		}
	}
}

// Lines with mistakes are answered, and with --strict the exit code tells of them.
func TestStrict(t *testing.T) {
	for _, c := range []struct {
		in   string
		code int
		args string
	}{
		{"{\"op\":\"nosuch\"}\n", clitest.ExitDone, "stats"},
		{"{\"op\":\"nosuch\"}\n", clitest.ExitUsage, "stats --strict"},
		{"{\"op\":\"elo\",\"penta\":[1,2,3,4,5]}\n", clitest.ExitDone, "stats --strict"},
		{"{\"size\":2,\"fleet\":[2],\"shots\":[]}\n{}\n", clitest.ExitUsage, "analyse battleship --strict"},
	} {
		p := clitest.Launch(t, c.in, strings.Fields(c.args)...)
		if p.Code != c.code || strings.Count(p.Out, "\n") != strings.Count(c.in, "\n") || (p.Err != "") != (c.code != 0) {
			t.Errorf("%s: exit code %d, %s%s", c.args, p.Code, p.Out, p.Err)
		}
	}
	if p := clitest.Launch(t, "", "--version"); p.Code != clitest.ExitDone || !strings.HasPrefix(p.Out, "sakusen ") {
		t.Errorf("--version: %+v", p)
	}
}

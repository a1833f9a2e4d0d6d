package documents

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"sakusen/cmd/sakusen/clitest"
	"sakusen/engines/suite"
)

// readmeRow is a row of the README's table of commands.
var readmeRow = regexp.MustCompile("(?m)^\\| ([^|]+) \\| `sakusen ([^`]+)` \\|")

// notRun are the commands of the table that this test does not run, and why.
var notRun = map[string]string{
	"tune lifeboats-evolution-fast": "takes a minute and a half",
	"play battleship EX me":         "asks a person",
	"serve":                         "does not end",
	"tubstap serve --games 1":       "waits for two programs",
	"bench record -- go test -run '^$' -bench . ./...": "compiles all benchmarks",
	"bench run --base main --gate ./...":               "measures for minutes",
}

// The commands of the README's table do what it says, in the order in which they
// stand there, after its first command.
func TestReadmeCommands(t *testing.T) {
	suite.All(t)
	text, err := os.ReadFile("../../../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(text), "\n"); n > 120 {
		t.Errorf("the README has %d lines, expected at most 120", n)
	}
	db := t.TempDir() + "/sakusen.db"
	if p := clitest.Launch(t, "", "tune", "battleship-mp-threshold", "--db", db); p.Code != clitest.ExitDone {
		t.Fatalf("exit code %d: %s", p.Code, p.Err)
	}
	rows := readmeRow.FindAllStringSubmatch(string(text), -1)
	if len(rows) < 10 {
		t.Errorf("found %d commands", len(rows))
	}
	for _, row := range rows {
		if notRun[row[2]] != "" {
			continue
		}
		p := clitest.Launch(t, "", append(strings.Fields(row[2]), "--db", db)...)
		if p.Code != clitest.ExitDone && p.Code != clitest.ExitNegative || p.Out == "" {
			t.Errorf("sakusen %s: exit code %d, %q, %s", row[2], p.Code, p.Out, p.Err)
		}
	}
}

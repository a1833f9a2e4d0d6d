package documents

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"sakusen/cmd/sakusen/clitest"
	"sakusen/engines/suite"
)

var (
	// readmeRow is a row of the README's table of commands.
	readmeRow = regexp.MustCompile("(?m)^\\| ([^|]+) \\| `sakusen ([^`]+)` \\|")
	// readmeLine is a command of the README on files and programs of its reader.
	readmeLine = regexp.MustCompile("(?m)^(sakusen) ([^>\n]+)")
)

// notRun are the commands of the table that this test does not run, and why.
var notRun = map[string]string{
	"tune lifeboats-evolution-fast": "takes a minute and a half",
	"play battleship EX me":         "asks a person",
	"serve":                         "does not end",
}

// The commands of the README's table do what it says, in the order in which they
// stand there, after its first command. Of those that cannot be run here the command and
// its flags exist.
func TestReadmeCommands(t *testing.T) {
	suite.All(t)
	text, err := os.ReadFile("../../../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	db := t.TempDir() + "/sakusen.db"
	if p := clitest.Launch(t, "", "tune", "battleship-mp-threshold", "--db", db); p.Code != clitest.ExitDone {
		t.Fatalf("exit code %d: %s", p.Code, p.Err)
	}
	rows := readmeRow.FindAllStringSubmatch(string(text), -1)
	if len(rows) < 10 {
		t.Errorf("found %d commands", len(rows))
	}
	for _, row := range append(rows, readmeLine.FindAllStringSubmatch(string(text), -1)...) {
		args := append(strings.Fields(row[2]), "--db", db)
		if notRun[row[2]] != "" || row[1] == "sakusen" {
			args = append(args, "--help")
		}
		p := clitest.Launch(t, "", args...)
		if p.Code != clitest.ExitDone && p.Code != clitest.ExitNegative || p.Out == "" {
			t.Errorf("sakusen %s: exit code %d, %q, %s", row[2], p.Code, p.Out, p.Err)
		}
	}
}

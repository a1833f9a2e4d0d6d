package engines

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"sakusen/cmd/sakusen/clitest"
)

// Engines of config.yaml and of the command line are listed and shown, and mistakes
// are bad usage.
func TestEngineCommand(t *testing.T) {
	file := filepath.Join(t.TempDir(), "config.yaml")
	if err := os.WriteFile(file, []byte("engines:\n  toga: {command: [toga2, -x]}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	p := clitest.Launch(t, "", "engine", "list", "--config", file, "--engine", "other=my-program one two", "--json")
	type list struct {
		Engines []struct {
			Name, Protocol string
			Command        []string
		}
	}
	l := clitest.Decode[list](t, p.Out).Engines
	if p.Code != clitest.ExitDone || len(l) != 2 || l[0].Name != "other" || len(l[0].Command) != 3 || l[1].Name != "toga" || l[1].Protocol != "uci" {
		t.Errorf("exit code %d, %s %s", p.Code, p.Out, p.Err)
	}
	for line, want := range map[string]string{
		"engine show none":                                       `unknown engine "none": none is registered`,
		"engine show x --engine x=no-such-program":               "executable file not found",
		"engine list --engine x":                                 "--engine: expected NAME=PROGRAM",
		"engine list --engine X=y":                               `engine "X": expected a name of lower-case letters`,
		"match chess random x --engine x=no-such-program":        "executable file not found",
		"match laboratory point point --pgn x.pgn --blocks 2":    "--pgn: expected a match of chess, got laboratory",
		"match chess random random --rules limit=hours:3":        "limit: expected",
		"match chess random random --rules book=/no/such/file":   "book: expected",
		"match chess random random --engine random=x --blocks 1": "random",
	} {
		if p := clitest.Launch(t, "", strings.Fields(line)...); p.Code != clitest.ExitUsage || !strings.Contains(p.Err, want) {
			t.Errorf("%s: exit code %d, %s; expected %s", line, p.Code, p.Err, want)
		}
	}
}

// A match of one of Debian's engines against itself with an option changed, and
// with a copy of the same program under another name, is the same twice; its games
// are in the file.
func TestMatchOfEngines(t *testing.T) {
	const program = "/usr/games/glaurung"
	if _, err := exec.LookPath(program); err != nil {
		t.Skip("Debian's package glaurung is not installed")
	}
	dir := t.TempDir()
	var digests [2]string
	for i := range digests {
		file := filepath.Join(dir, "games.pgn")
		p := clitest.Launch(t, "", "match", "chess", "glau", `glau("Check Extension (PV nodes)"=0)`, "--engine", "glau="+program,
			"--rules", "limit=depth:2", "--rules", "most_plies=60", "--blocks", "2", "--pgn", file, "--json", "--db", filepath.Join(dir, "none.db"))
		type report struct {
			Games  int
			Digest string
		}
		r := clitest.Decode[report](t, p.Out)
		if p.Code != clitest.ExitDone || r.Games != 4 {
			t.Fatalf("exit code %d, %s %s", p.Code, p.Out, p.Err)
		}
		digests[i] = r.Digest
		pgn, err := os.ReadFile(file)
		if n := strings.Count(string(pgn), "\n[Result "); err != nil || n != 4 || !strings.Contains(string(pgn), "Check Extension (PV nodes)=0") {
			t.Errorf("%d games in the file, %v", n, err)
		}
	}
	if digests[0] != digests[1] {
		t.Errorf("the match has the digests %s and %s", digests[0], digests[1])
	}
	p := clitest.Launch(t, "", "engine", "show", "glau", "--engine", "glau="+program)
	if p.Code != clitest.ExitDone || !strings.Contains(p.Out, "Glaurung") || !strings.Contains(p.Out, "OwnBook") || !strings.Contains(p.Out, "Check Extension (PV nodes)") {
		t.Errorf("exit code %d, %s %s", p.Code, p.Out, p.Err)
	}
}

package documents

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"sakusen/cmd/sakusen/clitest"
	"sakusen/engines/newgame"
	"sakusen/engines/suite"
)

// sourceRoot is the folder of the module under test.
const sourceRoot = "../../../.."

// exampleFolder is a module with a game of its own, as `sakusen game new` writes it.
const exampleFolder = sourceRoot + "/examples/owngame"

// goIn runs the go command in a folder outside the tree, without any network.
func goIn(t *testing.T, folder string, args ...string) string {
	t.Helper()
	c := exec.CommandContext(t.Context(), "go", args...)
	c.Dir = folder
	c.Env = append(os.Environ(), "GOFLAGS="+os.Getenv("GOFLAGS")+" -mod=mod -ldflags=-w", "GOPROXY=off", "GOWORK=off")
	text, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, text)
	}
	return string(text)
}

// A game is written into a module of its own, which builds and is sound; a second
// game joins it. TestTutorials tests it, plays it and tunes its first study.
func TestNewGame(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "pig")
	p := clitest.Launch(t, "", "new", "game", "pig", folder, "--json")
	r := clitest.Decode[struct {
		Folder string
		Files  []string
		Module bool
	}](t, p.Out)
	if p.Code != clitest.ExitDone || len(r.Files) != 9 || !r.Module || r.Folder != folder {
		t.Fatalf("exit code %d, %+v, %s", p.Code, r, p.Err)
	}
	if p := clitest.Launch(t, "", "new", "game", "pig", folder); p.Code != clitest.ExitUsage || !strings.Contains(p.Err, "exists: expected a name that no game of this folder has") {
		t.Errorf("written twice, exit code %d, %s", p.Code, p.Err)
	}
	suite.All(t)
	program := filepath.Join(folder, "tuner")
	goIn(t, folder, "build", "-o", program, ".")
	run := func(args ...string) string {
		t.Helper()
		c := exec.CommandContext(t.Context(), program, args...)
		c.Dir = folder
		text, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", strings.Join(args, " "), err, text)
		}
		return string(text)
	}
	if text := run("games"); !strings.HasPrefix(text, "pig (2 seats)") || strings.Contains(text, "battleship") {
		t.Errorf("the games are\n%s", text)
	}
	run("experiment", "list")
	p = clitest.Launch(t, "", "new", "game", "hog", folder)
	if p.Code != clitest.ExitDone || strings.Count(p.Out, "\n") != 6 || !strings.Contains(p.Err, "{Game: arena.Enter(hog.Game(), hold.Strategy(), random.Strategy())},") {
		t.Errorf("a second game, exit code %d, %s%s", p.Code, p.Out, p.Err)
	}
	goIn(t, folder, "vet", "./...")
}

// What cannot name a game, and what is no source, is refused with its reason.
func TestNewGameRefused(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"new game Pig", `expected lower-case letters and digits, a letter first, got "Pig"`},
		{"new game func", `got "func"`},
		{"new game pig --module /x", `expected a path such as example.org/pig, got "/x"`},
		{"new game pig --sakusen testdata", "source of Sakusen: "},
		{"new game", "expected NAME [FOLDER]"},
		{"new game a b c", "got 3 arguments"},
	} {
		p := clitest.Launch(t, "", append(strings.Fields(c.line), "--quiet")...)
		if p.Code != clitest.ExitUsage || !strings.Contains(p.Err, c.want) {
			t.Errorf("%s: exit code %d, %s, want %s", c.line, p.Code, p.Err, c.want)
		}
	}
	if _, err := os.Stat("pig"); err == nil {
		t.Error("a refused game was written")
	}
}

// The example is what the command writes, and builds where its requirements are
// those of this module.
func TestExampleModule(t *testing.T) {
	o := newgame.Options{Name: "pig", Module: "example.org/pig", Source: sourceRoot, Replace: "../.."}
	folder := t.TempDir()
	written, err := newgame.Write(folder, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range written.Files {
		text, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(exampleFolder, name)
		if *clitest.Update {
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, text, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		stored, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		// The requirements may be older than this module's: go completes them.
		if string(stored) != string(text) && name != "go.mod" && name != "go.sum" {
			t.Errorf("%s is not what sakusen game new writes (rewrite it with -update)", path)
		}
		if name == "go.mod" {
			root, err := filepath.Abs(sourceRoot)
			if err != nil {
				t.Fatal(err)
			}
			stored = []byte(strings.Replace(string(stored), "=> ../..", "=> "+root, 1))
		}
		if err := os.WriteFile(filepath.Join(folder, name), stored, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	suite.All(t)
	goIn(t, folder, "vet", "./...")
}

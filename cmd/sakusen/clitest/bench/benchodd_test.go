package bench

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sakusen/cmd/sakusen/clitest"
)

// What was recorded where no branch was known gets its branch when it is recorded again;
// what has a branch keeps it, which is told.
func TestBenchRecordOfBranches(t *testing.T) {
	db, commit := benchDB(t), strings.Repeat("ab", 20)
	dir := toyModule(t)
	gitIn(t, dir, "checkout", "-q", "--detach")
	for i, c := range []struct{ branch, err, found string }{
		{"", "is in no branch's history unless --branch names it", ""},
		{"main", "", "main"},
		{"side", `run:1 is on branch "main"`, "main"},
	} {
		p := clitest.Launch(t, samples(100, 3), append(db[:3:3], "record", "--commit", commit, "-C", dir, "--branch", c.branch)...)
		if p.Code != clitest.ExitDone || !strings.Contains(p.Err, c.err) || c.err == "" && p.Err != "" || strings.Contains(p.Out, "before") != (i > 0) {
			t.Errorf("%q: %+v", c.branch, p)
		}
		p = clitest.Launch(t, "", append(db[:3:3], "history", "--branch", "main")...)
		if found := strings.Contains(p.Out, "A-2"); found != (c.found == "main") {
			t.Errorf("%q: history: %+v", c.branch, p)
		}
	}
}

// What cannot be a commit or a folder is refused, and trees that are no commit are told.
func TestBenchRecordOrigin(t *testing.T) {
	dir := toyModule(t, "a", "1")
	db := append(benchDB(t), "record", "-C")
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{dir, "--commit", "HEAD~5"}, clitest.ExitUsage, `--commit: expected a commit of this repository, or a hash, got "HEAD~5"`},
		{[]string{dir, "--commit", "nonsense"}, clitest.ExitUsage, `--commit: expected a commit of this repository, or a hash, got "nonsense"`},
		{[]string{dir, "--commit=-x"}, clitest.ExitUsage, "--commit: expected a commit"},
		{[]string{dir, "--commit", "main^{tree}"}, clitest.ExitUsage, "--commit: expected a commit"},
		{[]string{filepath.Join(dir, "none")}, clitest.ExitUsage, "--dir: expected a folder"},
		{[]string{filepath.Join(dir, "a")}, clitest.ExitUsage, "--dir: expected a folder"},
		{[]string{t.TempDir()}, clitest.ExitDone, "there is no git repository here"},
		{[]string{t.TempDir(), "--commit", "r1204"}, clitest.ExitDone, "the run is in no branch's history"}, // of another system
		{[]string{dir, "--commit", "HEAD"}, clitest.ExitDone, ""},
		{[]string{dir, "--commit", "heads/main"}, clitest.ExitDone, ""},
	} {
		if p := clitest.Launch(t, samples(100, 3), append(db, c.args...)...); p.Code != c.code || !strings.Contains(p.Err, c.want) || c.want == "" && p.Err != "" {
			t.Errorf("%q: %+v", c.args, p)
		}
	}
	clitest.WriteFile(t, dir, "a", "2")
	if p := clitest.Launch(t, samples(110, 3), append(db, dir)...); p.Code != clitest.ExitDone || !strings.Contains(p.Err, "uncommitted changes: the run is in no branch's history") {
		t.Errorf("%+v", p)
	}
}

// A clone that lacks the commits before it has no baseline that a gate could find: that is a
// mistake, and no build where nothing is to be compared.
func TestBenchGateOfShallowClone(t *testing.T) {
	whole, clone := toyModule(t, "a", "1"), t.TempDir()
	db := benchDB(t)
	if p := clitest.Launch(t, samples(100, 3), append(db, "record", "-C", whole)...); p.Code != clitest.ExitDone {
		t.Fatal(p)
	}
	clitest.WriteFile(t, whole, "a", "2")
	commitAll(t, whole, "two")
	gitIn(t, clone, "clone", "-q", "--depth", "1", "file://"+whole, ".")
	for dir, want := range map[string]int{clone: clitest.ExitUsage, whole: clitest.ExitDone} {
		p := clitest.Launch(t, samples(100, 3), append(db, "gate", "-C", dir, "--exact", "-")...)
		if p.Code != want || strings.Contains(p.Err, "the clone is shallow: git fetch --unshallow") != (dir == clone) {
			t.Errorf("%s: %+v", dir, p)
		}
	}
}

// Pages are written beside files of others, but not in the place of their index.html.
func TestBenchSiteBesideOthers(t *testing.T) {
	db := benchDB(t)
	if p := clitest.Launch(t, samples(100, 3), append(db, "record", "--branch", "main", "--commit", "abc")...); p.Code != clitest.ExitDone {
		t.Fatal(p)
	}
	dir := t.TempDir()
	for name, code := range map[string]int{"0123456789abcdef.html": clitest.ExitDone, "index.html": clitest.ExitUsage} {
		for _, made := range []string{"index.html", "site.css"} {
			_ = os.Remove(filepath.Join(dir, made))
		}
		clitest.WriteFile(t, dir, name, "mine")
		p := clitest.Launch(t, "", append(db, "site", dir)...)
		if text, err := os.ReadFile(filepath.Join(dir, name)); p.Code != code || err != nil || string(text) != "mine" {
			t.Errorf("%s: %+v %s %v", name, p, text, err)
		}
	}
	if p := clitest.Launch(t, "", append(db, "site", filepath.Join(dir, "index.html"))...); p.Code != clitest.ExitUsage {
		t.Errorf("into a file: %+v", p)
	}
	for args, want := range map[string]string{
		"--branch none": `no series is recorded on branch "none" (--all-branches looks everywhere)`, "x --machine m --branch main": `no recorded series has "x" in its title of machine class "m" on branch "main"`,
	} {
		if p := clitest.Launch(t, "", append(append(db, "history"), strings.Fields(args)...)...); p.Code != clitest.ExitNothing || !strings.Contains(p.Err, want) {
			t.Errorf("history %s: %+v", args, p)
		}
	}
	if p := clitest.Launch(t, "", append(db, "history", "--branch", "main", "--all-branches")...); p.Code != clitest.ExitUsage {
		t.Errorf("%+v", p)
	}
}

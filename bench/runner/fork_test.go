package runner

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// git runs git in a folder.
func git(t testing.TB, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false", "-c", "protocol.file.allow=always"}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %q: %v: %s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// commit commits all files and returns the hash.
func commit(t testing.TB, dir, subject string) string {
	t.Helper()
	git(t, dir, "add", "-A")
	git(t, dir, "commit", "-q", "--allow-empty", "-m", subject)
	return git(t, dir, "rev-parse", "HEAD")
}

// A branch, under any of its names, means the commit at which the change left it; what is no
// branch is what it says.
func TestFork(t *testing.T) {
	ctx := context.Background()
	origin := t.TempDir()
	git(t, origin, "init", "-q", "-b", "main")
	left := commit(t, origin, "one")
	git(t, origin, "tag", "v1")
	git(t, origin, "checkout", "-q", "-b", "change")
	change := commit(t, origin, "change")
	git(t, origin, "checkout", "-q", "main")
	commit(t, origin, "two")
	tip := commit(t, origin, "three")
	clone := filepath.Join(t.TempDir(), "clone")
	git(t, origin, "clone", "-q", "--branch", "change", origin, clone)
	git(t, clone, "fetch", "-q", "origin", "main")
	git(t, clone, "checkout", "-q", "-b", "stray")
	for _, c := range []struct {
		name, head string
		tip        bool
		commit     string
		says       string
	}{
		{"main", "", false, left, "where this branch left origin/main, which has gone on by 2 commits since (--base-tip takes its tip)"},
		{"origin/main", "", false, left, "where this branch left origin/main"},
		{"FETCH_HEAD", "", false, left, "where this branch left FETCH_HEAD"},
		{"main", "", true, tip, tip[:10] + ", the tip of origin/main"},
		{"main", tip, false, tip, tip[:10] + ", the tip of origin/main"},
		{"stray", "", false, change, "the tip of stray"},
		{"origin/main~0", "", false, tip, tip[:10] + " (origin/main~0)"},
		{"HEAD~1", "", false, left, left[:10] + " (HEAD~1)"},
		{"HEAD", "", false, change, "(HEAD)"},
		{"v1", "", false, left, "(v1)"},
		{tip, "", false, tip, "(" + tip + ")"},
	} {
		f, err := Repo{Dir: clone}.Fork(ctx, c.name, c.head, c.tip)
		if err != nil || f.Commit != c.commit || !strings.Contains(f.String(), c.says) {
			t.Errorf("%+v: %+v %s, %v", c, f, f, err)
		}
	}
	f, before, err := Repo{Dir: clone}.BaselineCommits(ctx, "main", false)
	if err != nil || f.Commit != left || strings.Join(before, " ") != left {
		t.Errorf("baseline: %+v %q %v", f, before, err)
	}
	if _, before, err = (Repo{Dir: clone}).BaselineCommits(ctx, "main", true); err != nil || len(before) != 3 || before[0] != tip {
		t.Errorf("baseline at the tip: %q %v", before, err)
	}
	if _, _, err := (Repo{Dir: clone}).BaselineCommits(ctx, "v1", false); err == nil || !strings.Contains(err.Error(), "bench.baseline_branch") {
		t.Errorf("a tag as baseline branch: %v", err)
	}
	f, list, err := Repo{Dir: clone}.forkRange(ctx, "main..stray", false)
	if err != nil || f.Commit != left || strings.Join(list, " ") != change {
		t.Errorf("range: %+v %q %v", f, list, err)
	}
	if _, _, err := (Repo{Dir: clone}).forkRange(ctx, "main..stray", true); err == nil || !strings.Contains(err.Error(), "to be an ancestor of") {
		t.Errorf("range from the tip: %v", err)
	}
	git(t, clone, "tag", "stray", left)
	if _, err := (Repo{Dir: clone}).Fork(ctx, "stray", "", false); err == nil || !strings.Contains(err.Error(), "got a branch and a tag of that name") {
		t.Errorf("two meanings: %v", err)
	}
	if f, err := (Repo{Dir: clone}).Fork(ctx, "heads/stray", "", false); err != nil || !f.Branch {
		t.Errorf("which: %+v, %v", f, err)
	}
	// In a hook of git, its variables do not lead astray.
	t.Setenv("GIT_DIR", filepath.Join(origin, ".git"))
	t.Setenv("GIT_INDEX_FILE", ".git/index")
	if root, err := (Repo{Dir: clone}).Root(ctx); err != nil || filepath.Base(root) != "clone" {
		t.Errorf("in a hook: %s, %v", root, err)
	}
	os.Unsetenv("GIT_DIR")
	os.Unsetenv("GIT_INDEX_FILE")
	git(t, clone, "checkout", "-q", "--orphan", "alone")
	commit(t, clone, "alone")
	if _, err := (Repo{Dir: clone}).Fork(ctx, "main", "", false); err == nil || !strings.Contains(err.Error(), "expected a branch with an ancestor in common") {
		t.Errorf("nothing in common: %v", err)
	}
	git(t, clone, "branch", "-f", "main", left)
	if f, err := (Repo{Dir: clone}).Fork(ctx, "main", tip, false); err != nil || f.Commit != tip {
		t.Errorf("a branch here that is behind: %+v, %v", f, err)
	}
}

//go:build unix

package enginestore

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"sakusen/engines/external/ucitest"
)

// TestMain has a copy of this program that lies in a store be an engine.
func TestMain(m *testing.M) {
	if filepath.Base(filepath.Dir(os.Args[0])) == "files" {
		name, value, _ := strings.Cut(ucitest.As("", 0)[0], "=")
		os.Setenv(name, value)
		ucitest.Become()
	}
	os.Exit(m.Run())
}

// Engines that are put into a store and taken out of it at the same moment do not lose each
// other's files.
func TestManyAtOnce(t *testing.T) {
	dir := t.TempDir() + "/store"
	var wait sync.WaitGroup
	for i := range 4 {
		name := fmt.Sprintf("e%d", i)
		path := program(t, name, name)
		wait.Go(func() {
			s := Open(dir, 1<<30) // as another process opens it
			if _, err := s.Add(&Manifest{Name: name}, []string{path}); err != nil {
				t.Error(err)
			}
			if i == 0 {
				if err := s.Remove(name); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
	s := Open(dir, 1<<30)
	all, err := s.named()
	if err != nil || len(all) != 3 {
		t.Fatalf("%d engines: %v", len(all), err)
	}
	for _, m := range all {
		if _, err := os.Stat(s.file(m.Programs[0].SHA256)); err != nil {
			t.Errorf("%s: %v", m.Name, err)
		}
	}
}

// A build is of a shortened hash too, finds the toolchains of this user and the repository as
// origin, leaves nothing, and its error says what was printed last.
func TestBuild(t *testing.T) {
	dir := t.TempDir()
	repository := filepath.Join(dir, "repository")
	git := func(args ...string) string {
		t.Helper()
		out, err := exec.Command("git", append([]string{"-C", repository, "-c", "user.name=x", "-c", "user.email=x@example.org"}, args...)...).CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v %s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	if err := os.Mkdir(repository, 0o755); err != nil {
		t.Fatal(err)
	}
	git("init", "-q")
	git("commit", "-q", "--allow-empty", "-m", "one")
	commit := git("rev-parse", "HEAD")
	git("commit", "-q", "--allow-empty", "-m", "two")
	toolchains := filepath.Join(dir, "rust")
	t.Setenv("RUSTUP_HOME", toolchains)
	s := Open(filepath.Join(dir, "store"), 1<<30)
	run := func(ref, command string) (text string, err error) {
		_, err = s.Run(t.Context(), "x", &Build{Repository: repository, Ref: ref, Command: command, Output: "out", Time: time.Minute}, func(path string, o *Origin) error {
			read, err := os.ReadFile(path)
			text = string(read)
			if o.Commit != commit && ref != "HEAD" {
				t.Errorf("%s: commit %s, expected %s", ref, o.Commit, commit)
			}
			return err
		})
		return text, err
	}
	for _, ref := range []string{commit, commit[:7], commit[:12]} {
		if _, err := run(ref, "touch out"); err != nil {
			t.Errorf("%s: %v", ref, err)
		}
	}
	text, err := run("HEAD", `echo "$RUSTUP_HOME" $(git remote get-url origin) >out; mkdir -p "$HOME/go/mod/x"; touch "$HOME/go/mod/x/y"; chmod 500 "$HOME/go/mod/x" "$HOME/go/mod"`)
	if want := toolchains + " " + repository + "\n"; err != nil || text != want {
		t.Errorf("%q, expected %q: %v", text, want, err)
	}
	for ref, want := range map[string]string{"nowhere": "couldn't find remote ref nowhere", "0123abc": "couldn't find remote ref 0123abc"} {
		if _, err := run(ref, "touch out"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", ref, err)
		}
	}
	if _, err := run("HEAD", `seq 99999 & seq 99999 >&2; wait; echo fails; exit 3`); err == nil || !strings.Contains(err.Error(), "exit status 3: 99999") {
		t.Error(err)
	}
	if _, err := run("HEAD", `printf 'no rule\033[31m\n\n' >&2; echo begun; exit 3`); err == nil || !strings.Contains(err.Error(), "exit status 3: no rule") || strings.Contains(err.Error(), "\033") {
		t.Error(err)
	}
	if _, err := run("HEAD", "mkfifo out"); err == nil || !strings.Contains(err.Error(), "expected a regular file") {
		t.Error(err)
	}
	_, err = s.Run(t.Context(), "x", &Build{Repository: filepath.Join(dir, "nowhere"), Ref: "HEAD", Command: "touch out", Output: "out", Time: time.Minute}, func(string, *Origin) error { return nil })
	if err == nil || !strings.Contains(err.Error(), "nowhere' does not appear to be a git repository") {
		t.Error(err)
	}
	if left, err := os.ReadDir(s.path("partial")); err != nil || len(left) > 0 {
		t.Errorf("%v %v", left, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Run(ctx, "x", &Build{Repository: repository, Ref: "HEAD", Command: "touch out", Output: "out", Time: time.Minute}, func(string, *Origin) error { return fs.ErrInvalid }); err == nil {
		t.Error("a build that was interrupted ends without an error")
	}
}

//go:build unix

package workers

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"sakusen/cmd/sakusen/clitest"
	"sakusen/engines/suite"
)

// repository makes one with the small engine of the examples, and a patch of it.
func repository(t *testing.T, dir string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"go.mod", "main.go", "board.go"} {
		text, err := os.ReadFile(filepath.Join("../../../../examples/smallengine", name))
		if err != nil {
			t.Fatal(err)
		}
		clitest.WriteFile(t, dir, name, string(text))
	}
	git := func(args ...string) {
		t.Helper()
		c := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=somebody", "-c", "user.email=somebody@example.org"}, args...)...)
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v %s", args, err, out)
		}
	}
	git("init", "-q")
	git("add", "-A")
	git("commit", "-qm", "an engine")
	git("tag", "v1")
	git("checkout", "-qb", "patch")
	text, err := os.ReadFile(filepath.Join(dir, "board.go"))
	if err != nil {
		t.Fatal(err)
	}
	clitest.WriteFile(t, dir, "board.go", strings.Replace(string(text), `"Queen": {900`, `"Queen": {600`, 1))
	git("commit", "-qam", "another value")
}

// words returns those of a command line, of which some stand in quotes.
func words(line string) (all []string) {
	for _, m := range regexp.MustCompile(`"([^"]*)"|(\S+)`).FindAllStringSubmatch(line, -1) {
		all = append(all, m[1]+m[2])
	}
	return all
}

// The commands of docs/fleet.md are run: two builds of an engine, a worker that has neither, and
// a test that it has games in.
func TestFleetDocument(t *testing.T) {
	suite.All(t)
	text, err := os.ReadFile("../../../../docs/fleet.md")
	if err != nil {
		t.Fatal(err)
	}
	_, behind, ok := strings.Cut(string(text), "## From two machines to a test of a patch")
	_, block, open := strings.Cut(behind, "```sh\n")
	block, _, closed := strings.Cut(block, "```")
	if !ok || !open || !closed {
		t.Fatal("docs/fleet.md has no block of commands")
	}
	dir := t.TempDir()
	repository(t, filepath.Join(dir, "engine"))
	address := free(t)
	var s *clitest.Daemon
	var said strings.Builder
	for line := range strings.Lines(strings.TrimSpace(block)) {
		line = strings.ReplaceAll(strings.TrimSpace(line), "127.0.0.1:7172", address)
		line, background := strings.CutSuffix(line, " &")
		line, file, written := strings.Cut(line, " > ")
		args := words(line)
		if args[0] != "sakusen" {
			t.Fatal(line)
		}
		args = args[1:]
		switch {
		case args[0] == "serve":
			i := slices.Index(args, "--listen")
			s = clitest.Serve(t, dir, append(append([]string{"--workers", "1"}, args[1:i]...), args[i+2:]...)...)
			defer end(s)
		case background:
			c := taker(dir, args...)
			c.Stderr = &said
			if err := c.Start(); err != nil {
				t.Fatal(err)
			}
			defer func() {
				c.Process.Signal(syscall.SIGTERM)
				c.Wait()
				if t.Failed() {
					t.Log(said.String())
				}
			}()
		case args[0] == "test":
			played(t, s, dir, args)
		default:
			out, errs, err := clitest.Program(t, dir, nil, args...)
			if err != nil {
				t.Fatalf("%s: %v\n%s%s", line, err, out, errs)
			}
			if written {
				clitest.WritePrivate(t, dir, file, out)
			}
		}
	}
}

// taker returns the command of a worker that takes engines.
func taker(dir string, args ...string) *exec.Cmd {
	if os.Geteuid() == 0 {
		args = append(args, "--as-root")
	}
	c := exec.Command(os.Args[0], append(args, "--workers", "1")...)
	c.Dir, c.Env = dir, append(os.Environ(), clitest.AsProgram+"=1")
	return c
}

// A worker that is killed in the middle of a transfer goes on where it was, and plays with what has
// come, which has the hash that it is called by.
func TestTransferKilled(t *testing.T) {
	suite.All(t)
	dir := t.TempDir()
	repository(t, filepath.Join(dir, "engine"))
	for name, ref := range map[string]string{"base": "v1", "new": "patch"} {
		net := filepath.Join(dir, name+".net")
		if err := os.WriteFile(net, bytes.Repeat([]byte(name), 32<<20/len(name)), 0o600); err != nil {
			t.Fatal(err)
		}
		clitest.Exits(t, dir, 0, "engine", "build", name, "--git", "engine", "--ref", ref, "--command", "go build -o small .", "--output", "small", "--file", net)
	}
	key, _ := clitest.Exits(t, dir, 0, "worker", "add", "attic")
	clitest.WritePrivate(t, dir, "attic.key", key)
	address, store := free(t), filepath.Join(dir, "attic")
	s := clitest.Serve(t, dir, "--workers", "1", "--workers-listen", address)
	defer end(s)
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for kills := 0; ; kills++ {
			w := taker(dir, "worker", "--server", "nats://"+address, "--credentials", "attic.key", "--accept-engines", "--store", store)
			if err := w.Start(); err != nil {
				t.Error(err)
				return
			}
			killed := kills < 3 && comes(filepath.Join(store, "partial"), int64(kills+1)*4<<20, done)
			if !killed {
				<-done
			}
			w.Process.Kill()
			w.Wait()
			if !killed {
				if kills < 3 {
					t.Errorf("the engines came before the worker was killed %d times", kills+1)
				}
				return
			}
		}
	}()
	played(t, s, dir, []string{"test", "new", "base", "--limit", "nodes:300", "--sprt", "0,40", "--max-games", "200"})
	close(done)
	<-ended
	files, err := os.ReadDir(filepath.Join(store, "files"))
	if err != nil || len(files) != 4 {
		t.Errorf("%d files, %v", len(files), err)
	}
	for _, f := range files {
		text, err := os.ReadFile(filepath.Join(store, "files", f.Name()))
		if got := fmt.Sprintf("%x", sha256.Sum256(text)); err != nil || got != f.Name() {
			t.Errorf("%s has the hash %s, %v", f.Name(), got, err)
		}
	}
}

// comes waits until more than so much of a file is in a folder of what has come, and not all; false where
// it is done first.
func comes(folder string, least int64, done <-chan struct{}) bool {
	for {
		files, _ := os.ReadDir(folder)
		for _, f := range files {
			if info, err := f.Info(); err == nil && len(f.Name()) == 64 && info.Size() > least && info.Size() < 30<<20 {
				return true
			}
		}
		select {
		case <-done:
			return false
		case <-time.After(time.Millisecond):
		}
	}
}

// played runs a test again, with other seeds, until a worker has engines that have come to it and
// has played.
func played(t *testing.T, s *clitest.Daemon, dir string, args []string) {
	t.Helper()
	for seed, until := 1, suite.Deadline(t); time.Now().Before(until); seed++ {
		out, errs, _ := clitest.Program(t, dir, nil, append(args, "--seed", fmt.Sprint(seed))...)
		if !strings.Contains(out, "LLR   | ") {
			t.Fatalf("%v: %s%s", args, out, errs)
		}
		var now struct {
			Workers []struct {
				Games   int64
				Engines []string
			}
		}
		s.GetJSON("/api/v1/workers", &now)
		if len(now.Workers) == 1 && now.Workers[0].Games > 0 && slices.Equal(now.Workers[0].Engines, []string{"base", "new"}) {
			return
		}
	}
	t.Fatal("the worker has not played")
}

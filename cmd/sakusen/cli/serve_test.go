package cli

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// servedStudy is one of three: each has a baseline of its own, so that their
// validations are first attempts whichever ends first.
const servedStudy = `version: 1
name: served-%d
game: battleship
tune:
  strategy: neighbour
  params: [{name: place.kind, choices: [random, packed]}, {name: place.height}, {name: place.width}]
baseline: %s
sampler: {name: %s, seed: 3, batch: 4}
race: {rungs: [32, 64, 128]}
budget: {trials: 40, games: 20000}
final: {top: 3, blocks: 100}
validation: {gain_elo: [0, 30], max_blocks: 1000}
`

func servedStudies(t *testing.T, dir string) {
	t.Helper()
	for i, s := range [][2]string{{"RNB", "uniform"}, {"R", "quasi"}, {"RNB/ED1", "uniform"}} {
		text := fmt.Sprintf(servedStudy, i, s[0], s[1])
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("served-%d.yaml", i)), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// served is a daemon in a process of its own.
type served struct {
	t    *testing.T
	dir  string
	cmd  *exec.Cmd
	logs chan string // what it said, whole, when it has ended
	url  string
}

// startServe starts a daemon and waits until it serves.
func startServe(t *testing.T, dir string, args ...string) *served {
	t.Helper()
	s := &served{t: t, dir: dir, logs: make(chan string, 1)}
	s.cmd = exec.Command(os.Args[0], append([]string{"serve", "--listen", "127.0.0.1:0"}, args...)...)
	s.cmd.Dir = dir
	s.cmd.Env = append(os.Environ(), asProgram+"=1")
	out, err := s.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		s.cmd.Process.Kill()
		if !t.Failed() {
			return
		}
		select { // absent where the test has read it
		case said := <-s.logs:
			t.Logf("the daemon said: %s", said[max(0, len(said)-4000):])
		case <-time.After(time.Second):
		}
	})
	in := bufio.NewReader(out)
	var all strings.Builder
	late := time.AfterFunc(servePatience, func() { s.cmd.Process.Kill() }) // which ends what it says
	defer late.Stop()
	for s.url == "" {
		line, err := in.ReadString('\n')
		all.WriteString(line)
		if err != nil {
			t.Fatalf("the daemon ended, or has not said within %s that it listens: %s", servePatience, &all)
		}
		if m := regexp.MustCompile(`msg"?[=:]"?listening"?,? ?"?address"?[=:]"?([^" ]+)`).FindStringSubmatch(line); m != nil {
			s.url = "http://" + m[1]
		}
	}
	go func() {
		rest, _ := io.ReadAll(in)
		all.Write(rest)
		s.logs <- all.String()
	}()
	return s
}

// servePatience is how long a daemon may take to begin or to end, on a machine
// that does much else.
const servePatience = 2 * time.Minute

// end waits for the process and returns what it said.
func (s *served) end() (string, error) {
	s.t.Helper()
	var late atomic.Bool
	timer := time.AfterFunc(servePatience, func() {
		late.Store(true)
		s.cmd.Process.Kill()
	})
	defer timer.Stop()
	said := <-s.logs
	err := s.cmd.Wait()
	if late.Load() {
		s.t.Errorf("the daemon has not ended within %s: %s", servePatience, said)
	}
	return said, err
}

// cli runs another command beside the daemon.
func (s *served) cli(args ...string) (string, string, int) {
	out, errs, err := program(s.t, s.dir, nil, args...)
	if err != nil {
		if exit, ok := err.(*exec.ExitError); ok {
			return out, errs, exit.ExitCode()
		}
		s.t.Fatal(err)
	}
	return out, errs, 0
}

// states are the states of all studies.
func (s *served) states() map[string]string {
	s.t.Helper()
	out, errs, code := s.cli("study", "list", "--json")
	var list struct {
		Studies []struct{ Study, State string }
	}
	if err := json.Unmarshal([]byte(out), &list); err != nil || code != 0 {
		s.t.Fatalf("study list: %d %v %s%s", code, err, out, errs)
	}
	states := map[string]string{}
	for _, l := range list.Studies {
		states[l.Study] = l.State
	}
	return states
}

// Three studies run side by side through deaths of the daemon at random
// moments, and end as uninterrupted ones do. SAKUSEN_SERVE_KILLS sets the
// number of deaths.
func TestServeKilled(t *testing.T) {
	kills := 8
	if testing.Short() {
		kills = 2
	}
	if text := os.Getenv("SAKUSEN_SERVE_KILLS"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		kills = n
	}
	want := map[string]string{}
	whole := t.TempDir()
	servedStudies(t, whole)
	for i := range 3 {
		name := fmt.Sprintf("served-%d", i)
		out, errs, err := program(t, whole, nil, "tune", name+".yaml", "--json")
		if want[name] = digestIn(out); want[name] == "" {
			t.Fatalf("%v %s%s", err, out, errs)
		}
	}
	chance := rand.New(rand.NewPCG(5, 6))
	died, databases := 0, 0
	for died < kills {
		databases++
		dir := t.TempDir()
		servedStudies(t, dir)
		for i := range 3 {
			if _, errs, err := program(t, dir, nil, "study", "submit", fmt.Sprintf("served-%d.yaml", i), "--priority", fmt.Sprint(i)); err != nil {
				t.Fatalf("%v %s", err, errs)
			}
		}
		for done := false; !done; {
			s := startServe(t, dir)
			wait := time.Duration(chance.IntN(300)) * time.Millisecond
			if died >= kills {
				wait = time.Hour
			}
			for begun := time.Now(); !done && time.Since(begun) < wait; time.Sleep(20 * time.Millisecond) {
				done = true
				for _, state := range s.states() {
					if state == "failed" {
						t.Fatal("a study failed")
					}
					done = done && state == "done"
				}
			}
			s.cmd.Process.Kill()
			s.end()
			if !done {
				died++
			}
		}
		for name, digest := range want {
			out, errs, _ := program(t, dir, nil, "study", "show", name, "--json")
			if got := digestIn(out); got != digest {
				t.Errorf("%s: digest %s after %d deaths, %s without\n%s", name, got, died, digest, errs)
			}
		}
		if out, errs, err := program(t, dir, nil, "db", "check"); err != nil {
			t.Errorf("%v %s%s", err, out, errs)
		}
	}
	t.Logf("%d deaths over %d databases, all digests equal", died, databases)
}

// digestIn finds a digest in JSON.
func digestIn(text string) string {
	m := regexp.MustCompile(`"digest":"([0-9a-f]{64})"`).FindStringSubmatch(text)
	if m == nil {
		return ""
	}
	return m[1]
}

// The commands go through the daemon, which shuts down at SIGTERM and leaves what
// it ran to the next.
func TestServeCommands(t *testing.T) {
	dir := t.TempDir()
	servedStudies(t, dir)
	s := startServe(t, dir)
	must := func(want string, args ...string) {
		t.Helper()
		out, errs, code := s.cli(args...)
		if code != 0 || !strings.Contains(out+errs, want) {
			t.Fatalf("%v: exit code %d, %s%s; want %q", args, code, out, errs, want)
		}
	}
	must("queued", "study", "submit", "served-0.yaml")
	must("paused", "study", "pause", "served-0")
	must("paused", "study", "list")
	must("queued", "study", "resume", "served-0")
	must("stopped", "study", "stop", "served-0")
	out, errs, code := s.cli("tune", "served-0.yaml", "--json")
	if digestIn(out) == "" || code > 3 || code == 2 {
		t.Fatalf("tune: exit code %d, %s%s", code, out, errs)
	}
	must("deleted", "study", "delete", "served-0")
	for _, args := range [][]string{
		{"study", "pause", "nobody"}, {"study", "submit", "served-1.yaml", "--priority", "50"}, {"study", "delete", "nobody"},
		{"serve", "--listen", "127.0.0.1:0"}, {"serve", "--listen", "0.0.0.0:0"}, {"serve", "--listen", "here"},
	} {
		if out, errs, code := s.cli(args...); code != exitUsage {
			t.Errorf("%v: exit code %d, %s%s", args, code, out, errs)
		}
	}
	must("copied", "db", "backup", "copy.db")
	must("queued", "study", "submit", "served-2.yaml")
	for begun := time.Now(); s.states()["served-2"] != "running" && time.Since(begun) < 5*time.Second; {
	}
	s.cmd.Process.Signal(syscall.SIGHUP)
	s.cmd.Process.Signal(syscall.SIGTERM)
	said, err := s.end()
	if err != nil || !strings.Contains(said, "msg=stopped") {
		t.Errorf("%v: %s", err, said)
	}
	if state := s.states()["served-2"]; state != "queued" && state != "done" {
		t.Errorf("after SIGTERM the study is %s", state)
	}
}

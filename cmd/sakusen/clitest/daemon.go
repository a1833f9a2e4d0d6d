package clitest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"sakusen/engines/suite"
	"sakusen/tuner/web/films"
)

// ServedStudy is one of three: each has a baseline of its own, so that their
// validations are first attempts whichever ends first.
const ServedStudy = `version: 1
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

// ServedStudies writes three study files, served-0.yaml to served-2.yaml.
func ServedStudies(t *testing.T, dir string) {
	t.Helper()
	for i, s := range [][2]string{{"RNB", "uniform"}, {"R", "quasi"}, {"RNB/ED1", "uniform"}} {
		text := fmt.Sprintf(ServedStudy, i, s[0], s[1])
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("served-%d.yaml", i)), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// Daemon is a daemon in a process of its own.
type Daemon struct {
	T    *testing.T
	Dir  string
	Cmd  *exec.Cmd
	Logs chan string // what it said, whole, when it has ended
	URL  string
}

// Serve starts a daemon and waits until it serves.
func Serve(t *testing.T, dir string, args ...string) *Daemon {
	t.Helper()
	return ServeWith(t, dir, nil, args...)
}

// ServeWith does what Serve does, with variables of the environment.
func ServeWith(t *testing.T, dir string, env []string, args ...string) *Daemon {
	t.Helper()
	s := &Daemon{T: t, Dir: dir, Logs: make(chan string, 1)}
	s.Cmd = exec.Command(os.Args[0], append([]string{"serve", "--listen", "127.0.0.1:0"}, args...)...)
	s.Cmd.Dir = dir
	s.Cmd.Env = append(append(os.Environ(), AsProgram+"=1"), env...)
	out, err := s.Cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		s.Cmd.Process.Kill()
		if !t.Failed() {
			return
		}
		select { // absent where the test has read it
		case said := <-s.Logs:
			t.Logf("the daemon said: %s", said[max(0, len(said)-4000):])
		case <-time.After(time.Second):
		}
	})
	in := bufio.NewReader(out)
	var all strings.Builder
	late := time.AfterFunc(time.Until(suite.Deadline(t)), func() { s.Cmd.Process.Kill() }) // which ends what it says
	defer late.Stop()
	for s.URL == "" {
		line, err := in.ReadString('\n')
		all.WriteString(line)
		if err != nil {
			t.Fatalf("the daemon ended, or does not say that it listens: %s", &all)
		}
		if m := regexp.MustCompile(`msg"?[=:]"?listening"?,? ?"?address"?[=:]"?([^" ]+)`).FindStringSubmatch(line); m != nil {
			s.URL = "http://" + m[1]
		}
	}
	go func() {
		rest, _ := io.ReadAll(in)
		all.Write(rest)
		s.Logs <- all.String()
	}()
	return s
}

// End waits for the process and returns what it said.
func (s *Daemon) End() (string, error) {
	s.T.Helper()
	var late atomic.Bool
	timer := time.AfterFunc(time.Until(suite.Deadline(s.T)), func() {
		late.Store(true)
		s.Cmd.Process.Kill()
	})
	defer timer.Stop()
	said := <-s.Logs
	err := s.Cmd.Wait()
	if late.Load() {
		s.T.Errorf("the daemon does not end: %s", said)
	}
	return said, err
}

// Run runs another command beside the daemon.
func (s *Daemon) Run(args ...string) (string, string, int) {
	out, errs, err := Program(s.T, s.Dir, nil, args...)
	if err != nil {
		if exit, ok := err.(*exec.ExitError); ok {
			return out, errs, exit.ExitCode()
		}
		s.T.Fatal(err)
	}
	return out, errs, 0
}

// States returns the states of all studies.
func (s *Daemon) States() map[string]string {
	s.T.Helper()
	out, errs, code := s.Run("study", "list", "--json")
	var list struct {
		Studies []struct{ Study, State string }
	}
	if err := json.Unmarshal([]byte(out), &list); err != nil || code != 0 {
		s.T.Fatalf("study list: %d %v %s%s", code, err, out, errs)
	}
	states := map[string]string{}
	for _, l := range list.Studies {
		states[l.Study] = l.State
	}
	return states
}

// DigestIn finds a digest in JSON.
func DigestIn(text string) string {
	m := regexp.MustCompile(`"digest":"([0-9a-f]{64})"`).FindStringSubmatch(text)
	if m == nil {
		return ""
	}
	return m[1]
}

// Answer asks the daemon for something.
func (s *Daemon) Answer(method, path, body string) (int, string) {
	s.T.Helper()
	r, err := http.NewRequest(method, s.URL+path, strings.NewReader(body))
	if err != nil {
		s.T.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	a, err := http.DefaultClient.Do(r)
	if err != nil {
		s.T.Fatal(err)
	}
	defer a.Body.Close()
	text, err := io.ReadAll(a.Body)
	if err != nil {
		s.T.Fatal(err)
	}
	return a.StatusCode, string(text)
}

// GetJSON reads an answer of the API.
func (s *Daemon) GetJSON(path string, v any) {
	s.T.Helper()
	a, err := http.Get(s.URL + path)
	if err != nil {
		s.T.Fatal(err)
	}
	defer a.Body.Close()
	if err := json.NewDecoder(a.Body).Decode(v); err != nil || a.StatusCode != http.StatusOK {
		s.T.Fatalf("%s: %d %v", path, a.StatusCode, err)
	}
}

// ServedCup is a tournament whose games take long enough to be killed in.
const ServedCup = `version: 1
name: served-cup
game: battleship
entrants: [R, RNB, CB, RNB/ED1]
selfplay: true
blocks: 12000
seed: 9
`

// Call speaks with the daemon's API and returns the status and the answer.
func (s *Daemon) Call(method, path string, body any) (int, map[string]any) {
	s.T.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		s.T.Fatal(err)
	}
	status, all := s.Answer(method, path, string(text))
	answer := map[string]any{}
	if err := json.Unmarshal([]byte(all), &answer); err != nil {
		s.T.Fatalf("%s %s: %s", method, path, all)
	}
	return status, answer
}

// Submit submits a job and returns its path.
func (s *Daemon) Submit(path string, body any) string {
	s.T.Helper()
	status, answer := s.Call("POST", path, body)
	if status != http.StatusCreated {
		s.T.Fatalf("POST %s: %d %v", path, status, answer)
	}
	return fmt.Sprintf("%s/%v", path, answer["id"])
}

// Done waits until a job is done and returns its result as JSON.
func (s *Daemon) Done(path string) string {
	s.T.Helper()
	for end := suite.Deadline(s.T); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		_, job := s.Call("GET", path, nil)
		if job["state"] == "failed" {
			s.T.Fatalf("%s: %v", path, job["message"])
		}
		if job["state"] == "done" {
			text, err := json.Marshal(job["result"])
			if err != nil {
				s.T.Fatal(err)
			}
			return string(text)
		}
	}
	s.T.Fatalf("%s does not end", path)
	return ""
}

// Ordered returns JSON with its keys in order.
func Ordered(t *testing.T, text string) string {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%v: %.300s", err, text)
	}
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// PrintedAlone returns what a command prints as JSON without a daemon.
func PrintedAlone(t *testing.T, dir string, args ...string) string {
	t.Helper()
	out, errs, err := Program(t, dir, nil, append(args, "--json", "--db", "alone.db")...)
	if err != nil {
		t.Fatalf("%v: %v %s", args, err, errs)
	}
	return Ordered(t, out)
}

// Film watches the film at a page's address to its end.
func Film(s *Daemon, page string) (frames int, film films.FilmHeader, end films.FilmEnd) {
	s.T.Helper()
	a, err := http.Get(s.URL + strings.Replace(page, "/watch/film", "/api/v1/films", 1))
	if err != nil {
		s.T.Fatal(err)
	}
	defer a.Body.Close()
	in := bufio.NewScanner(a.Body)
	in.Buffer(nil, 1<<22)
	for in.Scan() {
		var line struct {
			Film  *films.FilmHeader
			Frame *films.FilmFrame
			End   *films.FilmEnd
			Error string
		}
		if err := json.Unmarshal(in.Bytes(), &line); err != nil || line.Error != "" {
			s.T.Fatalf("%s: %v %.300s", page, err, in.Bytes())
		}
		switch {
		case line.Film != nil:
			film = *line.Film
		case line.Frame != nil:
			frames++
		case line.End != nil:
			end = *line.End
		}
	}
	return frames, film, end
}

package daemon

import (
	"bufio"
	"bytes"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"sakusen/cmd/sakusen/clitest"
	"sakusen/engines/suite"
)

// killedJob is a job with the command that does the same.
type killedJob struct {
	path string
	body map[string]any
	args []string
}

// A tournament, three experiments and a test of a patch run side by side while the daemon is
// killed at random moments, and end with what the commands print. The experiments are games of
// the arena, games that are watched, and work without games. SAKUSEN_SERVE_KILLS sets the
// number of deaths.
func TestServeJobsKilled(t *testing.T) {
	suite.All(t)
	kills := 5
	if text := os.Getenv("SAKUSEN_SERVE_KILLS"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		kills = n
	}
	alone := t.TempDir()
	if err := os.WriteFile(filepath.Join(alone, "cup.yaml"), []byte(clitest.ServedCup), 0o644); err != nil {
		t.Fatal(err)
	}
	runs := "/api/v1/experiments/runs"
	jobs := []killedJob{
		{"/api/v1/tournaments", map[string]any{"file": clitest.ServedCup}, []string{"tournament", "cup.yaml"}},
		{runs, map[string]any{"name": "battleship-table3", "games": 3000, "seed": 5}, []string{"experiment", "run", "battleship-table3", "--games", "3000", "--seed", "5"}},
		{runs, map[string]any{"name": "tubstap-figure4", "games": 6, "simulations": 30}, []string{"experiment", "run", "tubstap-figure4", "--games", "6", "--simulations", "30"}},
		{runs, map[string]any{"name": "daifugo-table-3"}, []string{"experiment", "run", "daifugo-table-3"}},
	}
	test := "version: 1\nname: tweak\ngame: battleship\ntest: {new: 'mp(start_squares=75)', base: MP70}\nstages: [{bounds: [-80, -30]}, {bounds: [1, 3], max_games: 800000}]\n"
	if err := os.WriteFile(filepath.Join(alone, "tweak.yaml"), []byte(test), 0o644); err != nil {
		t.Fatal(err)
	}
	jobs = append(jobs, killedJob{"/api/v1/tests", map[string]any{"file": test}, []string{"test", "tweak.yaml"}})
	var want []string
	for _, j := range jobs {
		want = append(want, clitest.PrintedAlone(t, alone, j.args...))
	}
	chance := rand.New(rand.NewPCG(7, 8))
	died, databases := 0, 0
	for died < kills {
		databases++
		died += killJobs(t, jobs, want, kills-died, chance)
	}
	t.Logf("%d deaths over %d databases, all results equal", died, databases)
}

// killJobs runs jobs in a new database through at most so many deaths, and
// returns how many of them interrupted something.
func killJobs(t *testing.T, jobs []killedJob, want []string, most int, chance *rand.Rand) (died int) {
	dir := t.TempDir()
	s := clitest.Serve(t, dir)
	var paths []string
	for i, j := range jobs {
		j.body["priority"] = i % 2
		paths = append(paths, s.Submit(j.path, j.body))
	}
	running := func() bool {
		for _, path := range paths {
			if _, job := s.Call("GET", path, nil); job["state"] == "queued" || job["state"] == "running" {
				return true
			}
		}
		return false
	}
	for died < most && running() {
		time.Sleep(time.Duration(chance.IntN(300)) * time.Millisecond)
		interrupted := running()
		s.Cmd.Process.Kill()
		s.End()
		if interrupted {
			died++
		}
		s = clitest.Serve(t, dir)
	}
	for i, path := range paths {
		if got := s.Done(path); got != want[i] {
			t.Errorf("%s after %d deaths:\n%.600s\nwant\n%.600s", path, died, got, want[i])
		}
	}
	s.Cmd.Process.Kill()
	s.End()
	if out, errs, err := clitest.Program(t, dir, nil, "db", "check"); err != nil {
		t.Errorf("%v %s%s", err, out, errs)
	}
	return died
}

// What is wrong with a submission is said, all at once, and nothing is read from
// a path.
func TestServeJobsRefused(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "cup.yaml"), []byte(clitest.ServedCup), 0o644); err != nil {
		t.Fatal(err)
	}
	s := clitest.Serve(t, dir)
	for _, c := range []struct {
		path string
		body map[string]any
		want string
	}{
		{"/api/v1/tournaments", map[string]any{"file": "game: battleship\nentrants: [nobody]\nsecret: 1"}, "tournament.yaml:2:12: "},
		{"/api/v1/tournaments", map[string]any{"file": "game: battleship\nentrants: [nobody]\nsecret: 1"}, "tournament.yaml:3:1: secret"},
		{"/api/v1/tournaments", map[string]any{"file": "cup.yaml"}, "tournament.yaml:1:1"},
		{"/api/v1/tournaments", map[string]any{"file": strings.Repeat("[", 9000)}, "tournament.yaml:"},
		{"/api/v1/tournaments", map[string]any{"file": "a: &a [x]\nb: *a\n? [c]: d\n"}, "tournament.yaml:"},
		{"/api/v1/tournaments", map[string]any{"file": "version: 1\nname: m\ngame: tubstap\nrules: [{name: map, value: ./cup.yaml}]\nentrants: [muct, switch]\n"}, "map"},
		{"/api/v1/tournaments", map[string]any{"file": "version: 1\nname: m\ngame: tubstap\nrules: [{name: map, value: /etc/passwd}]\nentrants: [muct, switch]\n"}, "map"},
		{"/api/v1/tests", map[string]any{"file": "cup.yaml"}, "test.yaml:1:1"},
		{"/api/v1/tests", map[string]any{"file": "version: 1\nname: m\ntest: {new: random, base: 'random(seed=2)'}\nrules: [{name: book, value: /etc/passwd}]\nstages: [{bounds: [0, 5]}]\n"}, "book"},
		{"/api/v1/experiments/runs", map[string]any{"name": "cup.yaml"}, "no experiment"},
		{"/api/v1/experiments/runs", map[string]any{"name": "../cup.yaml"}, "no experiment"},
		{"/api/v1/experiments/runs", map[string]any{"name": "battleship-table3", "games": -1}, "games: expected 1 to"},
		{"/api/v1/experiments/runs", map[string]any{"name": "battleship-table3", "games": 1 << 40}, "games: expected 1 to"},
		{"/api/v1/experiments/runs", map[string]any{"name": "tuners", "games": 1 << 40}, "games: expected 1 to"},
		{"/api/v1/experiments/runs", map[string]any{"name": "battleship-table3", "simulations": 100}, "simulations: battleship-table3 does not search by simulations"},
		{"/api/v1/experiments/runs", map[string]any{"name": "tubstap-figure4", "simulations": 5}, "simulations: expected 10"},
		{"/api/v1/experiments/runs", map[string]any{"name": "tubstap-figure4", "simulations": 1 << 40}, "simulations: expected "},
		{"/api/v1/experiments/runs", map[string]any{"name": "battleship-figure5", "games": 3, "seed": 3}, "seed: battleship-figure5 has a fixed seed"},
	} {
		status, answer := s.Call("POST", c.path, c.body)
		if status != http.StatusBadRequest || !strings.Contains(fmt.Sprint(answer), c.want) {
			t.Errorf("%v: %d %v; want %q", c.body, status, answer, c.want)
		}
	}
	// Held, deleted, asked for twice.
	path := s.Submit("/api/v1/tournaments", map[string]any{"file": strings.Replace(clitest.ServedCup, "12000", "90000000", 1)})
	status, answer := s.Call("POST", "/api/v1/tournaments", map[string]any{"file": strings.Replace(clitest.ServedCup, "12000", "90000000", 1)})
	if status != http.StatusOK || fmt.Sprintf("/api/v1/tournaments/%v", answer["id"]) != path {
		t.Errorf("the same again: %d %v", status, answer)
	}
	for end := suite.Deadline(t); ; time.Sleep(10 * time.Millisecond) {
		if _, job := s.Call("GET", path, nil); job["partial"] != nil || job["progress"] != nil {
			break
		}
		if time.Now().After(end) {
			t.Fatal("the tournament does not get on")
		}
	}
	if status, answer := s.Call("DELETE", path, struct{}{}); status != http.StatusConflict || !strings.Contains(fmt.Sprint(answer), "tournament 1 is running") {
		t.Errorf("delete a running tournament: %d %v", status, answer)
	}
	for _, c := range [][2]string{{"pause", "paused"}, {"priority", "paused"}, {"resume", "queued"}, {"stop", "stopped"}} {
		body := map[string]any{}
		if c[0] == "priority" {
			body["priority"] = 3
		}
		if status, answer := s.Call("POST", path+"/"+c[0], body); status != http.StatusOK || answer["state"] != c[1] {
			t.Errorf("%s: %d %v", c[0], status, answer)
		}
	}
	if status, answer := s.Call("DELETE", path, struct{}{}); status != http.StatusOK {
		t.Errorf("delete: %d %v", status, answer)
	}
	if status, _ := s.Call("GET", path, nil); status != http.StatusNotFound {
		t.Errorf("deleted: %d", status)
	}
	// All of it was told to all who watch.
	told, err := http.Get(s.URL + "/api/v1/events?last=0")
	if err != nil {
		t.Fatal(err)
	}
	defer told.Body.Close()
	in, said := bufio.NewScanner(told.Body), ""
	for !strings.Contains(said, "event: deleted") && in.Scan() {
		if said += in.Text() + "\n"; strings.HasPrefix(in.Text(), "event: deleted") {
			in.Scan()
			said += in.Text()
		}
	}
	for _, want := range []string{
		`event: state
data: {"job":"tournament/1","message":"","state":"running"}`, `event: progress
data: {"job":"tournament/1","progress":{"blocks":`, `"message":"paused","state":"paused"}`, `event: deleted
data: {"job":"tournament/1"}`} {
		if !strings.Contains(said, want) {
			t.Errorf("the events lack %s:\n%s", want, said)
		}
	}
}

// While a daemon holds the database the commands let it do what keeps games, and
// print what they print without it; the rest runs in their own process.
func TestServeJobsCommands(t *testing.T) {
	suite.All(t)
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "cup.yaml"), []byte(strings.Replace(clitest.ServedCup, "12000", "300", 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	const rows = clitest.ServedCup + "metrics: [{name: wins, of: score, seat: 1, scale: 100}]\nexpect: [{label: R - RNB, metric: wins, printed: 7.1}]\n"
	if err := os.WriteFile(filepath.Join(dir, "rows.yaml"), []byte(strings.Replace(rows, "12000", "200", 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	s := clitest.Serve(t, dir)
	for _, c := range []struct {
		args   []string
		daemon bool
	}{
		{[]string{"tournament", "cup.yaml"}, true},
		{[]string{"tournament", "cup.yaml", "--blocks", "50", "--seed", "77"}, true},
		{[]string{"tournament", "cup.yaml", "--record=false"}, false},
		{[]string{"experiment", "run", "battleship-table3", "--games", "100", "--seed", "18446744073709551615"}, true},
		{[]string{"experiment", "run", "daifugo-table-3"}, false},
		{[]string{"experiment", "run", "./rows.yaml"}, false},
	} {
		out, errs, code := s.Run(append(c.args, "--json")...)
		if code != 0 || strings.Contains(errs, "runs at the daemon") != c.daemon {
			t.Errorf("%v: exit code %d, %s", c.args, code, errs)
			continue
		}
		if got, want := clitest.Ordered(t, out), clitest.PrintedAlone(t, dir, c.args...); got != want {
			t.Errorf("%v:\n%.500s\nwant\n%.500s", c.args, got, want)
		}
		text, _, code := s.Run(c.args...)
		if alone, _, err := clitest.Program(t, dir, nil, append(c.args, "--db", "alone.db")...); err != nil || code != 0 || alone != text {
			t.Errorf("%v for people: %v\n%s\nwant\n%s", c.args, err, text, alone)
		}
	}
	if _, errs, code := s.Run("tournament", "battleship-table3", "--blocks", "0"); code != clitest.ExitUsage {
		t.Errorf("no blocks: exit code %d, %s", code, errs)
	}
	if _, list := s.Call("GET", "/api/v1/tournaments", struct{}{}); len(list["tournaments"].([]any)) != 4 {
		t.Errorf("tournaments: %v", list)
	}
	// An interrupted command leaves the tournament at the daemon.
	c := exec.Command(os.Args[0], "tournament", "cup.yaml", "--blocks", "40000000")
	c.Dir = dir
	c.Env = append(os.Environ(), clitest.AsProgram+"=1")
	var errs bytes.Buffer
	c.Stderr = &errs
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	for end := suite.Deadline(t); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if _, job := s.Call("GET", "/api/v1/tournaments", struct{}{}); strings.Contains(fmt.Sprint(job), "state:running") {
			break
		}
	}
	c.Process.Signal(os.Interrupt)
	if c.Wait(); c.ProcessState.ExitCode() != clitest.ExitInterrupted || !strings.Contains(errs.String(), "goes on in the daemon") {
		t.Errorf("interrupted: exit code %d, %s", c.ProcessState.ExitCode(), &errs)
	}
}

package workers

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"sakusen/cmd/sakusen/clitest"
	"sakusen/engines/suite"
	"sakusen/tuner/queue/queuetest"
	"sakusen/tuner/store/sqlitedb"
)

// storm is what happens to a study while it is played.
type storm struct {
	each            time.Duration // of a game
	games           int           // of the study
	deaths          int           // of the daemon
	live, cut       time.Duration // between its deaths, and of a partition
	cores, restarts int           // of a worker; of a NATS server of its own
	killed          time.Duration // between the deaths of a worker
}

// The study ends with the digest of one machine, and with every block once. At the same time three
// workers play it, one of which is killed again and again and one is cut off, and the daemon
// and its NATS server, if there is a separate one, are killed too. SAKUSEN_STORM=1 has it last
// two minutes each and measures the games that are wasted.
func TestStorm(t *testing.T) {
	small := storm{each: time.Millisecond, games: 3000, deaths: 1, live: time.Second, cut: 3 * time.Second, cores: 2, killed: 1500 * time.Millisecond}
	large := storm{each: 25 * time.Millisecond, games: 40000, deaths: 10, live: 7 * time.Second, cut: 15 * time.Second, cores: 4, restarts: 2, killed: 5 * time.Second}
	s := small
	if os.Getenv("SAKUSEN_STORM") != "" {
		s = large
	} else {
		suite.All(t)
	}
	t.Run("embedded", func(t *testing.T) { s.blow(t, "") })
	t.Run("external", func(t *testing.T) {
		if s == small {
			t.Skip("SAKUSEN_STORM=1 tries it")
		}
		program := filepath.Join(t.TempDir(), "nats-server")
		if out, err := exec.Command("go", "build", "-o", program, "github.com/nats-io/nats-server/v2").CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		s.blow(t, program)
	})
}

const stormStudy = `version: 1
name: storm
game: slow
tune: {strategy: sleeper, params: [{name: skill}]}
baseline: sleeper
sampler: {seed: 5}
budget: {games: %d}
validation: {max_blocks: %d}
`

// blow plays the study in the storm; program is a NATS server, empty for the one inside.
func (s *storm) blow(t *testing.T, program string) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "storm.yaml"), fmt.Appendf(nil, stormStudy, s.games, s.games/10), 0o644); err != nil {
		t.Fatal(err)
	}
	out, errs, _ := clitest.Program(t, dir, nil, "tune", "storm.yaml", "--json", "--db", "alone.db")
	want := clitest.DigestIn(out)
	if want == "" {
		t.Fatalf("%s%s", out, errs)
	}
	for i := range 3 {
		key, _ := clitest.Exits(t, dir, 0, "worker", "add", fmt.Sprintf("w%d", i))
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("w%d.key", i)), []byte(key), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	clitest.Exits(t, dir, 0, "study", "submit", "storm.yaml")
	address := free(t)
	var server *natsServer
	args := []string{"--workers", "1", "--workers-listen", address}
	if program != "" {
		config, _ := clitest.Exits(t, dir, 0, "worker", "list", "--nats-config")
		loose := newServer(t, program, regexp.MustCompile(`, permissions.*`).ReplaceAllString(config, "}"))
		loose.start()
		if _, errs := clitest.Exits(t, dir, 2, "serve", "--listen", "127.0.0.1:0", "--nats", "nats://daemon:secret@"+loose.address); !strings.Contains(errs, "may publish in another's name") {
			t.Error(errs)
		}
		loose.kill()
		server = newServer(t, program, config)
		server.start()
		address = server.address
		args = []string{"--workers", "1", "--nats", "nats://daemon:secret@" + address}
	}
	t.Setenv(slowFor, s.each.String())
	t.Setenv(slowFile, filepath.Join(dir, "daemon.played"))
	daemon := clitest.Serve(t, dir, args...)
	far := queuetest.NewLine(t, address)
	done := make(chan struct{})
	var group sync.WaitGroup
	for i, at := range []string{address, address, far.Address} {
		group.Go(func() {
			for again := true; again; {
				again = s.worker(t, dir, at, i, done)
			}
		})
	}
	group.Go(func() {
		for mend := func() {}; ; {
			for _, f := range []func(){func() { mend = far.Cut() }, func() { mend() }} {
				select {
				case <-time.After(s.cut):
					f()
				case <-done:
					mend()
					return
				}
			}
		}
	})
	end := sync.OnceFunc(func() { close(done); group.Wait() })
	defer end()
	begun, born, deaths, restarts := time.Now(), time.Now(), 0, 0
	for state := ""; state != "done"; time.Sleep(50 * time.Millisecond) {
		var study struct{ State string }
		daemon.GetJSON("/api/v1/studies/storm", &study)
		if state = study.State; state == "failed" || time.Now().After(suite.Deadline(t)) {
			t.Fatalf("the study is %s after %s", state, time.Since(begun))
		}
		if state == "done" || time.Since(born) < s.live {
			continue
		}
		if program != "" && restarts < s.restarts && deaths > restarts*s.deaths/s.restarts {
			server.kill()
			server.start()
			restarts++
			born = time.Now()
		} else if deaths < s.deaths {
			daemon.Cmd.Process.Kill()
			daemon.End()
			daemon = clitest.Serve(t, dir, args...)
			deaths++
			born = time.Now()
		}
	}
	lasted := time.Since(begun)
	end()
	daemon.Cmd.Process.Kill()
	daemon.End()
	out, errs, _ = clitest.Program(t, dir, nil, "study", "show", "storm", "--json")
	if got := clitest.DigestIn(out); got != want {
		t.Errorf("the digest is %s, and of one machine %s\n%s", got, want, errs)
	}
	clitest.Exits(t, dir, 0, "db", "check")
	if deaths < s.deaths || program != "" && restarts < s.restarts {
		t.Errorf("the study ended after %d deaths of the daemon and %d of the server", deaths, restarts)
	}
	alone, _ := blocks(t, filepath.Join(dir, "alone.db"))
	stored, theirs := blocks(t, filepath.Join(dir, "sakusen.db"))
	if stored != alone {
		t.Errorf("%d blocks are stored, and %d by one machine", stored, alone)
	}
	played, here := size(t, filepath.Join(dir, "workers.played")), size(t, filepath.Join(dir, "daemon.played"))
	t.Logf("%s: %d deaths of the daemon, %d of the server; %d games count; workers played %d of which %d count: %.1f %% of all wasted; the daemon played %d of which %d count, with those played again on purpose",
		lasted.Round(time.Second), deaths, restarts, 2*stored, played, 2*theirs, 50*float64(played-2*theirs)/float64(stored), here, 2*(stored-theirs))
	if theirs == 0 {
		t.Error("the workers have played nothing")
	}
}

// blocks returns how many are stored, and how many of them workers played.
func blocks(t *testing.T, path string) (all, theirs int64) {
	t.Helper()
	db, err := sqlitedb.OpenReadOnly(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.Reader().QueryRow("SELECT (SELECT coalesce(sum(blocks), 0) FROM block_runs), (SELECT coalesce(sum(blocks), 0) FROM block_credits)").Scan(&all, &theirs); err != nil {
		t.Fatal(err)
	}
	return all, theirs
}

func size(t *testing.T, path string) int64 {
	t.Helper()
	f, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return f.Size()
}

// worker runs a worker until the study is done; the first for a while only.
func (s *storm) worker(t *testing.T, dir, address string, i int, done <-chan struct{}) (again bool) {
	w := startWorker(t, dir, address, i, s.cores, slowFile+"="+filepath.Join(dir, "workers.played"))
	if w == nil {
		return false
	}
	var late <-chan time.Time
	if i == 0 {
		late = time.After(s.killed)
	}
	select {
	case err := <-w.ended:
		t.Errorf("a worker has ended: %v %s", err, &w.said)
		return false
	case <-late:
	case <-done:
	}
	w.Process.Kill()
	<-w.ended
	select {
	case <-done:
		return false
	default:
		return true
	}
}

// natsServer is a NATS server in a process of its own. It knows a user "daemon" with the password
// "secret" and the workers of a configuration that worker list --nats-config has printed, and
// ends with the test.
type natsServer struct {
	address string // HOST:PORT, on the loopback interface

	t       testing.TB
	program string
	file    string // its configuration
	process *exec.Cmd
}

// newServer returns a server that is not started.
func newServer(t testing.TB, program, config string) *natsServer {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	s := &natsServer{address: l.Addr().String(), t: t, program: program, file: filepath.Join(t.TempDir(), "nats.conf")}
	config = strings.Replace(config, "127.0.0.1:4222", s.address, -1)
	if err := os.WriteFile(s.file, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.kill)
	return s
}

// start starts it, and waits until it listens.
func (s *natsServer) start() {
	s.t.Helper()
	s.process = exec.Command(s.program, "--config", s.file)
	s.process.Env = append(os.Environ(), "SAKUSEN_NATS_PASSWORD=secret")
	if err := s.process.Start(); err != nil {
		s.t.Fatal(err)
	}
	for until := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		c, err := net.Dial("tcp", s.address)
		if err == nil {
			c.Close()
			return
		}
		if time.Now().After(until) {
			s.t.Fatal(err)
		}
	}
}

// kill ends it at once, where it runs.
func (s *natsServer) kill() {
	if s.process != nil {
		s.process.Process.Kill()
		s.process.Wait()
		s.process = nil
	}
}

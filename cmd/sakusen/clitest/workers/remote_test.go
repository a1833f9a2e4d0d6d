package workers

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"sakusen/cmd/sakusen/clitest"
	"sakusen/engines/suite"
)

// remote does the work with a daemon that plays one game at a time and workers with so many
// cores each, of which the first is killed again and again where that is wanted. It also
// returns how many games of workers were counted.
func remote(t *testing.T, k kind, cores []int, kill bool) (string, int64) {
	t.Helper()
	dir := place(t, k)
	for i := range cores {
		key, _ := clitest.Exits(t, dir, 0, "worker", "add", fmt.Sprintf("w%d", i))
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("w%d.key", i)), []byte(key), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	address := free(t)
	s := clitest.Serve(t, dir, "--workers", "1", "--workers-listen", address)
	defer end(s)
	var group sync.WaitGroup
	done := make(chan struct{})
	defer group.Wait()
	defer close(done)
	for i, n := range cores {
		group.Go(func() {
			for again := true; again; {
				again = worker(t, dir, address, i, n, kill && i == 0, done)
			}
		})
	}
	for until := suite.Deadline(t); working(s) < len(cores); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(until) {
			t.Fatal("the workers do not come")
		}
	}
	out := outcome(t, k, dir, func() { further(s, k) })
	return out, counted(s)
}

// workerProcess is a worker that runs.
type workerProcess struct {
	*exec.Cmd
	said  bytes.Buffer
	ended chan error
}

// startWorker starts the i-th worker with so many cores; nil, and an error of the test, where
// that fails.
func startWorker(t *testing.T, dir, address string, i, cores int, environment ...string) *workerProcess {
	t.Helper()
	w := &workerProcess{ended: make(chan error, 1), Cmd: exec.Command(os.Args[0], "worker", "--server", "nats://"+address,
		"--credentials", fmt.Sprintf("w%d.key", i), "--workers", fmt.Sprint(cores))}
	w.Dir, w.Env = dir, append(append(os.Environ(), clitest.AsProgram+"=1"), environment...)
	w.Stderr = &w.said
	if err := w.Start(); err != nil {
		t.Error(err)
		return nil
	}
	go func() { w.ended <- w.Wait() }()
	return w
}

// worker runs a worker until the work is done, or for a while where it is to be killed.
func worker(t *testing.T, dir, address string, i, cores int, kill bool, done <-chan struct{}) (again bool) {
	w := startWorker(t, dir, address, i, cores)
	if w == nil {
		return false
	}
	var late <-chan time.Time
	if kill {
		late = time.After(4 * time.Second)
	}
	select {
	case err := <-w.ended:
		t.Errorf("a worker has ended: %v %s", err, &w.said)
		return false
	case <-late:
		w.Process.Kill()
		<-w.ended
		return true
	case <-done:
		w.Process.Signal(os.Interrupt)
		if err := <-w.ended; err != nil {
			t.Errorf("a worker that is told to end: %v %s", err, &w.said)
		}
		return false
	}
}

// free returns an address on the loopback interface whose port is not in use.
func free(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

type attendance struct {
	Workers []struct {
		State string
		Games int64
	}
}

// working returns how many workers there are.
func working(s *clitest.Daemon) (n int) {
	var a attendance
	s.GetJSON("/api/v1/workers", &a)
	for _, w := range a.Workers {
		if w.State == "working" {
			n++
		}
	}
	return n
}

// counted returns how many games of workers were counted.
func counted(s *clitest.Daemon) (n int64) {
	var a attendance
	s.GetJSON("/api/v1/workers", &a)
	for _, w := range a.Workers {
		n += w.Games
	}
	return n
}

package daemon

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"sakusen/cmd/sakusen/clitest"
	"sakusen/engines/suite"
	"sakusen/tuner/store"
	"sakusen/tuner/store/sqlitedb"
)

// A command that is interrupted when the daemon has its request, and has not answered yet, waits
// for the answer and says what the daemon has; where none comes, that the daemon may have it.
func TestInterruptedBeforeTheAnswer(t *testing.T) {
	suite.All(t)
	dir := t.TempDir()
	clitest.ServedStudies(t, dir)
	if err := os.WriteFile(filepath.Join(dir, "cup.yaml"), []byte(clitest.ServedCup), 0o644); err != nil {
		t.Fatal(err)
	}
	var running atomic.Pointer[os.Process]
	var silent, resumed atomic.Bool
	mux := http.NewServeMux()
	reply := func(path, text string) {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, text) })
	}
	asked := func(path, text string) {
		mux.HandleFunc("POST "+path, func(w http.ResponseWriter, r *http.Request) {
			running.Load().Signal(os.Interrupt)
			if silent.Load() {
				io.Copy(io.Discard, r.Body) // else its end is not seen
				<-r.Context().Done()
				return
			}
			time.Sleep(200 * time.Millisecond) // the command has met the signal
			fmt.Fprint(w, text)
		})
	}
	asked("/api/v1/tournaments", `{"id":5}`)
	asked("/api/v1/experiments/runs", `{"id":6}`)
	asked("/api/v1/studies", `{"study":"served-0"}`)
	asked("/api/v1/studies/served-0/pause", `{"state":"paused"}`)
	reply("GET /api/v1", `{}`)
	reply("GET /api/v1/tournaments", `{"tournaments":[{"id":5,"state":"running"}]}`)
	reply("GET /api/v1/experiments/runs", `{"runs":[{"id":6,"state":"queued"}]}`)
	reply("GET /api/v1/studies/served-0", `{"study":"served-0","state":"paused"}`)
	mux.HandleFunc("POST /api/v1/studies/served-0/resume", func(w http.ResponseWriter, r *http.Request) {
		resumed.Store(true)
		fmt.Fprint(w, `{"state":"queued"}`)
	})
	daemon := httptest.NewServer(mux)
	defer daemon.Close()
	db, err := sqlitedb.Open(t.Context(), filepath.Join(dir, "sakusen.db"), sqlitedb.Options{Address: daemon.URL})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := store.New(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	run := func(args ...string) (string, int) {
		c := exec.Command(os.Args[0], args...)
		c.Dir, c.Env = dir, append(os.Environ(), clitest.AsProgram+"=1")
		var said bytes.Buffer
		c.Stdout, c.Stderr = &said, &said
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		running.Store(c.Process)
		c.Wait()
		return said.String(), c.ProcessState.ExitCode()
	}
	for _, c := range []struct {
		want string
		code int
		args []string
	}{
		{"tournament 5 goes on in the daemon", clitest.ExitInterrupted, []string{"tournament", "cup.yaml"}},
		{"experiment 6 goes on in the daemon", clitest.ExitInterrupted, []string{"experiment", "run", "battleship-table3"}},
		{"study served-0 goes on in the daemon", clitest.ExitInterrupted, []string{"tune", "served-0.yaml"}},
		{"study served-0: queued", 0, []string{"study", "submit", "served-0.yaml"}},
		{"study served-0: paused", 0, []string{"study", "pause", "served-0"}},
	} {
		silent.Store(false)
		if said, code := run(c.args...); code != c.code || !strings.Contains(said, c.want) {
			t.Errorf("%v: exit code %d, %s; want %d, %q", c.args, code, said, c.code, c.want)
		}
		if c.args[0] == "experiment" || c.args[0] == "tune" {
			continue // each takes the seconds that an answer is waited for
		}
		silent.Store(true)
		if said, code := run(c.args...); code != clitest.ExitInterrupted || !strings.Contains(said, "has not answered: it may still carry out the request") {
			t.Errorf("%v without an answer: exit code %d, %s", c.args, code, said)
		}
	}
	if !resumed.Load() {
		t.Error("a paused study was not resumed after the interrupt, and is said to go on")
	}
}

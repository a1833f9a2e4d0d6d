package daemon

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"sakusen/cmd/sakusen/clitest"
	"sakusen/engines/suite"
)

// Three studies run side by side through deaths of the daemon at random moments, every second one
// by SIGTERM, and end as uninterrupted ones do; their numbers of games never fall.
// SAKUSEN_SERVE_KILLS sets the number of deaths.
func TestServeKilled(t *testing.T) {
	kills := 8
	if suite.Few() {
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
	clitest.ServedStudies(t, whole)
	for i := range 3 {
		name := fmt.Sprintf("served-%d", i)
		out, errs, err := clitest.Program(t, whole, nil, "tune", name+".yaml", "--json")
		if want[name] = clitest.DigestIn(out); want[name] == "" {
			t.Fatalf("%v %s%s", err, out, errs)
		}
	}
	chance := rand.New(rand.NewPCG(5, 6))
	died, databases := 0, 0
	for died < kills {
		databases++
		dir := t.TempDir()
		clitest.ServedStudies(t, dir)
		for i := range 3 {
			if _, errs, err := clitest.Program(t, dir, nil, "study", "submit", fmt.Sprintf("served-%d.yaml", i), "--priority", fmt.Sprint(i)); err != nil {
				t.Fatalf("%v %s", err, errs)
			}
		}
		told := map[string]int64{} // games
		for done := false; !done; {
			s := clitest.Serve(t, dir)
			wait := time.Duration(chance.IntN(300)) * time.Millisecond
			if died >= kills {
				wait = time.Hour
			}
			for begun := time.Now(); !done && time.Since(begun) < wait; time.Sleep(20 * time.Millisecond) {
				var list struct {
					Studies []struct {
						Study, State string
						Games        int64
						Progress     struct{ Games int64 }
					}
				}
				s.GetJSON("/api/v1/studies", &list)
				done = true
				for _, of := range list.Studies {
					if of.State == "failed" {
						t.Fatal("a study failed")
					}
					done = done && of.State == "done"
					games := max(of.Games, of.Progress.Games)
					if games < told[of.Study] {
						t.Errorf("%s has %d games and had %d, after %d deaths", of.Study, games, told[of.Study], died)
					}
					told[of.Study] = games
				}
			}
			if died%2 == 0 {
				s.Cmd.Process.Kill()
			} else if err := s.Cmd.Process.Signal(syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
			s.End()
			if !done {
				died++
			}
		}
		for name, digest := range want {
			out, errs, _ := clitest.Program(t, dir, nil, "study", "show", name, "--json")
			if got := clitest.DigestIn(out); got != digest {
				t.Errorf("%s: digest %s after %d deaths, %s without\n%s", name, got, died, digest, errs)
			}
		}
		if out, errs, err := clitest.Program(t, dir, nil, "db", "check"); err != nil {
			t.Errorf("%v %s%s", err, out, errs)
		}
	}
	t.Logf("%d deaths over %d databases, all digests equal", died, databases)
}

// The commands go through the daemon, which shuts down at SIGTERM and leaves what
// it ran to the next.
func TestServeCommands(t *testing.T) {
	dir := t.TempDir()
	clitest.ServedStudies(t, dir)
	s := clitest.Serve(t, dir)
	must := func(want string, args ...string) {
		t.Helper()
		out, errs, code := s.Run(args...)
		if code != 0 || !strings.Contains(out+errs, want) {
			t.Fatalf("%v: exit code %d, %s%s; want %q", args, code, out, errs, want)
		}
	}
	// One that has not ended when it is held, and may run before a command has its answer.
	long := strings.NewReplacer("name: served-0", "name: long", "games: 20000", "games: 900000000", "trials: 40", "trials: 1000000", "uniform", "tpe").Replace(fmt.Sprintf(clitest.ServedStudy, 0, "RNB", "uniform"))
	if err := os.WriteFile(filepath.Join(dir, "long.yaml"), []byte(long), 0o644); err != nil {
		t.Fatal(err)
	}
	must("long: queued", "study", "submit", "long.yaml")
	must("long: paused", "study", "pause", "long")
	must("paused", "study", "list")
	must("long: queued", "study", "resume", "long")
	must("long: stopped", "study", "stop", "long")
	must("deleted", "study", "delete", "long", "--yes")
	must("queued", "study", "submit", "served-0.yaml")
	out, errs, code := s.Run("tune", "served-0.yaml", "--json")
	if clitest.DigestIn(out) == "" || code > 3 || code == 2 {
		t.Fatalf("tune: exit code %d, %s%s", code, out, errs)
	}
	must("deleted", "study", "delete", "served-0", "--yes")
	for _, args := range [][]string{
		{"study", "pause", "nobody"}, {"study", "submit", "served-1.yaml", "--priority", "50"}, {"study", "delete", "nobody"},
		{"serve", "--listen", "127.0.0.1:0"}, {"serve", "--listen", "0.0.0.0:0"}, {"serve", "--listen", "here"},
	} {
		if out, errs, code := s.Run(args...); code != clitest.ExitUsage {
			t.Errorf("%v: exit code %d, %s%s", args, code, out, errs)
		}
	}
	must("copied", "db", "backup", "copy.db")
	must("queued", "study", "submit", "served-2.yaml")
	for begun := time.Now(); s.States()["served-2"] != "running" && time.Since(begun) < 5*time.Second; {
	}
	s.Cmd.Process.Signal(syscall.SIGHUP)
	s.Cmd.Process.Signal(syscall.SIGTERM)
	said, err := s.End()
	if err != nil || !strings.Contains(said, "msg=stopped") {
		t.Errorf("%v: %s", err, said)
	}
	if state := s.States()["served-2"]; state != "queued" && state != "done" {
		t.Errorf("after SIGTERM the study is %s", state)
	}
}

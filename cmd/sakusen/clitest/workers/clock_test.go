package workers

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"sakusen/cmd/sakusen/clitest"
	"sakusen/engines/external/ucitest"
	"sakusen/engines/suite"
)

// clockFleet returns a daemon that plays so many games at a time, and what so many workers need, whose
// engines take their time by the clock.
func clockFleet(t *testing.T, own, workers int) (s *clitest.Daemon, address, dir string) {
	t.Helper()
	dir = t.TempDir()
	write := func(name string) {
		text := fmt.Sprintf("engines:\n  toy: {command: [%q], environment: [%q]}\n  dev: {command: [%q], environment: [%q], options: [{name: Sense, value: 40}]}\n",
			os.Args[0], ucitest.Paced()[0], os.Args[0], ucitest.Paced()[0])
		if err := os.MkdirAll(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name, "config.yaml"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("")
	for i := range workers {
		write(fmt.Sprintf("w%d", i))
		key, _ := clitest.Exits(t, dir, 0, "worker", "add", fmt.Sprintf("w%d", i))
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("w%d", i), fmt.Sprintf("w%d.key", i)), []byte(key), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	address = free(t)
	return clitest.Serve(t, dir, "--workers", fmt.Sprint(own), "--workers-listen", address), address, dir
}

// patchOfWorkers is what the tests look at of a test of a patch.
type patchOfWorkers struct {
	Games  int64
	Stages []struct {
		TimeLosses [2]int64 `json:"time_losses"`
		Workers    []struct {
			Worker string
			Games  int64
		}
	}
}

// A test of a patch by the clock is played by workers, with both colours of an opening on one of
// them, and goes on where one of them is killed.
func TestClockOnWorkers(t *testing.T) {
	s, address, dir := clockFleet(t, 1, 2)
	defer end(s)
	var group sync.WaitGroup
	done := make(chan struct{})
	defer group.Wait()
	defer close(done)
	for i := range 2 {
		group.Go(func() {
			worker(t, filepath.Join(dir, fmt.Sprintf("w%d", i)), address, i, 2, false, done)
		})
	}
	for until := suite.Deadline(t); working(s) < 2; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(until) {
			t.Fatal("the workers do not come")
		}
	}
	text, said, err := clitest.Program(t, dir, nil, "test", "dev", "toy", "--limit", "clock:1+0.01", "--sprt", "0,200", "--max-games", "60", "--rules", "most_plies=60", "--rules", "margin=20000", "--json")
	var r patchOfWorkers
	if failed := json.Unmarshal([]byte(text), &r); failed != nil {
		t.Fatalf("%v %v %s %s", err, failed, text, said)
	}
	var of []string
	games := int64(0)
	for _, w := range r.Stages[0].Workers {
		of = append(of, w.Worker)
		games += w.Games
	}
	if games != r.Games || !strings.Contains(strings.Join(of, " "), "w0") || !strings.Contains(strings.Join(of, " "), "w1") {
		t.Errorf("%+v", r)
	}
	t.Logf("%+v", r)
}

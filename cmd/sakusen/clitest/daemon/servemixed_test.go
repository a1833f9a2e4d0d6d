package daemon

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"sakusen/cmd/sakusen/clitest"
	"sakusen/engines/suite"
)

// mixedPages are what is looked at while everything else goes on.
var mixedPages = []string{
	"/", "/studies", "/tournaments", "/experiments", "/benchmarks", "/healthz", "/readyz", "/metrics",
	"/api/v1/studies", "/api/v1/studies/mixed-1", "/api/v1/studies/mixed-2/trials", "/api/v1/studies/mixed-3/log", "/studies/mixed-4",
	"/api/v1/tournaments", "/api/v1/experiments", "/api/v1/bench/runs", "/api/v1/workers", "/api/v1/games",
}

// A daemon gets all kinds of work at once: studies, tournaments, experiments, benchmarks, pages
// and event streams, while other processes read, check and copy the database. It answers
// nothing with a server error, ends when it is told to, and leaves a database without fault.
// Under the race detector a race ends it. SAKUSEN_MIXED sets the time, such as 10m.
func TestServeMixed(t *testing.T) {
	length := 2 * time.Second
	if text := os.Getenv("SAKUSEN_MIXED"); text != "" {
		var err error
		if length, err = time.ParseDuration(text); err != nil {
			t.Fatal(err)
		}
	} else {
		suite.All(t)
	}
	t.Setenv("GORACE", "exitcode=66")
	dir := t.TempDir()
	s := clitest.Serve(t, dir)
	ctx, cancel := context.WithTimeout(t.Context(), length)
	defer cancel()
	m := &mixedLoad{t: t, ctx: ctx, s: s}
	var group sync.WaitGroup
	for i := range 4 {
		group.Go(func() { m.studies(rand.New(rand.NewPCG(uint64(i), 1))) })
	}
	for i := range 2 {
		group.Go(func() { m.jobs(rand.New(rand.NewPCG(uint64(i), 2))) })
		group.Go(func() { m.benchmarks(i) })
	}
	for i := range 4 {
		group.Go(func() { m.looks(rand.New(rand.NewPCG(uint64(i), 3))) })
		group.Go(func() { m.streams(rand.New(rand.NewPCG(uint64(i), 4))) })
	}
	group.Go(m.processes)
	group.Wait()
	if err := s.Cmd.Process.Signal(os.Interrupt); err != nil {
		t.Error(err)
	}
	said, err := s.End()
	if strings.Contains(said, "DATA RACE") {
		at := strings.Index(said, "WARNING: DATA RACE")
		t.Errorf("%d races:\n%.6000s", strings.Count(said, "WARNING: DATA RACE"), said[max(at, 0):])
	}
	if exit, ok := err.(*exec.ExitError); ok && exit.ExitCode() == 66 || strings.Contains(said, "panic:") {
		t.Errorf("the daemon ended with %v: %.3000s", err, said)
	}
	if out, errs, err := clitest.Program(t, dir, nil, "db", "check"); err != nil {
		t.Errorf("%v %s%s", err, out, errs)
	}
	t.Logf("%s: %d requests, %d of them changes, %d streams, %d commands; answers by hundreds %v", length, m.requests.Load(), m.changes.Load(),
		m.opened.Load(), m.commands.Load(), m.answers())
}

// mixedLoad is what is done to one daemon.
type mixedLoad struct {
	t                                   *testing.T
	ctx                                 context.Context
	s                                   *clitest.Daemon
	requests, changes, opened, commands atomic.Int64
	statuses                            [6]atomic.Int64
	told                                atomic.Int64
}

func (m *mixedLoad) answers() (n []int64) {
	for i := range m.statuses {
		n = append(n, m.statuses[i].Load())
	}
	return n
}

// ask makes a request and counts its answer. A server error is a fault, unless it
// says that the server is busy.
func (m *mixedLoad) ask(method, path string, body any) map[string]any {
	var in io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			m.t.Error(err)
			return nil
		}
		in = bytes.NewReader(text)
		m.changes.Add(1)
	}
	r, err := http.NewRequestWithContext(m.ctx, method, m.s.URL+path, in)
	if err != nil {
		m.t.Error(err)
		return nil
	}
	r.Header.Set("Content-Type", "application/json")
	a, err := http.DefaultClient.Do(r)
	if err != nil {
		if m.ctx.Err() == nil {
			m.t.Errorf("%s %s: %v", method, path, err)
			time.Sleep(time.Second)
		}
		return nil
	}
	defer a.Body.Close()
	text, _ := io.ReadAll(a.Body)
	m.requests.Add(1)
	m.statuses[a.StatusCode/100].Add(1)
	if a.StatusCode >= 500 && a.StatusCode != http.StatusServiceUnavailable && m.told.Add(1) <= 10 {
		m.t.Errorf("%s %s: %d %.300s", method, path, a.StatusCode, text)
	}
	var v map[string]any
	_ = json.Unmarshal(text, &v)
	return v
}

// pause waits a little.
func (m *mixedLoad) pause(rng *rand.Rand, most time.Duration) bool {
	select {
	case <-m.ctx.Done():
		return false
	case <-time.After(time.Duration(rng.Int64N(int64(most)))):
		return true
	}
}

// studies submits, holds, ends and deletes studies of a few names, of which others
// do the same.
func (m *mixedLoad) studies(rng *rand.Rand) {
	for m.pause(rng, 300*time.Millisecond) {
		n := rng.IntN(6)
		name := fmt.Sprintf("mixed-%d", n)
		switch rng.IntN(8) {
		case 0, 1, 2:
			text := fmt.Sprintf(clitest.ServedStudy, n, []string{"RNB", "R", "RNB/ED1"}[n%3], []string{"uniform", "quasi"}[n%2])
			m.ask("POST", "/api/v1/studies", map[string]string{"spec": strings.Replace(text, "served-", "mixed-", 1)})
		case 3:
			m.ask("POST", "/api/v1/studies/"+name+"/pause", struct{}{})
		case 4, 5:
			m.ask("POST", "/api/v1/studies/"+name+"/resume", struct{}{})
		case 6:
			m.ask("POST", "/api/v1/studies/"+name+"/stop", struct{}{})
		case 7:
			m.ask("DELETE", "/api/v1/studies/"+name, struct{}{})
		}
	}
}

// jobs submits tournaments and experiments, and stops and deletes them.
func (m *mixedLoad) jobs(rng *rand.Rand) {
	for m.pause(rng, 700*time.Millisecond) {
		id := 1 + rng.IntN(8)
		switch rng.IntN(5) {
		case 0:
			m.ask("POST", "/api/v1/tournaments", map[string]any{"file": strings.Replace(clitest.ServedCup, "seed: 9", fmt.Sprintf("seed: %d", rng.IntN(3)), 1)})
		case 1:
			m.ask("POST", "/api/v1/experiments/runs", map[string]any{"name": "battleship-table3", "games": 300, "seed": rng.IntN(3)})
		case 2:
			m.ask("POST", fmt.Sprintf("/api/v1/tournaments/%d/stop", id), struct{}{})
		case 3:
			m.ask("POST", fmt.Sprintf("/api/v1/experiments/runs/%d/stop", id), struct{}{})
		case 4:
			m.ask("DELETE", fmt.Sprintf("/api/v1/tournaments/%d", id), struct{}{})
		}
	}
}

func (m *mixedLoad) benchmarks(who int) {
	rng := rand.New(rand.NewPCG(uint64(who), 5))
	for i := 0; m.pause(rng, time.Second); i++ {
		text := fmt.Sprintf("goos: linux\ngoarch: amd64\npkg: p\nBenchmarkA-2 %d %d ns/op\n", i+1, 5+rng.IntN(9))
		m.ask("POST", "/api/v1/bench/runs", map[string]any{"runs": []map[string]string{{"name": "a.txt", "text": text, "commit": fmt.Sprintf("%040x", who)}}})
	}
}

func (m *mixedLoad) looks(rng *rand.Rand) {
	for m.pause(rng, 60*time.Millisecond) {
		m.ask("GET", mixedPages[rng.IntN(len(mixedPages))], nil)
	}
}

// streams opens event streams, reads some of their events and leaves.
func (m *mixedLoad) streams(rng *rand.Rand) {
	for m.pause(rng, 500*time.Millisecond) {
		ctx, cancel := context.WithTimeout(m.ctx, time.Duration(rng.Int64N(int64(3*time.Second))))
		watch(m.s, ctx, 1+rng.IntN(100), "")
		cancel()
		m.opened.Add(1)
	}
}

// processes reads, checks and copies the database from outside.
func (m *mixedLoad) processes() {
	rng := rand.New(rand.NewPCG(6, 6))
	for i := 0; m.pause(rng, 3*time.Second); i++ {
		for _, args := range [][]string{{"study", "list"}, {"db", "check"}, {"db", "backup", fmt.Sprintf("copy-%d.db", i)}} {
			if out, errs, err := clitest.Program(m.t, m.s.Dir, nil, args...); err != nil {
				m.t.Errorf("sakusen %s: %v %s%s", strings.Join(args, " "), err, out, errs)
			}
			m.commands.Add(1)
		}
		_ = os.Remove(fmt.Sprintf("%s/copy-%d.db", m.s.Dir, i))
	}
}

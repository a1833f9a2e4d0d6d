//go:build linux

package external

import (
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"sakusen/engines/chess"
	"sakusen/engines/external/ucitest"
	"sakusen/engines/param"
	"sakusen/engines/suite"
)

// Eight tables of two engines each, of 124 MB a process, stay within what all may
// hold together, play the same games as without a bound, and end.
func TestEnginesStayWithinMemory(t *testing.T) {
	rules := param.Values{{Name: "limit", Text: "nodes:1"}, {Name: "most_plies", Text: "60"}}
	toy := func() []Entry {
		a := Entry{Name: "a", Command: []string{os.Args[0]}, Environment: ucitest.As("", 0), Memory: 124 << 20}
		b := a
		b.Name = "b"
		return []Entry{a, b}
	}
	blocks := int64(16)
	if suite.Few() {
		blocks = 8
	}
	free := opened(t, toy()...)
	_, want := digests(t, 2, series(t, free, rules, "a", "b(Sense=50)", blocks))
	s := opened(t, toy()...)
	if err := s.SetMemory(500 << 20); err != nil {
		t.Fatal(err)
	}
	m := series(t, s, rules, "a", "b(Sense=50)", blocks)
	var most atomic.Int64
	stop, stopped := make(chan bool), make(chan bool)
	go func() {
		for {
			select {
			case <-stop:
				close(stopped)
				return
			case <-time.After(time.Millisecond):
				if s.pool.keeper != nil {
					most.Store(max(most.Load(), s.pool.keeper.Allowed()))
				}
			}
		}
	}()
	_, got := digests(t, 8, m)
	close(stop)
	<-stopped
	if !slices.Equal(got, want) {
		t.Error("games differ with a bound on memory")
	}
	if n := most.Load(); n > 500<<20 || n < 2*124<<20 {
		t.Errorf("processes might hold %d MB, allowed are 500", n>>20)
	}
	if err := s.SetMemory(200 << 20); err == nil || !strings.Contains(err.Error(), "a game takes two processes") {
		t.Errorf("too little for a game: %v", err)
	}
}

// An engine that holds more memory than it may is killed, and has crashed.
func TestEngineTakesTooMuchMemory(t *testing.T) {
	s := opened(t, Entry{Name: "greedy", Command: []string{os.Args[0]}, Environment: ucitest.As("eats memory", 2), Memory: 256 << 20})
	s.Unkept = true
	m := series(t, s, param.Values{{Name: "limit", Text: "nodes:1"}}, "greedy", "random", 1)
	var said []string
	m.Watch = func(int64, int) func(any) {
		return func(e any) {
			if ended, ok := e.(chess.Ended); ok {
				said = append(said, ended.Said)
			}
		}
	}
	tally, _ := digests(t, 1, m)
	if tally.Entrants[0].Faults != 2 || !strings.Contains(strings.Join(said, "\n"), "and may use 256") {
		t.Errorf("%d faults: %q", tally.Entrants[0].Faults, said)
	}
}

//go:build linux

package external

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"sakusen/engines/external/ucitest"
	"sakusen/engines/param"
	"sakusen/engines/suite"
)

// counted is the metric under which each fault in a move is counted.
var counted = map[string]string{
	"exits": "crashes", "panics": "crashes", "is killed": "crashes", "closes its output": "crashes", "leaves a child": "crashes",
	"illegal move": "illegal", "null move": "garbled", "garbage": "garbled", "long line": "garbled",
	"stops only when told": "stalls", "deaf": "stalls", "floods": "stalls",
}

// children returns the processes that this one has started, zombies included.
func children(t *testing.T) (pids []string) {
	t.Helper()
	all, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range all {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // gone
		}
		_, after, _ := strings.Cut(string(text), ") ")
		if f := strings.Fields(after); len(f) > 1 && f[1] == strconv.Itoa(os.Getpid()) {
			pids = append(pids, filepath.Base(filepath.Dir(file)))
		}
	}
	return pids
}

// descriptors returns how many files this process has open.
func descriptors(t *testing.T) int {
	t.Helper()
	open, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(open)
}

// Faults of twelve kinds lose the games in which they are made, each counted as what
// it is; games beside them are the same as without; no process, zombie or
// descriptor is left. SAKUSEN_ENGINE_FAULTS=1000 makes so many faults.
func TestFaultsOfAllKinds(t *testing.T) {
	want := 24
	if n, err := strconv.Atoi(os.Getenv("SAKUSEN_ENGINE_FAULTS")); err == nil {
		want = n
	}
	blocks := int64((want + 2*len(counted) - 1) / (2 * len(counted)))
	rules := param.Values{{Name: "limit", Text: "nodes:1"}, {Name: "most_plies", Text: "60"}}
	toy := func(name, fault string, every int) Entry {
		e := Entry{Name: name, Command: []string{os.Args[0]}, Environment: ucitest.As(fault, every)}
		if counted[fault] == "stalls" { // what else is late is so because the machine is busy
			e.Deadlines = Deadlines{Start: 20 * time.Second, Ready: 20 * time.Second, Move: 250 * time.Millisecond, Stop: 250 * time.Millisecond}
		}
		return e
	}
	sound := toy("sound", "", 0)
	before, files := children(t), descriptors(t)
	alone, err := Open([]Entry{sound})
	if err != nil {
		t.Fatal(err)
	}
	alone.Unkept = true
	_, undisturbed := digests(t, 1, series(t, alone, rules, "sound", "sound(Sense=50)", 4))
	alone.Close()
	made := int64(0)
	for fault, metric := range counted {
		if suite.Few() && want == 24 && !slices.Contains([]string{"exits", "is killed", "illegal move", "long line", "deaf"}, fault) {
			continue
		}
		s, err := Open([]Entry{sound, toy("bad", fault, 4)})
		if err != nil {
			t.Fatal(err)
		}
		s.Unkept = true
		beside := make(chan []uint64)
		go func() {
			_, all := digests(t, 1, series(t, s, rules, "sound", "sound(Sense=50)", 4))
			beside <- all
		}()
		m := series(t, s, rules, "bad", "sound", blocks)
		tally, _ := digests(t, 2, m)
		x, err := m.Ruleset.Metric(metric)
		if err != nil {
			t.Fatal(err)
		}
		n := tally.Entrants[0].Sums[m.Ruleset.Component(x.Of)]
		if tally.Entrants[0].Faults != n || n != tally.Games || tally.Entrants[1].Faults != 0 {
			t.Errorf("%s: of %d games %d are lost by a fault, %d by %s; %d faults of the other", fault, tally.Games, tally.Entrants[0].Faults, n, metric, tally.Entrants[1].Faults)
		}
		made += n
		if got := <-beside; !slices.Equal(got, undisturbed) {
			t.Errorf("%s: games beside it differ from those without", fault)
		}
		s.Close()
	}
	for end := suite.Deadline(t); ; time.Sleep(20 * time.Millisecond) {
		left, open := children(t), descriptors(t)
		if len(left) <= len(before) && open <= files+2 {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("left: processes %v (before: %v), %d descriptors (before: %d)", left, before, open, files)
		}
	}
	t.Logf("%d faults of %d kinds", made, len(counted))
}

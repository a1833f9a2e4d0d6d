//go:build unix

package external

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"sakusen/engines/chess"
	"sakusen/engines/external/ucitest"
	"sakusen/engines/lines"
	"sakusen/engines/suite"
)

// found returns what conformance found of an engine: a letter for each check, capital
// where it passed.
func found(t *testing.T, e Entry) (passed map[string]bool, said string) {
	t.Helper()
	s := opened(t, e)
	passed = map[string]bool{}
	if err := s.Conform(t.Context(), e.Name, func(c Check) {
		passed[c.Name] = c.Passed
		if !c.Passed {
			said += c.Name + ": " + c.Said + "\n"
		}
	}); err != nil {
		t.Fatal(err)
	}
	if s.pool.keeper != nil && running(s) > 1 { // the one that shook hands waits
		t.Errorf("%d processes are left", running(s))
	}
	return passed, said
}

// Conformance finds what engines do wrong.
func TestConform(t *testing.T) {
	toy := func(fault string, every int) Entry {
		var wait Deadlines // short alone where it is the program that is late, and not the machine
		const soon = 300 * time.Millisecond
		switch fault {
		case "deaf at uci":
			wait.Start = soon
		case "deaf at isready":
			wait.Ready = soon
		case "deaf", "stops only when told", "floods":
			wait.Move, wait.Stop = soon, soon
		}
		return Entry{Name: "toy", Command: []string{os.Args[0]}, Environment: ucitest.As(fault, every), Deadlines: wait}
	}
	if passed, said := found(t, toy("", 0)); said != "" || len(passed) != 13 {
		t.Errorf("a sound engine: %v %s", passed, said)
	}
	for _, c := range []struct {
		fault string
		every int
		check string
		want  string
	}{
		{"deaf at uci", 0, "handshake", "stall"}, {"deaf at isready", 0, "handshake", "stall"}, {"dies at once", 0, "handshake", "exit status 3"},
		{"null move", 1, "go nodes 1000", "at the start it answered"}, {"deaf at uci", 0, "handshake", `no "uciok" in time, but no line at all`},
		{"lies in its options", 0, "options", "a default between min and max"},
		{"stops only when told", 1, "go nodes 1000", "answered only to stop"}, {"deaf", 1, "stop", "stall"},
		{"null move", 20, "plays", "no legal move"}, {"illegal move", 20, "plays", "a1h8"}, {"is killed", 20, "plays", "signal: killed"},
		{"long line", 20, "plays", "a line of more than"}, {"floods", 20, "plays", "stall"}, {"leaves a child", 20, "plays", "crash"},
		{"garbage", 20, "plays", "no legal move"}, {"panics", 20, "plays", "crash"},
	} {
		if suite.Few() && c.every == 20 && c.fault != "null move" {
			continue
		}
		passed, said := found(t, toy(c.fault, c.every))
		if passed[c.check] || !strings.Contains(said, c.want) {
			t.Errorf("%s: expected %s to fail with %s: %v %s", c.fault, c.check, c.want, passed, said)
		}
	}
	if passed, said := found(t, fake("by-chance", "by chance")); passed["same by nodes"] || !strings.Contains(said, "does not play the same twice") {
		t.Errorf("by chance: %v %s", passed, said)
	}
}

// Whether an engine takes options after its first search is tried, where it does not have a process for every game.
func TestConformanceTriesChangedOptions(t *testing.T) {
	fresh := fake("fresh", "deaf")
	fresh.Fresh = true
	for want, e := range map[string]Entry{
		"takes no options after its first search":                                fake("deaf", "deaf"),
		"it takes after its first game the 1 options of 1 that change something": fake("takes", ""),
		"not tried": fresh, "not known: it plays by chance": fake("by-chance", "by chance"),
	} {
		if suite.Few() && (e.Fresh || e.Name == "by-chance") {
			continue
		}
		s := opened(t, e)
		if err := s.Conform(t.Context(), e.Name, func(c Check) {
			if c.Name == "changed options" && (!strings.Contains(c.Said, want) || c.Passed == (e.Name == "deaf") || c.Needed) {
				t.Errorf("%s: %+v", e.Name, c)
			} else if c.Name == "plays" && !c.Passed {
				t.Errorf("%s: %+v", e.Name, c)
			}
		}); err != nil {
			t.Error(err)
		}
	}
}

// Debian's Toga II and gnuchess ignore go nodes, and play by depth.
func TestDebianEnginesConform(t *testing.T) {
	suite.All(t)
	for name, obeys := range map[string]bool{"toga2": false, "glaurung": true} {
		path, err := exec.LookPath("/usr/games/" + name)
		if err != nil {
			t.Skipf("Debian's package %s is not installed", name)
		}
		passed, said := found(t, Entry{Name: name, Command: []string{path}})
		if passed["go nodes 1000"] != obeys || !passed["moves by depth"] || !passed["same by depth"] || !passed["plays"] || !passed["stop"] {
			t.Errorf("%s: %v %s", name, passed, said)
		}
	}
}

// What another machine compares is the same for the same program and settings in another
// folder, differs in each way in which it may be run otherwise, and is refused where no game
// can be played again.
func TestProgram(t *testing.T) {
	of := func(change func(*Entry)) (identity, way string) {
		e := Entry{Name: "toy", Command: []string{os.Args[0], "weights"}, Directory: t.TempDir(), Environment: ucitest.As("", 0)}
		if err := os.WriteFile(filepath.Join(e.Directory, "weights"), []byte("1"), 0o644); err != nil {
			t.Fatal(err)
		}
		change(&e)
		s, err := Open([]Entry{e})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		p, err := s.Program("toy")
		if err != nil {
			return "", err.Error()
		}
		return p.Identity, p.Way
	}
	identity, way := of(func(*Entry) {})
	if identity == "" || way == "" {
		t.Fatalf("%q %q", identity, way)
	}
	for name, c := range map[string]struct {
		change func(*Entry)
		same   [2]bool
	}{
		"nothing":   {func(*Entry) {}, [2]bool{true, true}},
		"weights":   {func(e *Entry) { os.WriteFile(filepath.Join(e.Directory, "weights"), []byte("2"), 0o644) }, [2]bool{false, true}},
		"option":    {func(e *Entry) { e.Options = []Setting{{Name: "Sense", Value: "3"}} }, [2]bool{false, true}},
		"fresh":     {func(e *Entry) { e.Fresh = true }, [2]bool{false, false}},
		"memory":    {func(e *Entry) { e.Memory = 1 << 32 }, [2]bool{true, false}},
		"recorded":  {func(e *Entry) { e.Recorded = true }, [2]bool{true, false}}, // by a clock it plays elsewhere too
		"deadlines": {func(e *Entry) { e.Deadlines.Move = time.Hour }, [2]bool{true, false}},
	} {
		i, w := of(c.change)
		if got := [2]bool{i == identity, w == way}; got != c.same || i == "" {
			t.Errorf("%s: identity and way are the same: %v, expected %v (%s)", name, got, c.same, w)
		}
	}
	for name, change := range map[string]func(*Entry){"missing": func(e *Entry) { e.Command[0] = "/no/such/program" }} {
		if i, why := of(change); i != "" || why == "" {
			t.Errorf("%s: %s", name, i)
		}
	}
}

// Conformance ends with its context, in the middle of a check: nothing more is told, and no
// process is left.
func TestConformInterrupted(t *testing.T) {
	for _, after := range []string{"handshake", "go depth 2", "moves by nodes"} {
		s := opened(t, Entry{Name: "toy", Command: []string{os.Args[0]}, Environment: ucitest.As("", 0)})
		ctx, end := context.WithCancel(t.Context())
		var told []string
		var waited []string
		s.Trying = func(what string, _, _ int) { waited = append(waited, what) }
		err := s.Conform(ctx, "toy", func(c Check) {
			if told = append(told, c.Name); c.Name == after {
				end()
			}
		})
		if !errors.Is(err, context.Canceled) || told[len(told)-1] != after {
			t.Errorf("after %s: %v, told of %q", after, err, told)
		}
		if !slices.Contains(waited, "the check "+after) {
			t.Errorf("nothing is said of the check %s while it lasts: %q", after, waited)
		}
		s.Close()
		if n := running(s); n > 0 {
			t.Errorf("after %s: %d processes are left", after, n)
		}
	}
}

// madeBook returns a book of the tests' engine, whose score is the material.
func madeBook(t *testing.T, change func(*Book)) (string, error) {
	t.Helper()
	s, err := Open([]Entry{{Name: "toy", Command: []string{os.Args[0]}, Environment: ucitest.As("", 0)}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	o := Book{Engine: "toy", Count: 30, Plies: 8, Low: 90, High: 110, Limit: chess.Limit{Nodes: 1}, Seed: 5, Workers: 1}
	change(&o)
	var b strings.Builder
	err = o.Write(context.Background(), &b, s)
	return b.String(), err
}

// A book is the same for any number of workers, another with another seed, and can be
// read; its positions differ, and one side is ahead as asked for.
func TestBook(t *testing.T) {
	one, err := madeBook(t, func(*Book) {})
	if err != nil {
		t.Fatal(err)
	}
	if three, err := madeBook(t, func(o *Book) { o.Workers = 3 }); err != nil || three != one {
		t.Errorf("with three workers: %v\n%s\n%s", err, three, one)
	}
	if other, err := madeBook(t, func(o *Book) { o.Seed = 6 }); err != nil || other == one {
		t.Errorf("with another seed: %v", err)
	}
	left := &lines.LeftOut{}
	book := chess.ParseBook(one, left)
	if left.Count() > 0 || len(book) != 30 {
		t.Fatalf("%d, %v", len(book), left.Err())
	}
	for line := range strings.Lines(one) {
		if !strings.HasSuffix(line, " ce 100;\n") && !strings.HasSuffix(line, " ce -100;\n") {
			t.Errorf("%q", line)
		}
	}
}

// What cannot be made says how many there are.
func TestTooFew(t *testing.T) {
	for want, change := range map[string]func(*Book){
		"fit, expected 2": func(o *Book) { o.Count, o.Low, o.High, o.Plies = 2, 5000, 5001, 1 },
		"--count":         func(o *Book) { o.Count = 0 },
		"--eval":          func(o *Book) { o.Low = 200 },
		"--limit":         func(o *Book) { o.Limit = chess.Limit{MoveTime: 5} },
	} {
		if _, err := madeBook(t, change); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}

//go:build unix

package registry

import (
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"sakusen/engines/external/uci"
	"sakusen/engines/external/uci/ucitest"
	"sakusen/engines/suite"
)

// found is what conformance found of an engine: a letter for each check, capital
// where it passed.
func found(t *testing.T, e Entry) (passed map[string]bool, said string) {
	t.Helper()
	s := opened(t, e)
	passed = map[string]bool{}
	if err := s.Conform(e.Name, func(c Check) {
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
		return Entry{Name: "toy", Command: []string{os.Args[0]}, Environment: ucitest.As(fault, every),
			Deadlines: uci.Deadlines{Start: 300 * time.Millisecond, Ready: 300 * time.Millisecond, Move: 300 * time.Millisecond, Stop: 300 * time.Millisecond}}
	}
	sound := toy("", 0)
	sound.Deadlines = uci.Deadlines{}
	if passed, said := found(t, sound); said != "" || len(passed) != 10 {
		t.Errorf("a sound engine: %v %s", passed, said)
	}
	for _, c := range []struct {
		fault string
		every int
		check string
		want  string
	}{
		{"deaf at uci", 0, "handshake", "stall"}, {"deaf at isready", 0, "handshake", "stall"}, {"dies at once", 0, "handshake", "exit status 3"},
		{"lies in its options", 0, "handshake", "a default between min and max"},
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

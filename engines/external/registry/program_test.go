//go:build unix

package registry

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"sakusen/engines/external/uci"
	"sakusen/engines/external/uci/ucitest"
)

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
		"option":    {func(e *Entry) { e.Options = []uci.Setting{{Name: "Sense", Value: "3"}} }, [2]bool{false, true}},
		"fresh":     {func(e *Entry) { e.Fresh = true }, [2]bool{true, false}},
		"memory":    {func(e *Entry) { e.Memory = 1 << 32 }, [2]bool{true, false}},
		"deadlines": {func(e *Entry) { e.Deadlines.Move = time.Hour }, [2]bool{true, false}},
	} {
		i, w := of(c.change)
		if got := [2]bool{i == identity, w == way}; got != c.same || i == "" {
			t.Errorf("%s: identity and way are the same: %v, expected %v (%s)", name, got, c.same, w)
		}
	}
	for name, change := range map[string]func(*Entry){"recorded": func(e *Entry) { e.Recorded = true }, "missing": func(e *Entry) { e.Command[0] = "/no/such/program" }} {
		if i, why := of(change); i != "" || why == "" {
			t.Errorf("%s: %s", name, i)
		}
	}
}

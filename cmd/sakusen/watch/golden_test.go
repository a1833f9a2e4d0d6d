package watch

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sakusen/engines/arena"
)

var update = flag.Bool("update", false, "rewrite the golden files of this package's tests")

// golden holds a drawing to testdata/name.svg, in which every element has a
// line.
func golden(t *testing.T, name, svg string) {
	t.Helper()
	path := filepath.Join("testdata", name+".svg")
	got := strings.ReplaceAll(svg, "><", ">\n<") + "\n"
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got == string(want) {
		return
	}
	a, b := strings.Split(got, "\n"), strings.Split(string(want), "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			t.Errorf("%s, line %d (rewrite it with -update and read the diff): got\n%s\nwant\n%s", path, i+1, a[i], b[i])
			return
		}
	}
	t.Errorf("%s (rewrite it with -update and read the diff): %d lines, want %d", path, len(a), len(b))
}

// shown draws events with the drawer of a game.
func shown(t *testing.T, open func(*arena.Ruleset, []string, Emit) (Drawer, error), rs *arena.Ruleset, names []string, events ...any) []Frame {
	t.Helper()
	var frames []Frame
	d, err := open(rs, names, func(f Frame) error {
		frames = append(frames, f)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range events {
		if err := d.See(e); err != nil {
			t.Fatal(err)
		}
	}
	return frames
}

package main

import (
	"slices"
	"strings"
	"testing"
)

// refusals says what no change of the lattice may ever allow. "a never b": no
// package in folder a has a package in folder b among what it needs, directly or
// through others. "b only a c": nothing outside of the folders a
// and c imports b.
const refusals = `
	cmd/sakusen-bench never tuner/store
	cmd/sakusen-bench never engines/arena
	tuner/service never strategies
	tuner/web never strategies
	tuner/serve/client never strategies
	tuner/service never tuner/web
	tuner/serve/client never =tuner/web
	tuner/web only cmd studies/papers tuner/serve
	tuner/serve only cmd tuner/serve
	tuner/store/sqlitedb/disktest only cmd/sakusen/clitest
`

// within reports whether a package stands in a folder or below it; of a folder with = before it, only in it.
func within(pkg, folder string) bool {
	if one, alone := strings.CutPrefix(folder, "="); alone {
		return pkg == one
	}
	return pkg == folder || strings.HasPrefix(pkg, folder+"/")
}

// TestRefusals holds the module to the refusals; tests may import everything.
func TestRefusals(t *testing.T) {
	imports := map[string][]string{}
	for _, s := range moduleFiles(t) {
		if s.test {
			continue
		}
		for _, path := range s.imports {
			if to, ours := strings.CutPrefix(path, "sakusen/"); ours && !slices.Contains(imports[s.folder], to) {
				imports[s.folder] = append(imports[s.folder], to)
			}
		}
	}
	for line := range strings.Lines(strings.TrimSpace(refusals)) {
		f := strings.Fields(line)
		if len(f) < 3 || f[1] != "only" && (f[1] != "never" || len(f) > 3) {
			t.Fatalf("refusals: expected \"folder never folder\" or \"folder only folder\", got %q", line)
		}
		for from := range imports {
			switch {
			case f[1] == "never" && within(from, f[0]):
				if way := wayTo(imports, from, f[2]); way != nil {
					t.Errorf("%s must never need %s: %s", f[0], f[2], strings.Join(way, " imports "))
				}
			case f[1] == "only" && !within(from, f[0]) && !slices.ContainsFunc(f[2:], func(folder string) bool { return within(from, folder) }):
				for _, to := range imports[from] {
					if within(to, f[0]) {
						t.Errorf("%s imports %s, which only %s may", from, to, strings.Join(f[2:], " and "))
					}
				}
			}
		}
	}
}

// wayTo returns a way along imports from a package into a folder, nil where there is
// none.
func wayTo(imports map[string][]string, from, folder string) []string {
	before := map[string]string{from: ""}
	for queue := []string{from}; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		if within(at, folder) && at != from {
			way := []string{}
			for ; at != ""; at = before[at] {
				way = append([]string{at}, way...)
			}
			return way
		}
		for _, to := range imports[at] {
			if _, seen := before[to]; !seen {
				before[to] = at
				queue = append(queue, to)
			}
		}
	}
	return nil
}

// A way is found through others, and none where there is none.
func TestWayTo(t *testing.T) {
	imports := map[string][]string{"a": {"b"}, "b": {"c", "d/e"}, "c": {"a"}}
	if way := wayTo(imports, "a", "d"); !slices.Equal(way, []string{"a", "b", "d/e"}) {
		t.Errorf("the way is %v", way)
	}
	if way := wayTo(imports, "c", "x"); way != nil {
		t.Errorf("there is a way: %v", way)
	}
}

package filmtest

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden files of this package's tests")

// Golden holds a drawing to the file name.svg of the testdata folder, in which every element has a
// line.
func Golden(t *testing.T, name, svg string) {
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

// Package witness holds studies of every kind with all that they decided, as golden
// text: what is asked for, what is told, and what comes out. A change of the program
// that is not meant to change a search leaves these texts as they are. They have no
// digests, hashes or seeds, and nothing of the games of a validation but its verdict.
package witness_test

import (
	"errors"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden decisions anew")

// Every study comes to the decisions that it came to before.
func TestDecisions(t *testing.T) {
	files, err := filepath.Glob("testdata/*.yaml")
	if err != nil || len(files) < 12 {
		t.Fatalf("%d studies: %v", len(files), err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".yaml")
		t.Run(name, func(t *testing.T) {
			record, r := play(t, name)
			got, golden := decisions(t, record.Log(), r), filepath.Join("testdata", name+".txt")
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				t.Fatal(err)
			}
			if got == string(want) {
				return
			}
			now, before := strings.Split(got, "\n"), strings.Split(string(want), "\n")
			for i := range now {
				if i >= len(before) || now[i] != before[i] {
					t.Fatalf("%s, line %d: got %q, want %q", golden, i+1, now[i], before[min(i, len(before)-1)])
				}
			}
			t.Fatalf("%s: lines are missing after line %d", golden, len(now))
		})
	}
}

package wide

import (
	"bytes"
	"flag"
	"os"
	"testing"
)

var update = flag.Bool("update", false, "copy the files from package narrow")

const header = "// Code generated from package narrow. DO NOT EDIT.\n\n"

// copyOf is a file of package narrow under this package's clause.
func copyOf(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile("../narrow/" + name)
	if err != nil {
		t.Fatal(err)
	}
	_, body, ok := bytes.Cut(data, []byte("package narrow\n"))
	if !ok {
		t.Fatalf("%s: no package clause", name)
	}
	return append([]byte(header+"package wide\n"), body...)
}

// TestCopies fails where go generate has not been run.
func TestCopies(t *testing.T) {
	for _, name := range []string{"board.go", "expand.go", "layout.go", "pick.go", "playout.go", "sketch.go"} {
		want := copyOf(t, name)
		if *update {
			if err := os.WriteFile(name, want, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		got, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is stale: run go generate ./engines/tubstap/wide", name)
		}
	}
}

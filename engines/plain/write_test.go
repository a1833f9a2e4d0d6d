package plain

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// A file that cannot be written to its end leaves the old one, and nothing beside
// it.
func TestWrite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.txt")
	if err := WriteText(path, []byte("old")); err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	err := WriteFile(path, func(w io.Writer) error {
		io.WriteString(w, "new")
		return broken
	})
	if !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != "old" {
		t.Errorf("%q, %v", text, err)
	}
	if files, err := os.ReadDir(filepath.Dir(path)); err != nil || len(files) != 1 {
		t.Errorf("%v, %v", files, err)
	}
	if err := WriteText(path, []byte("new")); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != "new" {
		t.Errorf("%q, %v", text, err)
	}
}

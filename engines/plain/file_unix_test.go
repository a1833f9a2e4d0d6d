//go:build unix

package plain

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// Only regular files of at most so many bytes are read, by links too, and nothing else is
// waited for.
func TestReadFile(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	write := func(name string, size int64) {
		if err := os.WriteFile(at(name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(at(name), size); err != nil {
			t.Fatal(err)
		}
	}
	write("empty", 0)
	write("some", 10)
	write("large", 11)
	write("sparse", 1<<40)
	if err := syscall.Mkfifo(at("pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(at("folder"), 0o700); err != nil {
		t.Fatal(err)
	}
	for link, to := range map[string]string{"link": "some", "to pipe": "pipe", "to folder": "folder", "to zero": "/dev/zero", "to sparse": "sparse", "loop": "loop", "nowhere": "none", "far link": "link"} {
		if err := os.Symlink(to, at(link)); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{
		"empty": "", "some": "", "link": "", "far link": "",
		"large": "at most 10 bytes", "sparse": "at most 10 bytes", "to sparse": "at most 10 bytes",
		"pipe": "got a pipe", "to pipe": "got a pipe", "folder": "got a folder", "to folder": "got a folder", ".": "got a folder",
		"/dev/zero": "got a device", "/dev/null": "got a device", "to zero": "got a device", "/dev/urandom": "got a device",
		"loop": "symbolic links", "nowhere": "no such file", "none": "no such file", "some/x": "not a directory", "a\x00b": "invalid argument", strings.Repeat("x", 300): "too long",
	} {
		path := name
		if !strings.HasPrefix(name, "/") {
			path = at(name)
		}
		text, err := ReadFile(path, 10)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%.40q: %d bytes, %v, expected %q", name, len(text), err, want)
		}
	}
}

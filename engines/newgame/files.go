package newgame

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

// writeAll writes files by their paths in a folder and returns the paths, sorted. If one of
// them exists, nothing is written.
func writeAll(folder string, files map[string]string) ([]string, error) {
	paths := slices.Sorted(maps.Keys(files))
	for _, name := range paths {
		path := filepath.Join(folder, filepath.FromSlash(name))
		if _, err := os.Lstat(path); err == nil {
			return nil, fmt.Errorf("%s exists: expected a name that no game of this folder has", path)
		}
	}
	for _, name := range paths {
		path := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return nil, err
		}
		if err := os.WriteFile(path, []byte(files[name]), 0o644); err != nil {
			return nil, err
		}
	}
	return paths, nil
}

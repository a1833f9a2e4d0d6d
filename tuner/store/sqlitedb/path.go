package sqlitedb

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// resolve makes path absolute and follows symbolic links, so that one file
// has one lock under whatever name it is opened.
func resolve(path string) (string, error) {
	if path == "" {
		return "", errors.New("database: expected a path, got an empty one")
	}
	whole, err := filepath.Abs(path)
	if err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	if real, err := filepath.EvalSymlinks(whole); err == nil {
		return real, nil
	}
	if dir, err := filepath.EvalSymlinks(filepath.Dir(whole)); err == nil {
		return filepath.Join(dir, filepath.Base(whole)), nil
	}
	return whole, nil
}

// missingError says that there is no database file; it is an [fs.ErrNotExist].
type missingError struct{ path string }

func (e *missingError) Error() string {
	return e.path + ": there is no database yet: sakusen tune makes one, and --db names another"
}

func (e *missingError) Unwrap() error { return fs.ErrNotExist }

func regular(path string) error {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return &missingError{path}
	}
	if err != nil {
		return fmt.Errorf("database: %w", err)
	}
	if !info.Mode().IsRegular() {
		return &ForeignError{Path: path, Reason: "not a regular file"}
	}
	return nil
}

// readable opens a file, and says why it cannot be read. Of SQLite's own error only
// the text says so.
func readable(path string) (*os.File, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("database: %w", err)
	}
	return file, nil
}

// writable checks, without creating or changing anything, that the file can
// be written if it is there.
func writable(path string) (exists bool, err error) {
	if err := regular(path); errors.Is(err, fs.ErrNotExist) {
		return false, nil
	} else if err != nil {
		return false, err
	}
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return false, &ReadOnlyError{Path: path, What: path, Cause: err}
	}
	return true, file.Close()
}

package sqlitedb

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"
)

// fileLock is the writer's lock on PATH.lock.
type fileLock struct {
	file *os.File
	path string
	info os.FileInfo
}

// lockPath returns the name of the lock file of a database.
func lockPath(path string) string { return path + ".lock" }

// acquire takes the lock of the database at path without waiting. The lock file is removed
// on release. So after locking, the name must still lead to the locked file: otherwise the
// last holder has removed it, and another process may be locking its successor.
func acquire(path, address string) (*fileLock, error) {
	name := lockPath(path)
	for {
		file, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o644)
		if err != nil {
			return nil, &ReadOnlyError{Path: path, What: name, Cause: err}
		}
		if err := tryLock(file); err != nil {
			file.Close()
			if errors.Is(err, errLockHeld) {
				return nil, holder(path)
			}
			return nil, fmt.Errorf("%s: lock: %w", name, err)
		}
		mine, err := file.Stat()
		if err != nil {
			file.Close()
			return nil, fmt.Errorf("%s: lock: %w", name, err)
		}
		if there, err := os.Stat(name); err != nil || !os.SameFile(mine, there) {
			file.Close()
			continue
		}
		lock := &fileLock{file: file, path: name, info: mine}
		if err := lock.describe(address); err != nil {
			lock.release()
			return nil, err
		}
		return lock, nil
	}
}

// describe writes who holds the lock.
func (l *fileLock) describe(address string) error {
	text := fmt.Sprintf("pid %d\naddress %s\n", os.Getpid(), address)
	if err := l.file.Truncate(0); err != nil {
		return fmt.Errorf("%s: %w", l.path, err)
	}
	if _, err := l.file.WriteAt([]byte(text), 0); err != nil {
		return fmt.Errorf("%s: %w", l.path, err)
	}
	return nil
}

// release removes the lock file while it is still locked, and then unlocks it. A file that
// another process has put in its place stays.
func (l *fileLock) release() error {
	if stillAt(l.info, l.path) != "" {
		return l.file.Close()
	}
	return removeLocked(l.file, l.path)
}

// holder reads who has the lock; what cannot be read stays unknown.
func holder(path string) *LockedError {
	held := &LockedError{Path: path}
	file, err := os.Open(lockPath(path))
	if err != nil {
		return held
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, 4096))
	if err != nil {
		return held
	}
	for line := range strings.Lines(string(text)) {
		key, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		switch key {
		case "pid":
			held.PID, _ = strconv.Atoi(value)
		case "address":
			held.Address = value
		}
	}
	return held
}

// Writer reports which process writes the database at path, if one does. It
// touches no lock: a file left by a killed process is told by that process
// being gone.
func Writer(path string) (*LockedError, bool) {
	path, err := resolve(path)
	if err != nil {
		return nil, false
	}
	held := holder(path)
	if held.PID == 0 || !alive(held.PID) {
		return nil, false
	}
	return held, true
}

// lockFileItself locks a database file on Linux, where a flock and the POSIX locks that SQLite
// takes on the same file know nothing of each other. On other systems locks of the one kind
// keep out those of the other, so SQLite could not take its own: there the lock beside the
// database, and the looks at both files, have to do.
func lockFileItself(file *os.File) error {
	if runtime.GOOS != "linux" {
		return nil
	}
	return tryLock(file)
}

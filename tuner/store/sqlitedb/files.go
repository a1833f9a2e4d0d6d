package sqlitedb

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
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
func holder(path string) *LockedError { return holderIn(lockPath(path), path) }

func holderIn(lock, path string) *LockedError {
	held := &LockedError{Path: path}
	file, err := os.Open(lock)
	if err != nil {
		return held
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, 4096))
	info, bad := file.Stat()
	if err != nil || bad != nil {
		return held
	}
	held.Since = info.ModTime()
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

// removedHolder reads who holds a database whose lock file was removed and which this process has
// just made anew: that process still has the removed file open, where the system shows it.
func removedHolder(path string) *LockedError {
	open, _ := filepath.Glob("/proc/[0-9]*/fd/*")
	for _, fd := range open {
		if to, err := os.Readlink(fd); err != nil || to != lockPath(path)+" (deleted)" {
			continue
		}
		if held := holderIn(fd, path); held.PID != 0 && alive(held.PID) {
			return held
		}
	}
	held := holder(path)
	if held.PID == os.Getpid() {
		return &LockedError{Path: path}
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

// LostError says that what this process writes no longer reaches the database
// under its name, or may not have reached the disk: the file or the files beside
// it were removed, moved or replaced, or a sync failed. Nothing is acknowledged
// after it.
type LostError struct {
	Path  string // the database
	What  string
	Cause error // may be nil
}

func (e *LostError) Error() string {
	return fmt.Sprintf("%s: %s; nothing more is written: end this process, put the right file in place and start again", e.Path, e.What)
}

func (e *LostError) Unwrap() error { return e.Cause }

// files are the database file and those beside it, and what became of them.
type files struct {
	path  string // absolute, symbolic links resolved
	lock  *fileLock
	held  *heldFile
	lost  atomic.Pointer[LostError]   // why nothing is written any more
	log   atomic.Pointer[os.FileInfo] // the write-ahead log
	still os.FileInfo                 // the file as it was when it was opened as immutable, or nil
}

// Path returns the file's absolute path, symbolic links resolved.
func (f *files) Path() string { return f.path }

// Sound returns an error that says why nothing may be written any more, as a [*LostError];
// nil while the names of the database, its lock and its write-ahead log lead to the files
// that this process has open. It looks at every call; what was lost once stays lost. On a
// handle for reading it is nil.
func (f *files) Sound() error {
	if f.lock == nil {
		return nil
	}
	if lost := f.lost.Load(); lost != nil {
		return lost
	}
	if what := f.moved(); what != "" {
		return f.lose(what, nil)
	}
	return nil
}

// watchEvery is the time between two checks of Watch.
const watchEvery = time.Second

// Watch looks once a second whether the database is still where it was, and
// returns a [*LostError] where it is not, or nil when ctx ends.
func (f *files) Watch(ctx context.Context) error {
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	for {
		if err := f.Sound(); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}

// changed returns an error that says that a file which was read as immutable was written
// while it was open, so that what was read may be of two states.
func (f *files) changed() error {
	if f.still == nil {
		return nil
	}
	now, err := os.Stat(f.path)
	if err == nil && now.Size() == f.still.Size() && now.ModTime().Equal(f.still.ModTime()) {
		return nil
	}
	return fmt.Errorf("%s: was written while it was read, without permission to write beside it: what was read may be of two states; run the command again", f.path)
}

// lose ends all writing; the first reason is kept.
func (f *files) lose(what string, cause error) error {
	f.lost.CompareAndSwap(nil, &LostError{Path: f.path, What: what, Cause: cause})
	return f.lost.Load()
}

// moved reports which file is no longer in place; empty if all are in place.
func (f *files) moved() string {
	if what := f.held.moved(); what != "" {
		return "the database file " + what
	}
	if what := stillAt(f.lock.info, f.lock.path); what != "" {
		return "the lock file " + f.lock.path + " " + what
	}
	if log := f.log.Load(); log != nil {
		if what := stillAt(*log, f.path+"-wal"); what != "" {
			return "the write-ahead log " + what + " while the database was open"
		}
	}
	return ""
}

// stillAt reports what happened to the file that was at path; empty if it is still there.
func stillAt(mine os.FileInfo, path string) string {
	there, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "was removed or moved away"
	case err != nil:
		return fmt.Sprintf("cannot be looked at: %v", err)
	case !os.SameFile(mine, there):
		return "was replaced by another file"
	}
	return ""
}

// noteLog remembers which file is the write-ahead log, once there is one.
func (f *files) noteLog() {
	if f.log.Load() != nil {
		return
	}
	if info, err := os.Stat(f.path + "-wal"); err == nil {
		f.log.Store(&info)
	}
}

// failedSync recognises a failed sync. After it what is on the disk is not known: a second
// sync may succeed without having written anything (Rebello et al., "Can Applications
// Recover from fsync Failures?", 2020). Any other error is returned as it is.
func (f *files) failedSync(err error) error {
	if !syncFailed(err) {
		return err
	}
	return f.lose("a sync of the file to the disk failed ("+err.Error()+"), so what was written may not be there", err)
}

// Damage returns an error that says that the database holds something else than what was
// written.
func (f *files) Damage(what string) error { return &DamagedError{Path: f.path, What: what} }

// heldFile is the database file itself, held open and locked by its writer. The lock on
// PATH.lock does not help if that file is removed, or if one database has two names; this
// lock does.
//
// The file must be opened before SQLite opens it and closed after it: closing a file gives
// up all POSIX locks that the process has on it, and those are SQLite's.
type heldFile struct {
	file *os.File
	path string
	info os.FileInfo
	made bool // by this Open
}

// holdFile opens and locks the database file, and creates it if it is not there, for this account
// alone: what a daemon's token keeps from others of the machine they do not read here. SQLite gives
// its own files the same mode.
func holdFile(path string) (*heldFile, error) {
	_, err := os.Lstat(path)
	h := &heldFile{path: path, made: errors.Is(err, os.ErrNotExist)}
	if h.file, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600); err != nil {
		return nil, &ReadOnlyError{Path: path, What: path, Cause: err}
	}
	if err := lockFileItself(h.file); err != nil {
		h.file.Close()
		if errors.Is(err, errLockHeld) {
			return nil, removedHolder(path)
		}
		return nil, fmt.Errorf("%s: lock: %w", path, err)
	}
	if h.info, err = h.file.Stat(); err != nil {
		h.file.Close()
		return nil, fmt.Errorf("%s: lock: %w", path, err)
	}
	if n := links(h.info); n > 1 {
		h.file.Close()
		return nil, &ForeignError{Path: path, Reason: fmt.Sprintf("the file has %d names (hard links): under each SQLite would keep another write-ahead log, "+
			"which destroys it; remove the other names or make a copy (sakusen db backup)", n)}
	}
	return h, nil
}

// moved reports what happened to the file; empty if it is still in place.
func (h *heldFile) moved() string {
	there, err := os.Stat(h.path)
	if err != nil || !os.SameFile(h.info, there) {
		return stillAt(h.info, h.path)
	}
	if n := links(there); n > 1 {
		return fmt.Sprintf("has %d names (hard links)", n)
	}
	return ""
}

// release lets go of the file, and removes it where this process made it and
// nothing was written to it.
func (h *heldFile) release() error {
	if info, err := h.file.Stat(); err == nil && h.made && info.Size() == 0 && h.moved() == "" {
		return errors.Join(os.Remove(h.path), h.file.Close())
	}
	return h.file.Close()
}

// unborn reports whether a file is what a power cut leaves of the first transaction of a
// database: its journal says that before it there was no page. SQLite rolls it back to
// nothing.
func unborn(path string) bool {
	file, err := os.Stat(path)
	head, _, journalErr := header(path + "-journal")
	// The magic number is at 0, the number of pages that the database had at 16
	// (sqlite.org, "Database File Format", 3).
	return err == nil && file.Size() <= largestPage && journalErr == nil && len(head) >= 20 &&
		bytes.HasPrefix(head, []byte("\xd9\xd5\x05\xf9\x20\xa1\x63\xd7")) && head[16]|head[17]|head[18]|head[19] == 0
}

// checkEmpty refuses an empty file beside which a journal has content: the file was a
// database, and SQLite would begin a new one in its place. A journal of a database without
// pages is left by a process killed at its first start, and is accepted.
func checkEmpty(path string) error {
	info, err := os.Stat(path)
	if err != nil || info.Size() > 0 {
		return nil
	}
	for _, name := range []string{path + "-wal", path + "-journal"} {
		head, size, err := header(name)
		if err != nil || size == 0 {
			continue
		}
		// The number of pages that the database had is at 16 (sqlite.org, "Database
		// File Format", 3).
		if name == path+"-journal" && len(head) >= 20 && head[16]|head[17]|head[18]|head[19] == 0 {
			continue
		}
		return &DamagedError{Path: path, What: fmt.Sprintf("it is empty, but %s beside it has %d bytes, so it has had content", name, size)}
	}
	return nil
}

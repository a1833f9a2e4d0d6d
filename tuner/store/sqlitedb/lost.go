package sqlitedb

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"
)

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

// watchEvery is the time between two looks of [DB.Watch].
const watchEvery = time.Second

// Watch looks once a second whether the database is still where it was, and
// returns a [*LostError] where it is not, or nil when ctx ends.
func (db *DB) Watch(ctx context.Context) error {
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	for {
		if err := db.Sound(); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}

// Sound says why nothing may be written any more, as a [*LostError]; nil while
// the names of the database, its lock and its write-ahead log lead to the files
// that this process has open. It looks at every call; what was lost once stays
// lost. On a handle for reading it is nil.
func (db *DB) Sound() error {
	if db.lock == nil {
		return nil
	}
	if lost := db.lost.Load(); lost != nil {
		return lost
	}
	if what := db.moved(); what != "" {
		return db.lose(what, nil)
	}
	return nil
}

// lose ends all writing; the first reason is kept.
func (db *DB) lose(what string, cause error) error {
	db.lost.CompareAndSwap(nil, &LostError{Path: db.path, What: what, Cause: cause})
	return db.lost.Load()
}

// moved says which file is no longer in place; empty if all are.
func (db *DB) moved() string {
	if what := db.held.moved(); what != "" {
		return "the database file " + what
	}
	if what := stillAt(db.lock.info, db.lock.path); what != "" {
		return "the lock file " + db.lock.path + " " + what
	}
	if log := db.log.Load(); log != nil {
		if what := stillAt(*log, db.path+"-wal"); what != "" {
			return "the write-ahead log " + what + " while the database was open"
		}
	}
	return ""
}

// stillAt says what happened to the file that was at path; empty if it is still there.
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
func (db *DB) noteLog() {
	if db.log.Load() != nil {
		return
	}
	if info, err := os.Stat(db.path + "-wal"); err == nil {
		db.log.Store(&info)
	}
}

package sqlitedb

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// errOthersFile is why a reader keeps no shared memory file beside a database.
var errOthersFile = errors.New("the database is another user's, who could not write this file")

// leavesFiles reports whether a reader of this process would leave a shared memory
// file and a write-ahead log beside the database that its owner cannot write: SQLite
// makes them where they are missing, also for who may not write the database, and
// only a writer removes them.
func leavesFiles(path string) bool {
	if mayWrite(path) {
		return false
	}
	_, err := os.Stat(path + "-shm")
	return errors.Is(err, fs.ErrNotExist)
}

// othersFile refuses to write where a file of SQLite's beside the database belongs to
// somebody else, and names it: SQLite itself says no more than that a database is
// read-only.
func othersFile(path string) error {
	for _, name := range []string{path + "-wal", path + "-shm"} {
		if _, err := os.Lstat(name); err != nil || mayWrite(name) {
			continue
		}
		todo := "let its owner make it writable for you"
		if log, err := os.Stat(path + "-wal"); err == nil && log.Size() == 0 {
			todo = fmt.Sprintf("another user has left it while reading; when nobody reads the database, remove %[1]s-shm and %[1]s-wal, which holds nothing", path)
		}
		return &ReadOnlyError{Path: path, What: name, Cause: fmt.Errorf("%w (%s)", os.ErrPermission, todo)}
	}
	return nil
}

// changed says that a file which was read as immutable was written meanwhile, so that
// what was read may be of two states.
func (db *DB) changed() error {
	if db.still == nil {
		return nil
	}
	now, err := os.Stat(db.path)
	if err == nil && now.Size() == db.still.Size() && now.ModTime().Equal(db.still.ModTime()) {
		return nil
	}
	return fmt.Errorf("%s: was written while it was read, without permission to write beside it: what was read may be of two states; run the command again", db.path)
}

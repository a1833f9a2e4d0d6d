package sqlitedb

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// rewriteLog writes the write-ahead log that another process has left over itself,
// byte for byte, and syncs it. Where a sync of it failed, what is read may not be on
// the disk, and no later sync would bring it there: the system takes it for
// written. What is then added to the log would be lost with it.
func (db *DB) rewriteLog() (err error) {
	name := db.path + "-wal"
	file, err := os.OpenFile(name, os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return &ReadOnlyError{Path: db.path, What: name, Cause: err}
	}
	defer func() {
		if closed := file.Close(); err == nil && closed != nil {
			err = fmt.Errorf("%s: %w", name, closed)
		}
	}()
	part, at := make([]byte, 1<<20), int64(0)
	for {
		n, err := file.ReadAt(part, at)
		if n > 0 {
			if _, err := file.WriteAt(part[:n], at); err != nil {
				return fmt.Errorf("%s: write the log over itself: %w", name, err)
			}
		}
		at += int64(n)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	if at == 0 {
		return nil
	}
	if err := file.Sync(); err != nil {
		return fmt.Errorf("%s: sync: %w", name, err)
	}
	db.point("log.rewritten")
	return nil
}

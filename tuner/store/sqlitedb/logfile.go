package sqlitedb

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"
)

// walHeaderSize is the size of the header of a write-ahead log, in bytes
// (sqlite.org, "WAL-mode File Format", 2.1).
const walHeaderSize = 32

// checkLog refuses a database whose write-ahead log has a damaged header. SQLite would
// treat the log as empty and silently lose the last changes. A header of zeros is what a
// power cut leaves of a log that was never synced.
func checkLog(path string) error {
	name := path + "-wal"
	for try := 0; ; try++ {
		head, size, err := header(name)
		if err != nil || size < walHeaderSize || goodLog(head[:walHeaderSize]) {
			return nil // absent or unreadable; SQLite's own error explains that better
		}
		if try == 3 {
			return &DamagedError{Path: name, What: "it is no write-ahead log of SQLite, so the last changes to the database cannot be read " +
				"(where there is no backup, moving this file away goes on with what was there before them)"}
		}
		time.Sleep(10 * time.Millisecond) // a writer may be at this header
	}
}

// goodLog checks the magic number and the checksum of a log's header.
func goodLog(head []byte) bool {
	if bytes.Equal(head, make([]byte, walHeaderSize)) {
		return true
	}
	sum := logSum{order: binary.LittleEndian}
	switch binary.BigEndian.Uint32(head) {
	case 0x377f0682:
	case 0x377f0683:
		sum.order = binary.BigEndian
	default:
		return false
	}
	sum.add(head[:24])
	return sum.a == binary.BigEndian.Uint32(head[24:]) && sum.b == binary.BigEndian.Uint32(head[28:])
}

// logSum is the running checksum of a log.
type logSum struct {
	order binary.ByteOrder
	a, b  uint32
}

// add goes on with bytes, a multiple of 8 of them.
func (s *logSum) add(text []byte) {
	for ; len(text) >= 8; text = text[8:] {
		s.a += s.order.Uint32(text) + s.b
		s.b += s.order.Uint32(text[4:]) + s.a
	}
}

// rewriteLog writes the write-ahead log that another process has left over itself,
// byte for byte, and syncs it. Where a sync of it failed, what is read may not be on
// the disk, and no later sync would bring it there: the system takes it for
// written. What is then added to the log would be lost with it. A transaction, which
// changes nothing, keeps other programs from writing to the log meanwhile.
func (db *DB) rewriteLog(ctx context.Context) (err error) {
	w, err := db.begin(ctx, true)
	if err != nil {
		return fmt.Errorf("%s: %w", db.path, err)
	}
	defer func() { err = errors.Join(err, w.end()) }()
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

package sqlitedb

import (
	"bytes"
	"encoding/binary"
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

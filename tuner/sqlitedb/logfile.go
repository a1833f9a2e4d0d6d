package sqlitedb

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
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

// logContent is what a write-ahead log has that counts: its committed pages.
type logContent struct {
	pages map[int64]bool // by number
	first []byte         // the beginning of page 1, nil where it is not there
}

// frameHeader is the size of what stands before each page in a log, in bytes.
const frameHeader = 24

// readLog reads the write-ahead log of a database as SQLite does after a crash: up
// to the last commit before the first frame that does not fit its checksum
// (sqlite.org, "WAL-mode File Format", 2).
func readLog(path string) (logContent, error) {
	content := logContent{pages: map[int64]bool{}}
	file, err := os.Open(path + "-wal")
	if errors.Is(err, fs.ErrNotExist) {
		return content, nil
	}
	if err != nil {
		return content, err
	}
	defer file.Close()
	in := bufio.NewReaderSize(file, 1<<16)
	head := make([]byte, walHeaderSize)
	if _, err := io.ReadFull(in, head); err != nil || !goodLog(head) {
		return content, nil
	}
	size := binary.BigEndian.Uint32(head[8:])
	if size < 512 || size > largestPage {
		return content, nil
	}
	sum := logSum{order: binary.LittleEndian, a: binary.BigEndian.Uint32(head[24:]), b: binary.BigEndian.Uint32(head[28:])}
	if head[3]&1 == 1 {
		sum.order = binary.BigEndian
	}
	open, first := []int64{}, []byte(nil) // of the transaction that is being read
	for frame := make([]byte, frameHeader+size); ; {
		if _, err := io.ReadFull(in, frame); err != nil {
			return content, nil
		}
		sum.add(frame[:8])
		sum.add(frame[frameHeader:])
		if string(frame[8:16]) != string(head[16:24]) || binary.BigEndian.Uint32(frame[16:]) != sum.a || binary.BigEndian.Uint32(frame[20:]) != sum.b {
			return content, nil
		}
		number := int64(binary.BigEndian.Uint32(frame))
		if open = append(open, number); number == 1 {
			first = append([]byte{}, frame[frameHeader:frameHeader+headerSize]...)
		}
		if binary.BigEndian.Uint32(frame[4:]) == 0 {
			continue
		}
		for _, n := range open {
			content.pages[n] = true
		}
		if first != nil {
			content.first = first
		}
		open, first = open[:0], nil
	}
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

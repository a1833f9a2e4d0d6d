//go:build cgo && unix

package disktest

// Kind is what is done to a file.
type Kind int

// The kinds of calls.
const (
	Read Kind = iota
	Write
	Truncate
	Sync
	Delete
	create
	failedSync
	syncFolder
)

// Call is what SQLite asks of a file.
type Call struct {
	Kind  Kind
	Name  string // of the file, without its folder
	Bytes int    // to be read or written
}

// Fault is how a call fails; the zero value is that it does not.
type Fault struct {
	Error   bool // the device fails (EIO)
	Full    bool // no space is left (ENOSPC), for writes
	Written int  // bytes that a write has written before it failed
}

func (f Fault) fails() bool { return f.Error || f.Full }

// code is SQLite's code of the failure (sqlite.org/rescode.html).
func (f Fault) code(k Kind) int {
	const ioErr, full = 10, 13
	switch {
	case f.Full && k == Write:
		return full
	case !f.fails():
		return 0
	}
	return ioErr | map[Kind]int{Read: 1, Write: 3, Sync: 4, Truncate: 6, Delete: 10}[k]<<8
}

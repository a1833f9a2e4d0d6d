//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package sqlitedb

import (
	"os"
	"syscall"
)

// links is the number of names that a file has.
func links(info os.FileInfo) uint64 {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(s.Nlink)
	}
	return 1
}

// mayWrite reports whether this process may write an existing file. The file is not
// opened: closing it would give up the locks that SQLite has on it.
func mayWrite(path string) bool {
	const writeOK = 2 // W_OK of unistd.h
	return syscall.Access(path, writeOK) == nil
}

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

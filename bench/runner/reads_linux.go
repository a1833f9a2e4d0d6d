package runner

import (
	"io/fs"
	"syscall"
	"time"
)

// lastRead returns when a file was read for the last time, as far as its file system notes it.
func lastRead(info fs.FileInfo) time.Time {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return time.Unix(s.Atim.Unix())
	}
	return time.Time{}
}

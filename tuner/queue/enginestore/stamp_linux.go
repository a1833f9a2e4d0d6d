package enginestore

import (
	"io/fs"
	"syscall"
)

// noFollow has a file not be opened by a symbolic link.
const noFollow = syscall.O_NOFOLLOW

// stamp tells a file as it is now from any other, and from itself after a change.
type stamp struct{ device, number, size, changed, modified int64 }

func stampOf(info fs.FileInfo) stamp {
	s := stamp{size: info.Size(), modified: info.ModTime().UnixNano()}
	if x, ok := info.Sys().(*syscall.Stat_t); ok {
		s.device, s.number, s.changed = int64(x.Dev), int64(x.Ino), x.Ctim.Nano()
	}
	return s
}

// changed reports whether a file was changed between two looks at it.
func changed(before, after fs.FileInfo) bool { return stampOf(before) != stampOf(after) }

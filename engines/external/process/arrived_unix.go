//go:build unix

package process

import (
	"os"
	"syscall"
)

// arrived reads what a pipe holds, without waiting, and returns its length.
func arrived(f *os.File, into []byte) (n int) {
	raw, err := f.SyscallConn()
	if err != nil {
		return 0
	}
	raw.Read(func(fd uintptr) bool {
		n, _ = syscall.Read(int(fd), into)
		return true
	})
	return n
}

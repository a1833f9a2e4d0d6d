//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package sqlitedb

import (
	"errors"
	"os"
	"syscall"
)

// tryLock takes an exclusive flock, which belongs to the open file and ends
// with it, even by SIGKILL. POSIX record locks would be given up by any close
// of the same file in this process.
func tryLock(file *os.File) error {
	for {
		err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		switch {
		case errors.Is(err, syscall.EINTR):
			continue
		case errors.Is(err, syscall.EWOULDBLOCK):
			return errLockHeld
		}
		return err
	}
}

func removeLocked(file *os.File, name string) error {
	return errors.Join(os.Remove(name), file.Close())
}

// alive reports whether a process exists; one of another user counts.
func alive(pid int) bool {
	err := syscall.Kill(pid, 0)
	return err == nil || errors.Is(err, syscall.EPERM)
}

// links returns the number of names that a file has.
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

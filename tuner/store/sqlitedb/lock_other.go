//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly || windows)

package sqlitedb

import (
	"errors"
	"os"
)

// tryLock returns an error: without a lock that dies with its process, two writers could
// not be kept apart. Reading works.
func tryLock(*os.File) error {
	return errors.New("this system has no file lock that ends with its process: databases can only be read")
}

func removeLocked(file *os.File, name string) error {
	return errors.Join(os.Remove(name), file.Close())
}

// alive returns false: no process can hold the lock.
func alive(int) bool { return false }

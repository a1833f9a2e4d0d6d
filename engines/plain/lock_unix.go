//go:build unix && !solaris && !aix

package plain

import (
	"os"
	"syscall"
)

// LockFolder waits for the lock on the files of a folder, and holds it until it is let go.
func LockFolder(folder string) (letGo func(), err error) {
	f, err := os.Open(folder)
	if err != nil {
		return nil, err
	}
	for {
		if err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != syscall.EINTR {
			break
		}
	}
	if err != nil {
		f.Close()
		return nil, &os.PathError{Op: "lock", Path: folder, Err: err}
	}
	return func() { f.Close() }, nil
}

//go:build unix && !solaris && !aix

package queue

import (
	"os"
	"syscall"
)

// alone waits until nobody else changes files of a folder under this lock, and holds it
// until it is let go.
func lockFolder(folder string) (letGo func(), err error) {
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

package sqlitedb

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// lockedByte lies far behind the text, so that others can read who holds it.
const lockedByte = 1 << 30

// tryLock locks one byte behind the end of the file; Windows drops the lock
// with the process.
func tryLock(file *os.File) error {
	at := &windows.Overlapped{Offset: lockedByte}
	err := windows.LockFileEx(windows.Handle(file.Fd()),
		windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, at)
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return errLockHeld
	}
	return err
}

// removeLocked closes first, since an open file cannot be removed here; a
// file that another process has opened stays.
func removeLocked(file *os.File, name string) error {
	err := file.Close()
	_ = os.Remove(name)
	return err
}

// alive reports whether a process exists.
func alive(pid int) bool {
	handle, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, uint32(pid))
	if err != nil {
		return errors.Is(err, windows.ERROR_ACCESS_DENIED)
	}
	windows.CloseHandle(handle)
	return true
}

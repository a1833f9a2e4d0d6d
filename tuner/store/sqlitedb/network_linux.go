package sqlitedb

import "syscall"

// fileSystem returns the number of the file system of a folder.
func fileSystem(folder string) (uint32, error) {
	var s syscall.Statfs_t
	err := syscall.Statfs(folder, &s)
	return uint32(s.Type), err
}

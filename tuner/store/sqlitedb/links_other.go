//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package sqlitedb

import "os"

// links returns the number of names that a file has; this system does not tell it.
func links(os.FileInfo) uint64 { return 1 }

// mayWrite reports whether this process may write an existing file, by its mode.
func mayWrite(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().Perm()&0o200 != 0
}

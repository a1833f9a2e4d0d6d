//go:build !linux

package sqlitedb

// fileSystem returns no number: only Linux is asked.
func fileSystem(string) (uint32, error) { return 0, nil }

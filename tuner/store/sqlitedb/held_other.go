//go:build !linux

package sqlitedb

import "os"

// lockFileItself does nothing: on these systems locks of the one kind keep out
// those of the other, so SQLite could not take its own. The lock beside the
// database, and the looks at both files, have to do.
func lockFileItself(*os.File) error { return nil }

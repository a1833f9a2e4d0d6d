package sqlitedb

import "os"

// lockFileItself locks a database file. On Linux a flock and the POSIX locks
// that SQLite takes on the same file know nothing of each other.
func lockFileItself(file *os.File) error { return tryLock(file) }

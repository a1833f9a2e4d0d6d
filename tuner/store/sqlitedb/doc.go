// Package sqlitedb opens, locks, migrates, copies and checks the one SQLite
// file in which Sakusen keeps everything. It knows no table of any room: the
// store and the benchmarks each bring a named series of migrations and work
// on the handles it gives out. It is the only importer of go-sqlite3.
//
// Flow: cmd opens a DB, each room migrates its own series, then writes with
// [DB.Write] and reads through [DB.Reader].
//
//	db, err := sqlitedb.Open(ctx, "sakusen.db", sqlitedb.Options{Address: "127.0.0.1:7070"})
//	if locked, ok := errors.AsType[*sqlitedb.LockedError](err); ok {
//		// another process writes: locked.PID, locked.Address
//	}
//	defer db.Close()
//	err = db.Migrate(ctx, "store", schema) // the text that makes the tables
//
// # One writer, any number of readers
//
// The journal is SQLite's write-ahead log, so readers never wait for the
// writer nor the writer for them. There is one writing handle with one
// connection, and one writing process: Open takes an operating system lock on
// PATH.lock, writes its process id and address there, and the lock dies with
// the process, however it dies. [OpenReadOnly] needs neither the lock nor
// permission to write, not even in the directory.
//
// # Files beside PATH
//
//	PATH-wal, PATH-shm             SQLite's own; a killed process leaves them, the next one recovers
//	PATH.lock                      exists while a process writes
//	PATH.before-<series>-<version> the copy made before that migration
//
// # Reading order
//
// errors.go (what may be wrong, names of files, connections), files.go with lock_*.go (who writes,
// and whether the files are still those that were opened), db.go (opening), network.go with
// network_*.go (file systems of other machines). Then write.go (transactions that write, the
// write-ahead log), schema.go (migrations), check.go (queries, rows that carry a hash, damage and
// backups), code_*.go (SQLite's own error codes).
//
// # Format
//
// SQLite's user_version is the format of the file ([build.Format]). A file of another
// format is refused with a [*FormatError], which says which version of the program wrote
// it. Inside of a format a later program may add to a series of migrations.
//
// Sources: SQLite documentation, "Write-Ahead Logging" (section 5, read-only
// databases), "Uniform Resource Identifiers", "VACUUM INTO", "PRAGMA
// application_id" (sqlite.org, read for version 3.53).
package sqlitedb

package sqlitedb

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"sakusen/tuner/build"
)

// DB is one database file, opened for writing or only for reading. Its
// methods may be called from any goroutine.
type DB struct {
	*files
	writer *writer // nil where the file was opened for reading
	reader *sql.DB
	raw    *os.File // the file itself, of a reader; opened before SQLite opens it and closed after
	fresh  bool     // this Open created the content
	now    func() time.Time
	point  func(string)
	told   func(string)
}

// Writable reports whether the database was opened for writing.
func (db *DB) Writable() bool { return db.writer != nil }

// Reader returns the pool of reading connections. Transactions on it see one
// state of the database and never wait for the writer.
func (db *DB) Reader() *sql.DB { return db.reader }

// Close closes all connections, then lets go of the lock.
func (db *DB) Close() error {
	errs := []error{db.changed()}
	if db.reader != nil {
		errs = append(errs, db.reader.Close())
	}
	if db.writer != nil {
		errs = append(errs, db.writer.close())
	}
	if db.held != nil {
		errs = append(errs, db.held.release())
	}
	if db.raw != nil {
		errs = append(errs, db.raw.Close())
	}
	db.held, db.raw = nil, nil
	if db.lock != nil {
		errs = append(errs, db.lock.release())
		db.lock = nil
	}
	return errors.Join(errs...)
}

// readers is the size of the read pool, in connections.
const readers = 4

// Options are the writer's.
type Options struct {
	// Address is where the writing process answers, such as the daemon's
	// listening address; it is written into the lock file for others to see.
	Address string
	// Now tells the time; nil is time.Now.
	Now func() time.Time
	// Point is called at every named point where tests kill the process; nil does nothing.
	Point func(name string)
	// LogPages is the length of the write-ahead log, in pages, from which it is
	// copied into the database; 0 is SQLite's own default, 1 000. Tests want less.
	LogPages int
	// Note, unless nil, is called with a sentence for the owner of the file: that a copy was
	// made before its tables are changed, or that the file is on a network file system.
	Note func(text string)
	// FileSystem returns the number of the file system of a folder, as Linux's statfs, and type
	// and source of what is mounted there where that is FUSE; nil asks the system.
	FileSystem func(folder string) (number uint32, mount string, err error)
}

// Open opens the database at path for writing and creates it if it is not
// there; its directory must exist. Errors: [*LockedError], [*ForeignError],
// [*FormatError], [*DamagedError], [*ReadOnlyError], [*LostError]. After an error nothing
// has changed.
func Open(ctx context.Context, path string, options Options) (_ *DB, err error) {
	if path, err = resolve(path); err != nil {
		return nil, err
	}
	defer func() { err = lockedOut(path, err) }()
	exists, err := writable(path)
	if err != nil {
		return nil, err
	}
	db := &DB{files: &files{path: path}, now: options.Now, point: options.Point, fresh: true}
	if db.now == nil {
		db.now = time.Now
	}
	if db.point == nil {
		db.point = func(string) {}
	}
	if db.told = options.Note; db.told == nil {
		db.told = func(string) {}
	}
	if options.FileSystem == nil {
		options.FileSystem = fileSystem
	}
	if text := onNetwork(path, options.FileSystem); text != "" {
		db.told(text)
	}
	if exists {
		if err := errors.Join(checkEmpty(path), checkLog(path)); err != nil {
			return nil, err
		}
		if db.fresh, err = probe(ctx, path); err != nil {
			if !unborn(path) {
				return nil, err
			}
			db.fresh = true
		}
	}
	if db.lock, err = acquire(path, options.Address); err != nil {
		return nil, err
	}
	if db.held, err = holdFile(path); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	if err := othersFile(path); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	if err := db.openHandles(ctx, cmp.Or(options.LogPages, checkpointPages)); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

func (db *DB) openHandles(ctx context.Context, logPages int) error {
	var err error
	db.writer = &writer{DB: connector{db.files, dsn(db.path, writerQuery)}.pool(1), files: db.files, pages: logPages}
	if db.fresh {
		// Another process may have created the file between our first look and our lock.
		if db.fresh, err = identify(ctx, db.writer.DB, db.path); err != nil {
			return err
		}
	}
	if err := db.writer.rewriteLog(ctx, db.point); err != nil {
		return err
	}
	if db.fresh {
		if err := db.Write(ctx, db.found); err != nil {
			return fmt.Errorf("%s: create: %w", db.path, err)
		}
	}
	if _, err := db.writer.ExecContext(ctx, "PRAGMA wal_autocheckpoint = 0"); err != nil { // see checkpoint
		return fmt.Errorf("%s: %w", db.path, err)
	}
	if db.reader, err = db.openReader(ctx, readerQuery); err != nil {
		return err
	}
	return db.Sound() // SQLite opened the file that we hold
}

// found writes what makes a file ours.
func (db *DB) found(tx *sql.Tx) error {
	if _, err := tx.Exec(fmt.Sprintf("PRAGMA application_id = %d", applicationID)); err != nil {
		return err
	}
	if _, err := tx.Exec(fmt.Sprintf("PRAGMA user_version = %d", build.Format)); err != nil {
		return err
	}
	_, err := tx.Exec(schemaTable)
	return err
}

// OpenReadOnly opens an existing database for reading. It takes no lock and needs no permission
// to write. SQLite cannot keep its shared memory file beside the database if the directory is
// read-only, and must not if the database is another user's, who could not write that file. If
// there is no writer then, the file is read as immutable, and [DB.Close] says whether another
// process began to write. An absent file, or one without a table, gives an error that is
// [fs.ErrNotExist].
func OpenReadOnly(ctx context.Context, path string) (_ *DB, err error) {
	if path, err = resolve(path); err != nil {
		return nil, err
	}
	defer func() { err = lockedOut(path, err) }()
	if err := regular(path); err != nil {
		return nil, err
	}
	db := &DB{files: &files{path: path}, now: time.Now, point: func(string) {}}
	if db.raw, err = readable(path); err != nil {
		return nil, err
	}
	if err := errors.Join(checkEmpty(path), checkLog(path)); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	if db.reader, err = db.openReaderAnywhere(ctx); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	fresh, err := identify(ctx, db.reader, path)
	if err == nil && fresh { // another process was interrupted while making one
		err = &missingError{path}
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// openReaderAnywhere opens a pool of readers, which leaves nothing behind that keeps
// the owner of the file from writing.
func (db *DB) openReaderAnywhere(ctx context.Context) (*sql.DB, error) {
	err := error(&ReadOnlyError{Path: db.path, What: db.path + "-shm", Cause: errOthersFile})
	if !leavesFiles(db.path) {
		var reader *sql.DB
		if reader, err = db.openReader(ctx, readerQuery); err == nil || !cannotOpen(err) {
			return reader, err
		}
	}
	info, statErr := os.Stat(db.path)
	if wal, walErr := os.Stat(db.path + "-wal"); walErr == nil && wal.Size() > 0 || statErr != nil {
		return nil, fmt.Errorf("%w (%s-wal holds changes whose shared memory file is missing and cannot be made here: let the owner of the database run a command once, or copy both files to a directory of your own)", err, db.path)
	}
	db.still = info
	return db.openReader(ctx, immutableQuery)
}

// openReader opens a pool of readers and reads from the file, so that errors of opening
// appear here and not at the first query.
func (db *DB) openReader(ctx context.Context, query string) (*sql.DB, error) {
	reader, path := connector{db.files, dsn(db.path, query)}.pool(readers), db.path
	var tables int
	if err := reader.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema").Scan(&tables); err != nil {
		reader.Close()
		if notDatabase(err) {
			return nil, unknown(path, err)
		}
		if corrupt(err) {
			return nil, Damage(path, err)
		}
		return nil, fmt.Errorf("%s: open for reading: %w", path, err)
	}
	return reader, nil
}

// probe looks at an existing file before anything is locked or written.
func probe(ctx context.Context, path string) (fresh bool, err error) {
	reader, err := (&DB{files: &files{path: path}}).openReaderAnywhere(ctx)
	if err != nil {
		return false, err
	}
	defer reader.Close()
	return identify(ctx, reader, path)
}

// identify distinguishes a new, empty file (fresh) from one of ours; a file of another program is a
// [*ForeignError], one of another format a [*FormatError].
func identify(ctx context.Context, handle *sql.DB, path string) (fresh bool, err error) {
	var id int64
	var tables int
	// Another process may make the file ours between the two looks, in one transaction:
	// where its tables are seen, its id must be looked at after them.
	if err := handle.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema").Scan(&tables); err != nil {
		return false, fmt.Errorf("%s: %w", path, err)
	}
	if err := handle.QueryRowContext(ctx, "PRAGMA application_id").Scan(&id); err != nil {
		return false, fmt.Errorf("%s: %w", path, err)
	}
	if id == applicationID {
		return false, checkFormat(ctx, handle, path)
	}
	if id != 0 || tables != 0 {
		return false, &ForeignError{Path: path, Reason: fmt.Sprintf("an SQLite file of another program (application id %#x, expected %#x)", id, applicationID)}
	}
	return true, nil
}

// errOthersFile is why a reader keeps no shared memory file beside a database.
var errOthersFile = errors.New("the database is another user's, who could not write this file")

// leavesFiles reports whether a reader of this process would leave a shared memory file and a
// write-ahead log beside the database that its owner cannot write. SQLite makes them if they
// are missing, also for users who may not write the database, and only a writer removes them.
func leavesFiles(path string) bool {
	if mayWrite(path) {
		return false
	}
	_, err := os.Stat(path + "-shm")
	return errors.Is(err, fs.ErrNotExist)
}

// othersFile refuses to write where a file of SQLite's beside the database belongs to
// another user, and names that file: SQLite itself says no more than that a database is
// read-only.
func othersFile(path string) error {
	for _, name := range []string{path + "-wal", path + "-shm"} {
		if _, err := os.Lstat(name); err != nil || mayWrite(name) {
			continue
		}
		todo := "let its owner make it writable for you"
		if log, err := os.Stat(path + "-wal"); err == nil && log.Size() == 0 {
			todo = fmt.Sprintf("another user has left it while reading; when nobody reads the database, remove %[1]s-shm and %[1]s-wal, which holds nothing", path)
		}
		return &ReadOnlyError{Path: path, What: name, Cause: fmt.Errorf("%w (%s)", os.ErrPermission, todo)}
	}
	return nil
}

package sqlitedb

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// applicationID marks our files ("SAKU"), as PRAGMA application_id is meant to.
const applicationID = 0x53414b55

// readers is the size of the read pool, in connections.
const readers = 4

// Options are the writer's.
type Options struct {
	// Address is where the writing process answers, such as the daemon's
	// listening address; it is written into the lock file for others to see.
	Address string
	// Point is called with the name of every point at which a kill is worth
	// a test; nil does nothing.
	Point func(name string)
}

// DB is one database file, opened for writing or only for reading. Its
// methods may be called from any goroutine.
type DB struct {
	path   string // absolute, symbolic links resolved
	writer *sql.DB
	reader *sql.DB
	lock   *fileLock
	fresh  bool // this Open created the content
	point  func(string)
}

// Open opens the database at path for writing and creates it if it is not
// there; its directory must exist. Errors: [*LockedError], [*ForeignError],
// [*DamagedError], [*ReadOnlyError]. After an error nothing has changed.
func Open(ctx context.Context, path string, options Options) (*DB, error) {
	path, err := resolve(path)
	if err != nil {
		return nil, err
	}
	exists, err := writable(path)
	if err != nil {
		return nil, err
	}
	db := &DB{path: path, point: options.Point, fresh: true}
	if db.point == nil {
		db.point = func(string) {}
	}
	if exists {
		if err := checkLog(path); err != nil {
			return nil, err
		}
		if db.fresh, err = probe(ctx, path); err != nil {
			return nil, err
		}
	}
	if db.lock, err = acquire(path, options.Address); err != nil {
		return nil, err
	}
	if err := db.openHandles(ctx); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

func (db *DB) openHandles(ctx context.Context) error {
	var err error
	if db.writer, err = sql.Open("sqlite3", dsn(db.path, writerQuery)); err != nil {
		return fmt.Errorf("%s: %w", db.path, err)
	}
	db.writer.SetMaxOpenConns(1)
	db.writer.SetMaxIdleConns(1)
	if db.fresh {
		// The first writer may have been here between our look and our lock.
		if db.fresh, err = identify(ctx, db.writer, db.path); err != nil {
			return err
		}
	}
	if db.fresh {
		if err := db.Write(ctx, db.found); err != nil {
			return fmt.Errorf("%s: create: %w", db.path, err)
		}
	}
	db.reader, err = openReader(ctx, db.path, readerQuery)
	return err
}

// found writes what makes a file ours.
func (db *DB) found(tx *sql.Tx) error {
	if _, err := tx.Exec(fmt.Sprintf("PRAGMA application_id = %d", applicationID)); err != nil {
		return err
	}
	_, err := tx.Exec(schemaTable)
	return err
}

// OpenReadOnly opens an existing database for reading. It takes no lock and
// needs no permission to write: if SQLite cannot keep its shared memory file
// beside the database, because the directory is read-only and no writer is
// at work, the file is read as immutable. An absent file gives an error that
// is [fs.ErrNotExist].
func OpenReadOnly(ctx context.Context, path string) (*DB, error) {
	path, err := resolve(path)
	if err != nil {
		return nil, err
	}
	if err := regular(path); err != nil {
		return nil, err
	}
	if err := readable(path); err != nil {
		return nil, err
	}
	if err := checkLog(path); err != nil {
		return nil, err
	}
	reader, err := openReaderAnywhere(ctx, path)
	if err != nil {
		return nil, err
	}
	db := &DB{path: path, reader: reader, point: func(string) {}}
	if _, err := identify(ctx, reader, path); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

func openReaderAnywhere(ctx context.Context, path string) (*sql.DB, error) {
	reader, err := openReader(ctx, path, readerQuery)
	if err == nil || !cannotOpen(err) {
		return reader, err
	}
	if wal, statErr := os.Stat(path + "-wal"); statErr == nil && wal.Size() > 0 {
		return nil, fmt.Errorf("%w (the directory is read-only and %s-wal holds changes that its shared memory file is missing for: copy both to a directory that can be written)", err, path)
	}
	return openReader(ctx, path, immutableQuery)
}

// openReader opens a read pool and makes it touch the file, so that errors of
// opening come here and not with the first query.
func openReader(ctx context.Context, path, query string) (*sql.DB, error) {
	reader, err := sql.Open("sqlite3", dsn(path, query))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	reader.SetMaxOpenConns(readers)
	reader.SetMaxIdleConns(readers)
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
	reader, err := openReaderAnywhere(ctx, path)
	if err != nil {
		return false, err
	}
	defer reader.Close()
	return identify(ctx, reader, path)
}

// identify tells an empty file (fresh) from one of ours; anybody else's is a
// [*ForeignError].
func identify(ctx context.Context, handle *sql.DB, path string) (fresh bool, err error) {
	var id int64
	var tables int
	if err := handle.QueryRowContext(ctx, "PRAGMA application_id").Scan(&id); err != nil {
		return false, fmt.Errorf("%s: %w", path, err)
	}
	if id == applicationID {
		return false, nil
	}
	if err := handle.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema").Scan(&tables); err != nil {
		return false, fmt.Errorf("%s: %w", path, err)
	}
	if id != 0 || tables != 0 {
		return false, &ForeignError{Path: path, Reason: fmt.Sprintf("application id %#x with %d tables and indexes, expected %#x", id, tables, applicationID)}
	}
	return true, nil
}

// resolve makes path absolute and follows symbolic links, so that one file
// has one lock under whatever name it is opened.
func resolve(path string) (string, error) {
	if path == "" {
		return "", errors.New("database: expected a path, got an empty one")
	}
	whole, err := filepath.Abs(path)
	if err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	if real, err := filepath.EvalSymlinks(whole); err == nil {
		return real, nil
	}
	if dir, err := filepath.EvalSymlinks(filepath.Dir(whole)); err == nil {
		return filepath.Join(dir, filepath.Base(whole)), nil
	}
	return whole, nil
}

func regular(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return fmt.Errorf("database: %w", err)
	}
	if !info.Mode().IsRegular() {
		return &ForeignError{Path: path, Reason: "not a regular file"}
	}
	return nil
}

// readable says why a file cannot be read. Of SQLite's own error only the text
// says so.
func readable(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("database: %w", err)
	}
	return file.Close()
}

// writable checks, without creating or changing anything, that the file can
// be written if it is there.
func writable(path string) (exists bool, err error) {
	if err := regular(path); errors.Is(err, fs.ErrNotExist) {
		return false, nil
	} else if err != nil {
		return false, err
	}
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return false, &ReadOnlyError{Path: path, What: path, Cause: err}
	}
	return true, file.Close()
}

// Path is the file's absolute path, symbolic links resolved.
func (db *DB) Path() string { return db.path }

// Writable reports whether the database was opened for writing.
func (db *DB) Writable() bool { return db.writer != nil }

// Reader is the pool of reading connections. Transactions on it see one
// state of the database and never wait for the writer.
func (db *DB) Reader() *sql.DB { return db.reader }

// SetAddress changes the address in the lock file, once it is known.
func (db *DB) SetAddress(address string) error {
	if db.lock == nil {
		return ErrReadOnlyHandle
	}
	return db.lock.describe(address)
}

// Close closes all connections, then lets go of the lock.
func (db *DB) Close() error {
	var errs []error
	if db.reader != nil {
		errs = append(errs, db.reader.Close())
	}
	if db.writer != nil {
		errs = append(errs, db.writer.Close())
	}
	if db.lock != nil {
		errs = append(errs, db.lock.release())
		db.lock = nil
	}
	return errors.Join(errs...)
}

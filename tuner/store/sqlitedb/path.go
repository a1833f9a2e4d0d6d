package sqlitedb

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/mattn/go-sqlite3"
)

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

// missingError says that there is no database file; it is an [fs.ErrNotExist].
type missingError struct{ path string }

func (e *missingError) Error() string {
	return e.path + ": there is no database yet: sakusen tune makes one, and --db names another"
}

func (e *missingError) Unwrap() error { return fs.ErrNotExist }

func regular(path string) error {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return &missingError{path}
	}
	if err != nil {
		return fmt.Errorf("database: %w", err)
	}
	if !info.Mode().IsRegular() {
		return &ForeignError{Path: path, Reason: "not a regular file"}
	}
	return nil
}

// readable opens a file, and says why it cannot be read. Of SQLite's own error only
// the text says so.
func readable(path string) (*os.File, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("database: %w", err)
	}
	return file, nil
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

// writerPragmas are fixed by the design; the rest of the writer's DSN says
// how the file is opened and keeps prepared statements on the connection.
// Commits are on the disk when they return, unless a transaction is begun
// otherwise ([DB.ChangeReplayable]).
const writerPragmas = "_journal_mode=WAL&_synchronous=FULL&_busy_timeout=10000&_txlock=immediate&_foreign_keys=on"

const (
	writerQuery    = writerPragmas + "&mode=rwc&_stmt_cache_size=64"
	readerQuery    = "_busy_timeout=10000&_txlock=deferred&_foreign_keys=on&mode=ro&_stmt_cache_size=32"
	immutableQuery = readerQuery + "&immutable=1"
	foreignQuery   = "mode=rwc&_foreign_keys=on"
	copyQuery      = "mode=rwc"
)

// dsn builds a data source name in which no character of the path can be
// taken for the start of the query, for a fragment or for an escape: SQLite
// undoes the percent escapes of a file: URI itself. An absolute path is given
// as file:///path, since two leading slashes would begin an authority.
func dsn(path, query string) string {
	slashed := filepath.ToSlash(path)
	escaped := strings.Split(slashed, "/")
	for i, segment := range escaped {
		escaped[i] = url.PathEscape(segment)
	}
	joined := strings.Join(escaped, "/")
	switch {
	case strings.HasPrefix(joined, "/"):
		joined = "//" + joined
	case filepath.VolumeName(path) != "": // C:/dir is written file:///C:/dir
		joined = "///" + strings.Replace(joined, "%3A", ":", 1)
	}
	return "file:" + joined + "?" + query
}

// CreatePlain makes an SQLite file for another program: without our lock, series of
// migrations and write-ahead log. A file that is there is left alone and gives an
// error that is [fs.ErrExist].
func CreatePlain(path string) (*sql.DB, error) {
	if _, err := os.Lstat(path); err == nil {
		return nil, fmt.Errorf("%s: %w", path, fs.ErrExist)
	}
	db, err := sql.Open("sqlite3", dsn(path, foreignQuery))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	db.SetMaxOpenConns(1)
	return db, nil
}

// connector opens connections to the database while it is still where it was.
//
// SQLite knows the files that a process has open by their inodes, and their shared
// memory by its name: a connection to another file under the same name would take
// itself for the first one and empty the memory that the others have mapped, which
// ends the process with a bus error. Opening reads nothing yet, so that one look
// afterwards is enough: what was replaced later leaves this connection on our file.
type connector struct {
	files  *files
	source string // data source name
}

// Driver returns SQLite's driver, with the function seal ([Sealed]).
func (c connector) Driver() driver.Driver { return &sqlite3.SQLiteDriver{ConnectHook: register} }

// Connect opens a connection; a [*LostError] says that the file is not ours any more.
func (c connector) Connect(context.Context) (driver.Conn, error) {
	if err := c.files.Sound(); err != nil {
		return nil, err
	}
	conn, err := c.Driver().Open(c.source)
	if lost := c.files.Sound(); lost != nil {
		if err == nil {
			err = conn.Close()
		}
		return nil, errors.Join(lost, err)
	}
	return conn, err
}

// pool returns a pool of so many connections, open or idle.
func (c connector) pool(size int) *sql.DB {
	pool := sql.OpenDB(c)
	pool.SetMaxOpenConns(size)
	pool.SetMaxIdleConns(size)
	return pool
}

package sqlitedb

import (
	"bytes"
	"context"
	"database/sql"
	"database/sql/driver"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/mattn/go-sqlite3"

	"sakusen/tuner/build"
)

// ErrReadOnlyHandle is returned when something is to be written through a
// handle that was opened for reading.
var ErrReadOnlyHandle = errors.New("database was opened for reading only")

// LockedError says that another process writes the database.
type LockedError struct {
	Path    string // database file
	PID     int    // process that holds the lock, 0 if it has not written its id yet
	Address string // where that process answers, empty if nowhere
	Since   time.Time
	Other   error // what SQLite says where another program has locked the file; nil for Sakusen's lock
}

func (e *LockedError) Error() string {
	who := "another process"
	if e.PID != 0 {
		who = fmt.Sprintf("process %d", e.PID)
	}
	if e.Address != "" {
		who += " at " + e.Address
	}
	if e.Other != nil {
		return fmt.Sprintf("%s: %s has locked the database, by SQLite's own lock: end its transaction, or close the file there, and try again", e.Path, who)
	}
	return fmt.Sprintf("%s: the database is being written by %s", e.Path, who)
}

// Unwrap returns what SQLite says.
func (e *LockedError) Unwrap() error { return e.Other }

// lockedOut returns a [*LockedError] for an error of SQLite that another program has locked the file.
func lockedOut(path string, err error) error {
	if !busy(err) {
		return err
	}
	return &LockedError{Path: path, PID: writerOf(path), Other: err}
}

// FormatError says that the file has another format than the one that this program reads.
type FormatError struct {
	Path    string
	Have    int    // format of the file; 0 if the file does not say it
	Program string // version of the program that wrote it, empty if the file does not say it
}

func (e *FormatError) Error() string {
	if e.Have == 0 {
		return fmt.Sprintf("%s: its tables have no format number; sakusen %s reads format %d: begin a new file (--db)",
			e.Path, build.Version, build.Format)
	}
	writer := "another version of sakusen"
	if e.Program != "" {
		writer = "sakusen " + e.Program
	}
	return fmt.Sprintf("%s: format %d, written by %s; sakusen %s reads format %d: \"sakusen db dump\" of the version that wrote the file writes its studies as JSON",
		e.Path, e.Have, writer, build.Version, build.Format)
}

// SchemaError says that the tables of a series are not those that this program knows: a later
// Sakusen of the same format has changed them (Have is above Know), or a file that was opened
// for reading lacks migrations. Have is 0 if the room to which the series belongs has never
// written to the file.
type SchemaError struct {
	Path    string
	Series  string // migration series, such as "store"
	Have    int    // version in the file
	Know    int    // last version this program knows
	Program string // version of the program that wrote it, empty if the file does not say it
}

func (e *SchemaError) Error() string {
	switch {
	case e.Have > e.Know:
		return fmt.Sprintf("%s: written by a newer version of this program, sakusen %s: %s schema is version %d, expected at most %d",
			e.Path, e.Program, e.Series, e.Have, e.Know)
	case e.Have == 0:
		return fmt.Sprintf("%s: holds no %s data yet", e.Path, e.Series)
	}
	return fmt.Sprintf("%s: %s schema is version %d, expected %d: run a writing command once to migrate it", e.Path, e.Series, e.Have, e.Know)
}

// ForeignError says that the file is not a Sakusen database.
type ForeignError struct {
	Path   string
	Reason string
}

func (e *ForeignError) Error() string {
	return fmt.Sprintf("%s: not a Sakusen database: %s", e.Path, e.Reason)
}

// ReadOnlyError says that the file or its directory may not be written.
type ReadOnlyError struct {
	Path  string // database file
	What  string // the file or directory that refuses
	Cause error
}

func (e *ReadOnlyError) Error() string {
	return fmt.Sprintf("%s: cannot be written: %s: %v", e.Path, e.What, e.Cause)
}

func (e *ReadOnlyError) Unwrap() error { return e.Cause }

// errLockHeld is what tryLock returns when another process has the lock.
var errLockHeld = errors.New("lock is held")

// DamagedError says that a file is a database of ours whose bytes are not what
// was written. A damaged file is not written to.
type DamagedError struct {
	Path  string // the database, or the file beside it that is damaged
	What  string
	Cause error // SQLite's own error; may be nil
}

func (e *DamagedError) Error() string {
	return fmt.Sprintf("%s: the database is damaged: %s; nothing more is written to it: put a backup in its place (sakusen db backup makes them); sakusen db check says more", e.Path, e.What)
}

func (e *DamagedError) Unwrap() error { return e.Cause }

// Damaged reports whether an error says that a file's content is damaged, or
// that what is written no longer reaches it: in either case nothing more may be
// written.
func Damaged(err error) bool { return told(err) || corrupt(err) }

// told reports whether an error says already what is wrong with the file.
func told(err error) bool {
	_, damaged := errors.AsType[*DamagedError](err)
	_, lost := errors.AsType[*LostError](err)
	return damaged || lost
}

// Damage names the file and what is wrong with it where SQLite found it damaged;
// any other error stays as it is.
func Damage(path string, err error) error {
	if told(err) || !corrupt(err) {
		return err
	}
	if real, resolveErr := resolve(path); resolveErr == nil {
		path = real
	}
	what := strings.TrimPrefix(err.Error(), path+": ")
	if short := truncated(path); short != "" {
		what = short + " (" + what + ")"
	}
	return &DamagedError{Path: path, What: what, Cause: err}
}

// The header of a database file (sqlite.org, "Database File Format", 1.3):
// magic, page size at 16, pages at 28, application id at 68.
const (
	magic      = "SQLite format 3\x00"
	headerSize = 100
)

// header returns the first bytes of a file, cut where it ends, and the file's size.
func header(path string) (head []byte, size int64, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, 0, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, 0, err
	}
	head = make([]byte, headerSize)
	n, err := io.ReadFull(file, head)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil
	}
	return head[:n], info.Size(), err
}

// truncated reports how much of a file is missing; empty if nothing is. It explains a
// complaint of SQLite. A short file alone is no mistake, since the rest may be in the
// write-ahead log.
func truncated(path string) string {
	head, size, err := header(path)
	if err != nil {
		return ""
	}
	if len(head) < headerSize {
		return fmt.Sprintf("the file is cut off: %d bytes, shorter than its header of %d", size, headerSize)
	}
	if whole := pageSize(head) * int64(binary.BigEndian.Uint32(head[28:])); size < whole {
		return fmt.Sprintf("the file is cut off: %d of %d bytes", size, whole)
	}
	return ""
}

// pageSize returns the size of a page, in bytes, by the header of a database.
func pageSize(head []byte) int64 {
	if size := int64(binary.BigEndian.Uint16(head[16:])); size != 1 {
		return size
	}
	return largestPage
}

// largestPage is the largest size of a page, in bytes.
const largestPage = 1 << 16

// unknown returns an error that says what a file is that SQLite does not recognise: one of
// ours whose header is damaged, or something else.
func unknown(path string, cause error) error {
	head, _, err := header(path)
	if err == nil && len(head) == headerSize {
		if binary.BigEndian.Uint32(head[68:]) == applicationID {
			return &DamagedError{Path: path, What: "the header of the file is not SQLite's", Cause: cause}
		}
		if bytes.HasPrefix(head, []byte(magic)) {
			return &DamagedError{Path: path, What: "the header of the file makes no sense", Cause: cause}
		}
	}
	return &ForeignError{Path: path, Reason: "not an SQLite file (where it was one, its header is damaged: put a backup in its place)"}
}

// applicationID marks our files ("SAKU"), as PRAGMA application_id is meant to.
const applicationID = 0x53414b55

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
// SQLite knows the files that a process has open by their inodes, and their shared memory by
// its name. A connection to another file under the same name would take itself for the first
// one, and empty the memory that the others have mapped. That ends the process with a bus
// error. Opening reads nothing yet, so that one look afterwards is enough: what was replaced
// later leaves this connection on our file.
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

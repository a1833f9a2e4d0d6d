package sqlitedb

import (
	"database/sql"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
)

// writerPragmas are fixed by the design; the rest of the writer's DSN says
// how the file is opened and keeps prepared statements on the connection.
// Commits are on the disk when they return, unless a transaction is begun
// otherwise ([Transactor.ChangeReplayable]).
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

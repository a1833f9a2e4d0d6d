package sqlitedb

import (
	"database/sql"
	"fmt"
	"io/fs"
	"os"
)

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

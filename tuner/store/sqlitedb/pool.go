package sqlitedb

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"

	"github.com/mattn/go-sqlite3"
)

// connector opens connections to the database while it is still where it was.
//
// SQLite knows the files that a process has open by their inodes, and their shared
// memory by its name: a connection to another file under the same name would take
// itself for the first one and empty the memory that the others have mapped, which
// ends the process with a bus error. Opening reads nothing yet, so that one look
// afterwards is enough: what was replaced later leaves this connection on our file.
type connector struct {
	db     *DB
	source string // data source name
}

// Driver is SQLite's, with the function seal ([Sealed]).
func (c connector) Driver() driver.Driver { return &sqlite3.SQLiteDriver{ConnectHook: register} }

// Connect opens a connection; a [*LostError] says that the file is not ours any more.
func (c connector) Connect(context.Context) (driver.Conn, error) {
	if err := c.db.Sound(); err != nil {
		return nil, err
	}
	conn, err := c.Driver().Open(c.source)
	if lost := c.db.Sound(); lost != nil {
		if err == nil {
			err = conn.Close()
		}
		return nil, errors.Join(lost, err)
	}
	return conn, err
}

// pool is a pool of so many connections, open or idle.
func (c connector) pool(size int) *sql.DB {
	pool := sql.OpenDB(c)
	pool.SetMaxOpenConns(size)
	pool.SetMaxIdleConns(size)
	return pool
}

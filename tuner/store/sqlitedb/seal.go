package sqlitedb

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"fmt"
	"hash"
	"math"

	"github.com/mattn/go-sqlite3"
)

// querier is a connection, a pool or a transaction.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// Sealed is a table whose rows carry a hash of what they hold in their column "sum", so
// that a bit that changed in a row is found when the row is read and when the database is
// checked. Other programs that write such a row leave a hash that does not fit.
type Sealed struct {
	Table   string
	Columns string // what is hashed: expressions of SQL, with the row's key among them
	Name    string // an expression that names a row, for complaints
}

// Seal writes the hash of the rows that were inserted or changed under a condition. Before a
// change to a row, [Sealed.RefuseTx] looks whether it is what was written.
func (s Sealed) Seal(tx *sql.Tx, where string, args ...any) error {
	_, err := tx.Exec("UPDATE "+s.Table+" SET sum = seal("+s.Columns+") WHERE "+where, args...)
	return err
}

// Check names at most so many rows, of all or of those under a condition, that are not what
// was written.
func (s Sealed) Check(ctx context.Context, db *DB, most int, where string, args ...any) (complaints []string, err error) {
	return s.check(ctx, db.reader, most, where, args...)
}

func (s Sealed) check(ctx context.Context, q querier, most int, where string, args ...any) (complaints []string, err error) {
	query := fmt.Sprintf("SELECT %s FROM %s WHERE sum IS NOT seal(%s) AND (%s) LIMIT %d", s.Name, s.Table, s.Columns, where, most)
	names, err := texts(ctx, q, query, args...)
	for _, name := range names {
		complaints = append(complaints, name+" is not what was written: it does not fit its hash")
	}
	return complaints, err
}

// Refuse returns a [*DamagedError] where a row under a condition is not what was written.
func (s Sealed) Refuse(ctx context.Context, db *DB, where string, args ...any) error {
	complaints, err := s.Check(ctx, db, 1, where, args...)
	if err == nil && len(complaints) > 0 {
		err = &DamagedError{Path: db.path, What: complaints[0]}
	}
	return err
}

// RefuseTx is Refuse of the rows as a change sees them.
func (s Sealed) RefuseTx(c *Change, where string, args ...any) error {
	complaints, err := s.check(context.Background(), c.Tx, 1, where, args...)
	if err == nil && len(complaints) > 0 {
		err = c.Damage(complaints[0])
	}
	return err
}

// schemaRows are the rows of schemaTable. One that is damaged would hide the tables of its series.
var schemaRows = Sealed{Table: "sakusen_schema", Columns: "series, version, sha256, program, applied", Name: "'schema: step ' || version || ' of ' || series"}

// register gives a connection the function seal of SQL: 8 bytes of a hash over its
// arguments.
func register(conn *sqlite3.SQLiteConn) error { return conn.RegisterFunc("seal", seal, true) }

func seal(values ...any) int64 {
	h := sha256.New()
	for _, v := range values {
		switch v := v.(type) {
		case int64:
			number(h, 'i', uint64(v))
		case float64:
			number(h, 'f', math.Float64bits(v))
		case string:
			number(h, 's', uint64(len(v)))
			h.Write([]byte(v))
		case []byte:
			kind := byte('b')
			if v == nil {
				kind = 'n' // NULL
			}
			number(h, kind, uint64(len(v)))
			h.Write(v)
		}
	}
	return int64(binary.BigEndian.Uint64(h.Sum(nil)))
}

// number writes a kind and a number.
func number(h hash.Hash, kind byte, n uint64) {
	h.Write(binary.BigEndian.AppendUint64([]byte{kind}, n))
}

// texts returns the first column of the rows that were read, also before an error.
func texts(ctx context.Context, q querier, query string, args ...any) ([]string, error) {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []string
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return nil, err
		}
		all = append(all, text)
	}
	return all, rows.Err()
}

package sqlitedb

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/mattn/go-sqlite3"
)

// Querier is a pool of connections or a transaction.
type Querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// Each hands the rows of a query to scan, one after the other, and stops at its first error.
func Each(ctx context.Context, q Querier, query string, args []any, scan func(*sql.Rows) error) error {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// EachRow does what Each does, in a transaction, which ends with its own context.
func EachRow(tx *sql.Tx, query string, args []any, scan func(*sql.Rows) error) error {
	return Each(context.Background(), tx, query, args, scan)
}

// Rows returns what read makes of each row of a query; it is given the row's Scan. The rows
// before an error are returned too.
func Rows[T any](ctx context.Context, q Querier, read func(scan func(...any) error) (T, error), query string, args ...any) ([]T, error) {
	all := []T{}
	err := Each(ctx, q, query, args, func(rows *sql.Rows) error {
		one, err := read(rows.Scan)
		if err == nil {
			all = append(all, one)
		}
		return err
	})
	return all, err
}

// Column reads the only column of a row, for [Rows].
func Column[T any](scan func(...any) error) (value T, err error) {
	err = scan(&value)
	return value, err
}

// Read runs do in one transaction that reads: all that it sees is of one moment, and it takes
// one connection.
func (db *DB) Read(ctx context.Context, do func(*sql.Tx) error) error {
	tx, err := db.reader.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return err
	}
	defer tx.Rollback()
	return do(tx)
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
// change to a row, [Sealed.RefuseTx] looks whether it is what was written; [Sealed.Update] does all three.
func (s Sealed) Seal(tx *sql.Tx, where string, args ...any) error {
	_, err := tx.Exec("UPDATE "+s.Table+" SET sum = seal("+s.Columns+") WHERE "+where, args...)
	return err
}

// Insert adds a row, which the condition where with the key finds, or with the row's id where
// there is no key, and returns the id.
func (s Sealed) Insert(c *Change, where string, key []any, columns string, values ...any) (id int64, err error) {
	id, err = c.Insert("INSERT INTO "+s.Table+" ("+columns+") VALUES (?"+strings.Repeat(", ?", len(values)-1)+")", values...)
	if err != nil {
		return 0, err
	}
	if key == nil {
		key = []any{id}
	}
	return id, s.Seal(c.Tx, where, key...)
}

// Update changes the rows under a condition, which must be what was written, and returns how
// many they were. set is the SQL of the assignments.
func (s Sealed) Update(c *Change, where string, key []any, set string, values ...any) (rows int64, err error) {
	if err := s.RefuseTx(c.Tx, where, key...); err != nil {
		return 0, err
	}
	result, err := c.Exec("UPDATE "+s.Table+" SET "+set+" WHERE "+where, append(values, key...)...)
	if err == nil {
		rows, err = result.RowsAffected()
	}
	if err != nil {
		return 0, err
	}
	return rows, s.Seal(c.Tx, where, key...)
}

// Check names at most so many rows, of all or of those under a condition, that are not what
// was written.
func (s Sealed) Check(ctx context.Context, db *DB, most int, where string, args ...any) (complaints []string, err error) {
	return s.check(ctx, db.reader, most, where, args...)
}

func (s Sealed) check(ctx context.Context, q Querier, most int, where string, args ...any) (complaints []string, err error) {
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
		err = db.Damage(complaints[0])
	}
	return err
}

// RefuseTx refuses, as Refuse does, rows as a transaction sees them; it takes no other connection.
func (s Sealed) RefuseTx(tx *sql.Tx, where string, args ...any) error {
	complaints, err := s.check(context.Background(), tx, 1, where, args...)
	if err == nil && len(complaints) > 0 {
		err = DamageIn(tx, complaints[0])
	}
	return err
}

// DamageIn returns an error that says that the database of a transaction holds something else
// than what was written.
func DamageIn(tx *sql.Tx, what string) error {
	damage := &DamagedError{What: what}
	if err := tx.QueryRow("SELECT file FROM pragma_database_list WHERE name = 'main'").Scan(&damage.Path); err != nil {
		return err
	}
	return damage
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
func texts(ctx context.Context, q Querier, query string, args ...any) ([]string, error) {
	return Rows(ctx, q, Column[string], query, args...)
}

// migrationState is the state of one room's migrations in a file.
type migrationState struct {
	Name    string
	Version int // last applied migration
}

// Report is what Check found.
type Report struct {
	Integrity   []string         // complaints of PRAGMA integrity_check
	ForeignKeys []string         // rows whose parent is missing
	Series      []migrationState // by name
}

// OK reports whether nothing was found wrong.
func (r Report) OK() bool { return len(r.Integrity) == 0 && len(r.ForeignKeys) == 0 }

// Check reads the whole database and reports what is damaged. Damage is not
// an error; that the check could not be made is.
func (db *DB) Check(ctx context.Context) (Report, error) {
	var report Report
	tx, err := db.reader.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return report, fmt.Errorf("%s: check: %w", db.path, err)
	}
	defer tx.Rollback()
	if report.Integrity, err = integrity(ctx, tx); err != nil {
		return report, fmt.Errorf("%s: check: %w", db.path, err)
	}
	// In a damaged file, what cannot be read is a complaint like any other.
	complain := func(what string, err error) error {
		if corrupt(err) && len(report.Integrity) > 0 {
			report.Integrity = append(report.Integrity, what+": "+err.Error())
			return nil
		}
		if err != nil {
			return Damage(db.path, fmt.Errorf("check %s: %w", what, err))
		}
		return nil
	}
	report.ForeignKeys, err = foreignKeys(ctx, tx)
	if err := complain("foreign keys", err); err != nil {
		return report, err
	}
	report.Series, err = seriesIn(ctx, tx)
	if err := complain("schema versions", err); err != nil || len(report.Integrity) > 0 {
		return report, err
	}
	report.Integrity, err = schemaRows.Check(ctx, db, 1, "TRUE")
	return report, complain("schema versions", err)
}

// Quick reads the whole database, less thoroughly than [DB.Check], and gives a
// [*DamagedError] where it is damaged.
func (db *DB) Quick(ctx context.Context) error {
	complaints, err := texts(ctx, db.reader, "PRAGMA quick_check(1)")
	if err == nil && len(complaints) == 1 && complaints[0] != "ok" {
		return db.Damage(complaints[0])
	}
	return Damage(db.path, err)
}

// integrity lists the complaints of SQLite. SQLite gives up at the first page that makes no
// sense at all; then each table is checked on its own, so that the damaged ones can be
// named.
func integrity(ctx context.Context, q Querier) ([]string, error) {
	found, err := texts(ctx, q, "PRAGMA integrity_check")
	if err == nil && len(found) == 1 && found[0] == "ok" {
		return nil, nil
	}
	if !corrupt(err) {
		return found, err
	}
	whole := err
	tables, err := texts(ctx, q, "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
	if corrupt(err) {
		return []string{"schema: " + err.Error()}, nil
	}
	if err != nil {
		return nil, err
	}
	for _, table := range tables {
		lines, err := texts(ctx, q, `PRAGMA integrity_check("`+strings.ReplaceAll(table, `"`, `""`)+`")`)
		switch {
		case corrupt(err):
			found = append(found, "table "+table+": "+err.Error())
		case err != nil:
			return nil, err
		case len(lines) == 1 && lines[0] == "ok":
		default:
			for _, line := range lines {
				found = append(found, fmt.Sprintf("table %s: %s", table, line))
			}
		}
	}
	if len(found) == 0 {
		found = []string{whole.Error()}
	}
	return found, nil
}

func seriesIn(ctx context.Context, q Querier) ([]migrationState, error) {
	return Rows(ctx, q, func(scan func(...any) error) (one migrationState, err error) {
		err = scan(&one.Name, &one.Version)
		return one, err
	}, "SELECT series, max(version) FROM sakusen_schema GROUP BY series ORDER BY series")
}

// foreignKeys lists broken references as "table row N refers to a missing row of parent".
func foreignKeys(ctx context.Context, q Querier) ([]string, error) {
	return Rows(ctx, q, func(scan func(...any) error) (string, error) {
		var table, parent string
		var row, key sql.NullInt64
		err := scan(&table, &row, &parent, &key)
		return fmt.Sprintf("%s row %d refers to a missing row of %s", table, row.Int64, parent), err
	}, "PRAGMA foreign_key_check")
}

// Backup copies the database, as it is at one moment, to a new file at
// destination, while others may read and write it. The copy appears there
// complete or not at all; a file that already exists is left alone and gives
// an error that is [fs.ErrExist].
func (db *DB) Backup(ctx context.Context, destination string) error {
	if _, err := os.Lstat(destination); err == nil {
		return fmt.Errorf("backup: %s: %w", destination, fs.ErrExist)
	}
	return db.copyTo(ctx, destination, false)
}

// copyTo writes a copy beside destination, syncs it to the disk and renames it. VACUUM INTO
// holds one read transaction for the whole copy, so a writer does not wait, and cannot
// force the copy to begin again as with SQLite's page by page backup.
func (db *DB) copyTo(ctx context.Context, destination string, replace bool) error {
	dir, err := os.MkdirTemp(filepath.Dir(destination), ".sakusen-copy-")
	if err != nil {
		return fmt.Errorf("backup: %w", err)
	}
	defer os.RemoveAll(dir)
	half := filepath.Join(dir, "copy")
	if _, err := db.reader.ExecContext(ctx, "VACUUM INTO ?", dsn(half, copyQuery)); err != nil {
		return fmt.Errorf("backup to %s: %w", destination, err)
	}
	if err := syncPath(half); err != nil {
		return fmt.Errorf("backup: %w", err)
	}
	if replace {
		err = os.Rename(half, destination)
	} else {
		err = os.Link(half, destination) // unlike a rename, never over an existing file
		if err != nil && !errors.Is(err, fs.ErrExist) {
			err = os.Rename(half, destination) // a file system without links
		}
	}
	if err != nil {
		return fmt.Errorf("backup: %w", err)
	}
	return syncPath(filepath.Dir(destination))
}

// syncPath syncs a file, or the names in a directory, to the disk. Not every system can
// sync a directory; the copy is complete without it.
func syncPath(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	if err := file.Sync(); err != nil {
		if info, statErr := file.Stat(); statErr == nil && info.IsDir() {
			return nil
		}
		return err
	}
	return nil
}

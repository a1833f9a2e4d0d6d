package sqlitedb

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"time"

	"sakusen/tuner/build"
)

// schemaTable is the only table of this package: which migrations of which series have been
// applied, by which version of the program, with the digest of their text. The format of
// the whole file is SQLite's user_version.
const schemaTable = `CREATE TABLE sakusen_schema (
	series  TEXT    NOT NULL,
	version INTEGER NOT NULL,
	sha256  TEXT    NOT NULL,
	program TEXT    NOT NULL,
	applied INTEGER NOT NULL, -- Unix seconds
	sum     INTEGER NOT NULL, -- hash of the row
	PRIMARY KEY (series, version)
) WITHOUT ROWID`

// Migrate makes the tables of one room, which are a series of steps: the first step makes
// them, each later one changes what is there. All missing steps are one transaction.
// Before a change the file is copied to PATH.before-<series>-<version to be reached>; a
// series that is new to the file only adds tables, and nothing is copied. On a handle for
// reading nothing is changed and the version is only verified.
// Otherwise, and where the file has more steps, it returns a [*SchemaError].
func (db *DB) Migrate(ctx context.Context, series string, steps ...string) error {
	have, err := db.Version(ctx, series)
	if err != nil {
		return err
	}
	know := len(steps)
	switch {
	case have == know:
		return nil
	case have > know || !db.Writable():
		return &SchemaError{Path: db.path, Series: series, Have: have, Know: know, Program: writtenBy(ctx, db.reader)}
	}
	if have > 0 {
		db.point("migration.begin")
		copyPath := fmt.Sprintf("%s.before-%s-%d", db.path, series, know)
		if err := db.copyTo(ctx, copyPath, true); err != nil {
			return fmt.Errorf("copy before migration: %w", err)
		}
		db.told(fmt.Sprintf("the tables of %s change; a copy of it as it was is in %s", db.path, copyPath))
		db.point("migration.copied")
	}
	if err := db.apply(ctx, series, have, steps); err != nil {
		return fmt.Errorf("%s: migrate %s from version %d to %d: %w", db.path, series, have, know, err)
	}
	db.point("migration.done")
	return nil
}

// apply runs the steps after the first have in one transaction. Foreign keys are off
// for that time, since a table that others refer to can only be rebuilt so, and checked before
// the end; the pragma has no effect inside a transaction.
func (db *DB) apply(ctx context.Context, series string, have int, steps []string) (err error) {
	ctx = context.WithoutCancel(ctx)
	conn, err := db.writer.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	if _, err := conn.ExecContext(ctx, "PRAGMA foreign_keys = off"); err != nil {
		return err
	}
	defer func() {
		_, on := conn.ExecContext(ctx, "PRAGMA foreign_keys = on")
		err = errors.Join(err, on)
	}()
	tx, err := conn.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	for i, text := range steps[have:] {
		if _, err := tx.ExecContext(ctx, text); err != nil {
			return fmt.Errorf("step %d: %w", have+i+1, err)
		}
		if _, err := tx.ExecContext(ctx, "INSERT INTO sakusen_schema VALUES (?1, ?2, ?3, ?4, ?5, seal(?1, ?2, ?3, ?4, ?5))",
			series, have+i+1, textDigest(text), build.Version, time.Now().Unix()); err != nil {
			return err
		}
		db.point("migration.step")
	}
	broken, err := foreignKeys(ctx, tx)
	if err != nil {
		return err
	}
	if len(broken) > 0 {
		return fmt.Errorf("foreign keys do not hold afterwards: %s", broken[0])
	}
	return db.failedSync(tx.Commit())
}

// Version returns the schema version of a series in the file, 0 if it has none.
func (db *DB) Version(ctx context.Context, series string) (int, error) {
	var version sql.NullInt64
	if err := db.reader.QueryRowContext(ctx, "SELECT max(version) FROM sakusen_schema WHERE series = ?", series).Scan(&version); err != nil {
		return 0, fmt.Errorf("%s: schema version: %w", db.path, err)
	}
	if !version.Valid {
		return 0, schemaRows.Refuse(ctx, db, "TRUE")
	}
	return int(version.Int64), nil
}

// checkFormat compares the format of a file of ours with the one that this program reads.
func checkFormat(ctx context.Context, handle *sql.DB, path string) error {
	var format int
	if err := handle.QueryRowContext(ctx, "PRAGMA user_version").Scan(&format); err != nil {
		return fmt.Errorf("%s: format: %w", path, err)
	}
	if format != build.Format {
		return &FormatError{Path: path, Have: format, Program: writtenBy(ctx, handle)}
	}
	return nil
}

// writtenBy returns the version of the program that last made or changed tables in the
// file, empty if the file does not say it.
func writtenBy(ctx context.Context, handle *sql.DB) (version string) {
	row := handle.QueryRowContext(ctx, "SELECT program FROM sakusen_schema ORDER BY applied DESC, version DESC LIMIT 1")
	if row.Scan(&version) != nil {
		return ""
	}
	return version
}

func textDigest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// object is a table, an index or a trigger.
type object struct{ kind, name, table, text string }

// CheckSchema compares the tables, indexes and triggers of a file with those that
// the migrations of a series make, and the migrations with those that were
// applied, and lists what differs: what was dropped, changed, or, of triggers,
// added. So the text of a step that has made files never changes, nor its comments.
func (db *DB) CheckSchema(ctx context.Context, series string, steps ...string) ([]string, error) {
	complaints, err := db.checkApplied(ctx, series, steps)
	if err != nil {
		return nil, err
	}
	want, err := madeBy(ctx, steps)
	if err != nil {
		return nil, fmt.Errorf("migrations of %s: %w", series, err)
	}
	have, err := objects(ctx, db.reader)
	if err != nil {
		return nil, err
	}
	tables := map[string]bool{}
	for _, w := range want {
		tables[w.table] = true
		i := slices.IndexFunc(have, func(o object) bool { return o.kind == w.kind && o.name == w.name })
		switch {
		case i < 0:
			complaints = append(complaints, fmt.Sprintf("schema: the %s %s is gone", w.kind, w.name))
		case have[i] != w:
			complaints = append(complaints, fmt.Sprintf("schema: the %s %s was changed", w.kind, w.name))
		}
	}
	for _, h := range have {
		if h.kind == "trigger" && tables[h.table] && !slices.Contains(want, h) && !slices.ContainsFunc(want, func(o object) bool { return o.name == h.name }) {
			complaints = append(complaints, fmt.Sprintf("schema: the trigger %s on %s is not ours", h.name, h.table))
		}
	}
	return complaints, nil
}

// checkApplied compares the migrations with those that the file says were
// applied.
func (db *DB) checkApplied(ctx context.Context, series string, steps []string) (complaints []string, err error) {
	n := 0
	err = Each(ctx, db.reader, "SELECT version, sha256 FROM sakusen_schema WHERE series = ? ORDER BY version", []any{series}, func(rows *sql.Rows) error {
		var version int
		var sha string
		err := rows.Scan(&version, &sha)
		if n >= len(steps) || version != n+1 || sha != textDigest(steps[n]) {
			complaints = append(complaints, fmt.Sprintf("schema: migration %d of %s is not the one of this program", version, series))
		}
		n++
		return err
	})
	if n < len(steps) {
		complaints = append(complaints, fmt.Sprintf("schema: %d of the %d migrations of %s are noted", n, len(steps), series))
	}
	return complaints, err
}

// madeBy returns what migrations make of an empty database.
func madeBy(ctx context.Context, steps []string) ([]object, error) {
	empty, err := sql.Open("sqlite3", ":memory:")
	if err != nil {
		return nil, err
	}
	defer empty.Close()
	empty.SetMaxOpenConns(1) // each connection has a memory of its own
	for i, text := range steps {
		if _, err := empty.ExecContext(ctx, text); err != nil {
			return nil, fmt.Errorf("step %d: %w", i+1, err)
		}
	}
	return objects(ctx, empty)
}

// objects lists those that have a text: SQLite's own indexes have none.
func objects(ctx context.Context, q Querier) ([]object, error) {
	return Rows(ctx, q, func(scan func(...any) error) (o object, err error) {
		err = scan(&o.kind, &o.name, &o.table, &o.text)
		return o, err
	}, "SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY type, name")
}

package sqlitedb

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"strconv"
	"time"
)

// schemaTable is the only table of this package: which migrations of which
// series have been applied, with the digest of their text.
const schemaTable = `CREATE TABLE sakusen_schema (
	series  TEXT    NOT NULL,
	version INTEGER NOT NULL,
	file    TEXT    NOT NULL,
	sha256  TEXT    NOT NULL,
	applied INTEGER NOT NULL, -- Unix seconds
	PRIMARY KEY (series, version)
) WITHOUT ROWID`

// migrationName is NNNN_what.sql.
var migrationName = regexp.MustCompile(`^([0-9]{4})_[a-z0-9_]+\.sql$`)

// migration is one step of a series.
type migration struct {
	version int
	file    string
	text    string
}

// Migrate brings the series of one room up to the last file in files, whose
// top level holds 0001_what.sql, 0002_what.sql and so on without a gap. All
// missing steps are one transaction. Before it, a file that has the series at an
// older version is copied to PATH.before-<series>-<version to be reached>; a
// series that is new to the file only adds tables, and nothing is copied. On a
// handle for reading nothing is changed and the version is only verified.
// Errors: [*NewerError], and on a handle for reading [*OlderError].
func (db *DB) Migrate(ctx context.Context, series string, files fs.FS) error {
	steps, err := readSeries(series, files)
	if err != nil {
		return err
	}
	have, err := db.Version(ctx, series)
	if err != nil {
		return err
	}
	know := len(steps)
	switch {
	case have > know:
		return &NewerError{Path: db.path, Series: series, Have: have, Know: know}
	case have == know:
		return nil
	case !db.Writable():
		return &OlderError{Path: db.path, Series: series, Have: have, Know: know}
	}
	if have > 0 {
		db.point("migration.begin")
		copyPath := fmt.Sprintf("%s.before-%s-%d", db.path, series, know)
		if err := db.copyTo(ctx, copyPath, true); err != nil {
			return fmt.Errorf("copy before migration: %w", err)
		}
		db.told(fmt.Sprintf("%s is of an older program; a copy of it as it was is in %s", db.path, copyPath))
		db.point("migration.copied")
	}
	if err := db.apply(ctx, series, steps[have:]); err != nil {
		return fmt.Errorf("%s: migrate %s from version %d to %d: %w", db.path, series, have, know, err)
	}
	db.point("migration.done")
	return nil
}

// apply runs steps in one transaction. Foreign keys are off meanwhile, since
// a table that others refer to can only be rebuilt so, and checked before
// the end; the pragma has no effect inside a transaction.
func (db *DB) apply(ctx context.Context, series string, steps []migration) (err error) {
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
	for _, step := range steps {
		if _, err := tx.ExecContext(ctx, step.text); err != nil {
			return fmt.Errorf("%s: %w", step.file, err)
		}
		if _, err := tx.ExecContext(ctx, "INSERT INTO sakusen_schema VALUES (?, ?, ?, ?, ?)",
			series, step.version, step.file, textDigest(step.text), time.Now().Unix()); err != nil {
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

// Version is the schema version of a series in the file, 0 if it has none.
func (db *DB) Version(ctx context.Context, series string) (int, error) {
	var version sql.NullInt64
	var known int
	err := db.reader.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'sakusen_schema'").Scan(&known)
	if err == nil && known > 0 {
		err = db.reader.QueryRowContext(ctx, "SELECT max(version) FROM sakusen_schema WHERE series = ?", series).Scan(&version)
	}
	if err != nil {
		return 0, fmt.Errorf("%s: schema version: %w", db.path, err)
	}
	return int(version.Int64), nil
}

func readSeries(series string, files fs.FS) ([]migration, error) {
	entries, err := fs.ReadDir(files, ".")
	if err != nil {
		return nil, fmt.Errorf("migrations of %s: %w", series, err)
	}
	var steps []migration
	for _, entry := range entries {
		match := migrationName.FindStringSubmatch(entry.Name())
		if match == nil {
			return nil, fmt.Errorf("migrations of %s: %s: expected a name like 0001_what.sql", series, entry.Name())
		}
		version, err := strconv.Atoi(match[1])
		if err != nil {
			return nil, fmt.Errorf("migrations of %s: %s: %w", series, entry.Name(), err)
		}
		if version != len(steps)+1 {
			return nil, fmt.Errorf("migrations of %s: %s: expected version %04d next", series, entry.Name(), len(steps)+1)
		}
		text, err := fs.ReadFile(files, entry.Name())
		if err != nil {
			return nil, fmt.Errorf("migrations of %s: %w", series, err)
		}
		steps = append(steps, migration{version: version, file: entry.Name(), text: string(text)})
	}
	return steps, nil
}

func textDigest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

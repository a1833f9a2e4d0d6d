package sqlitedb

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// MigrationState is the state of one room's migrations in a file.
type MigrationState struct {
	Name    string
	Version int // last applied migration
}

// Report is what Check found.
type Report struct {
	Integrity   []string         // complaints of PRAGMA integrity_check
	ForeignKeys []string         // rows whose parent is missing
	Series      []MigrationState // by name
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

func seriesIn(ctx context.Context, q Querier) ([]MigrationState, error) {
	return Rows(ctx, q, func(scan func(...any) error) (one MigrationState, err error) {
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

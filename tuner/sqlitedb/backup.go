package sqlitedb

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

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
	if err := db.vacuumInto(ctx, half); err != nil {
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

// vacuumInto writes the copy. The connection reads first: one that has read nothing
// since the pages got checksums would leave no room for them in the copy.
func (db *DB) vacuumInto(ctx context.Context, path string) error {
	conn, err := db.reader.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	if _, err := texts(ctx, conn, "SELECT name FROM sqlite_schema LIMIT 1"); err != nil {
		return err
	}
	_, err = conn.ExecContext(ctx, "VACUUM INTO ?", dsn(path, copyQuery))
	return err
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

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

package sqlitedb

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"time"

	"sakusen/tuner/sqlitedb/pagesum"
)

// reservedAt is where the header of a database says how many bytes at the end of
// each page are left alone (sqlite.org, "Database File Format", 1.3.4).
const reservedAt = 20

// AddSums gives a database whose pages have no checksums some, by writing the whole
// file anew: one of an older program, or one that another program has written
// without. What fails leaves it as it was. On a handle for reading it does nothing.
func (db *DB) AddSums(ctx context.Context) error {
	if !db.Writable() {
		return nil
	}
	has, err := db.summed()
	switch {
	case err != nil:
		return err
	case pagesum.Layer == "" && has:
		return &ReadOnlyError{Path: db.path, What: "its pages have checksums", Cause: errors.New("this build cannot write them")}
	case pagesum.Layer == "" || has:
		return nil
	}
	conn, err := db.writer.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	if err := reserve(conn, pagesum.Bytes); err != nil {
		return fmt.Errorf("%s: page checksums: %w", db.path, err)
	}
	if _, err := conn.ExecContext(context.WithoutCancel(ctx), "VACUUM"); err != nil {
		return fmt.Errorf("%s: page checksums: %w", db.path, db.failedSync(err))
	}
	return db.settleHead(ctx, conn)
}

// settleHead copies the log into the file, so that the file's own header says that
// its pages have checksums. A later copy may leave the first page out, which has a
// newer version that readers do not see yet, and the layer goes by the file.
func (db *DB) settleHead(ctx context.Context, conn *sql.Conn) error {
	var busy, pages, copied int
	err := conn.QueryRowContext(context.WithoutCancel(ctx), "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &pages, &copied)
	switch {
	case err != nil:
		return fmt.Errorf("%s: page checksums: %w", db.path, db.failedSync(err))
	case busy != 0:
		return fmt.Errorf("%s: page checksums: another program reads the database: end it and try again", db.path)
	}
	return nil
}

// summed reports whether the pages of the database have checksums.
func (db *DB) summed() (bool, error) {
	log, err := readLog(db.path)
	if err != nil {
		return false, err
	}
	head := log.first
	if head == nil {
		head = make([]byte, headerSize)
		if _, err := db.raw.ReadAt(head, 0); err != nil && !errors.Is(err, io.EOF) {
			return false, err
		}
	}
	return head[reservedAt] == pagesum.Bytes, nil
}

// checkHead refuses a database whose header no longer says that its pages have
// checksums: SQLite would read them as others. Where the write-ahead log has the
// first page, that in the file counts for nothing.
func (db *DB) checkHead() error {
	head := make([]byte, headerSize)
	if _, err := db.raw.ReadAt(head, 0); err != nil {
		return nil // absent or cut off, which others say better
	}
	size := pageSize(head)
	if size < 512 || head[reservedAt] == pagesum.Bytes {
		return nil
	}
	page := make([]byte, size)
	if _, err := db.raw.ReadAt(page, 0); err != nil {
		return nil
	}
	had := page[reservedAt]
	page[reservedAt] = pagesum.Bytes
	if had == 0 && !pagesum.Fits(page, 1) {
		return nil // of an older program
	}
	if log, err := readLog(db.path); err != nil || log.first != nil {
		return err
	}
	return &DamagedError{Path: db.path, What: fmt.Sprintf("the header of the file is not what was written: byte %d is %d, expected %d", reservedAt, had, pagesum.Bytes)}
}

// pagesListed bounds what checkPages lists.
const pagesListed = 20

// lockPage is the byte that SQLite locks; its page is never written.
const lockPage = 1 << 30

// checkPages reads every page of the file by itself, those that hold nothing too,
// and lists what does not fit its checksum. Pages that the write-ahead log has count
// as they are there; a file of an older program has no checksums.
func (db *DB) checkPages(ctx context.Context) (complaints []string, err error) {
	head := make([]byte, headerSize)
	if _, err := db.raw.ReadAt(head, 0); err != nil || head[reservedAt] != pagesum.Bytes {
		return nil, nil // see checkHead
	}
	info, err := db.raw.Stat()
	if err != nil {
		return nil, err
	}
	size := pageSize(head)
	if size < 512 {
		return []string{fmt.Sprintf("the header of the file is not what was written: pages of %d bytes", size)}, nil
	}
	log, err := readLog(db.path)
	if err != nil {
		return nil, err
	}
	page, bad := make([]byte, size), 0
	for at := int64(0); at < info.Size(); at += size {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		number := at/size + 1
		if log.pages[number] || at == lockPage {
			continue
		}
		sound, err := db.soundPage(page, number)
		if err != nil {
			return nil, err
		}
		if !sound {
			if bad++; bad <= pagesListed {
				complaints = append(complaints, fmt.Sprintf("page %d (bytes %d to %d) is not what was written: it does not fit its checksum", number, at, at+size-1))
			}
		}
	}
	if bad > pagesListed {
		complaints = append(complaints, fmt.Sprintf("%d pages in all do not fit their checksums", bad))
	}
	return complaints, nil
}

// soundPage reads a page and compares it with its checksum. A writer may be at it,
// so that it is looked at again, and may have put it into the log meanwhile.
func (db *DB) soundPage(page []byte, number int64) (bool, error) {
	for try := 0; ; try++ {
		n, err := db.raw.ReadAt(page, (number-1)*int64(len(page)))
		if err != nil && !errors.Is(err, io.EOF) {
			return false, err
		}
		if n == len(page) && pagesum.Fits(page, number) {
			return true, nil
		}
		log, err := readLog(db.path)
		if err != nil || log.pages[number] {
			return true, err
		}
		if try == 3 {
			return false, nil
		}
		time.Sleep(10 * time.Millisecond)
	}
}

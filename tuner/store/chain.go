package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"

	"sakusen/tuner/entry"
	"sakusen/tuner/store/sqlitedb"
)

// chainSize is the size of a link of the chain, in bytes.
const chainSize = 16

// firstLink is the link before a log's first entry. It depends on what the study is, so
// that a log cannot be moved to another study.
func firstLink(specHash, signatures string) []byte {
	h := sha256.New()
	fmt.Fprintf(h, "log %d %s %d %s", len(specHash), specHash, len(signatures), signatures)
	return h.Sum(nil)[:chainSize]
}

// nextLink is an entry's link: the hash of its predecessor's and of all that it
// says.
func nextLink(before []byte, kind entry.Kind, created int64, payload []byte) []byte {
	h := sha256.New()
	h.Write(before)
	var n [8]byte
	for _, x := range []uint64{uint64(created), uint64(len(kind))} {
		binary.BigEndian.PutUint64(n[:], x)
		h.Write(n[:])
	}
	h.Write([]byte(kind))
	h.Write(payload)
	return h.Sum(nil)[:chainSize]
}

// link is the last entry of a log: its number and its link.
type link struct {
	seq  int
	hash []byte
}

// follow compares the end of the log in the file with the end that this process knows, and
// returns it.
func (l *Log) follow(tx *sql.Tx) (link, error) {
	last := link{hash: firstLink(l.header.SpecHash, l.header.Signatures)}
	err := tx.QueryRow("SELECT seq, chain FROM entries WHERE study_id = ? ORDER BY seq DESC LIMIT 1", l.id).Scan(&last.seq, &last.hash)
	switch {
	case err != nil && !errors.Is(err, sql.ErrNoRows):
		return last, err
	case l.last == nil:
		return last, nil
	case l.last.seq != last.seq:
		return last, &OtherWriterError{Want: l.last.seq, Have: last.seq}
	case !bytes.Equal(l.last.hash, last.hash):
		return last, l.store.changes.Damage(fmt.Sprintf("study %s: log entry %d is not the one that this process has left", l.header.Name, last.seq))
	}
	return last, nil
}

// readChain reads a study's log from the beginning, checks every link and returns the last
// one. If the log is not what was written, the error is a [*sqlitedb.DamagedError].
func readChain(ctx context.Context, s *Store, study int, specHash, signatures string, each func(entry.Entry)) (*link, error) {
	tx, err := s.db.Reader().BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return nil, err
	}
	defer tx.Rollback()
	end := link{hash: firstLink(specHash, signatures)}
	err = sqlitedb.EachRow(tx, "SELECT seq, kind, created, payload, chain FROM entries WHERE study_id = ? ORDER BY seq", []any{study}, func(rows *sql.Rows) error {
		var seq int
		var created int64
		var kind, payload string
		var hash []byte
		if err := rows.Scan(&seq, &kind, &created, &payload, &hash); err != nil {
			return err
		}
		end.seq, end.hash = end.seq+1, nextLink(end.hash, entry.Kind(kind), created, []byte(payload))
		if seq != end.seq {
			return s.changes.Damage(fmt.Sprintf("expected log entry %d, got %d", end.seq, seq))
		}
		if !bytes.Equal(hash, end.hash) {
			return s.changes.Damage(fmt.Sprintf("log entry %d is not what was written: it does not fit its hash and its predecessor's", seq))
		}
		each(entry.Entry{Kind: entry.Kind(kind), Payload: json.RawMessage(payload)})
		return nil
	})
	if err != nil {
		return nil, err
	}
	return &end, checkEnd(tx, s, study, end)
}

// checkEnd returns a [*sqlitedb.DamagedError] where a log does not end with the last entry
// that was written.
func checkEnd(tx *sql.Tx, s *Store, study int, end link) error {
	var head []byte
	err := tx.QueryRow("SELECT head FROM study_records WHERE study_id = ?", study).Scan(&head)
	if err == nil && end.seq > 0 && !bytes.Equal(head, end.hash) || err == nil && end.seq == 0 && head != nil {
		err = s.changes.Damage(fmt.Sprintf("the log ends with entry %d, which is not the last one that was written", end.seq))
	}
	return err
}

package store

import (
	"bytes"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"fmt"

	"sakusen/tuner/entry"
	"sakusen/tuner/store/sqlitedb"
)

// chainSize is the size of a link of the chain, in bytes.
const chainSize = 16

// firstLink returns the link before a log's first entry. It depends on what the study is, so
// that a log cannot be moved to another study.
func firstLink(specHash, signatures string) []byte {
	h := sha256.New()
	fmt.Fprintf(h, "log %d %s %d %s", len(specHash), specHash, len(signatures), signatures)
	return h.Sum(nil)[:chainSize]
}

// nextLink returns an entry's link: the hash of its predecessor's and of all that it
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

// chained is an entry as it is stored.
type chained struct {
	entry.Entry
	seq     int
	created int64 // Unix nanoseconds
	hash    []byte
}

// eachChained hands over the entries of the study's log from the beginning, checks every link
// and returns the last one. If the log is not what was written, the error is a
// [*sqlitedb.DamagedError].
func (t *Study) eachChained(tx *sql.Tx, specHash, signatures string, each func(chained) error) (end link, err error) {
	end.hash = firstLink(specHash, signatures)
	err = sqlitedb.EachRow(tx, "SELECT seq, kind, created, payload, chain FROM entries WHERE study_id = ? ORDER BY seq", []any{t.id}, func(rows *sql.Rows) error {
		var e chained
		if err := rows.Scan(&e.seq, &e.Kind, &e.created, (*[]byte)(&e.Payload), &e.hash); err != nil {
			return err
		}
		end.seq, end.hash = end.seq+1, nextLink(end.hash, e.Kind, e.created, e.Payload)
		if e.seq != end.seq {
			return t.db.Damage(fmt.Sprintf("expected log entry %d, got %d", end.seq, e.seq))
		}
		if !bytes.Equal(e.hash, end.hash) {
			return t.db.Damage(fmt.Sprintf("log entry %d is not what was written: it does not fit its hash and its predecessor's", e.seq))
		}
		return each(e)
	})
	if err != nil {
		return end, err
	}
	var head []byte
	err = tx.QueryRow("SELECT head FROM study_records WHERE study_id = ?", t.id).Scan(&head)
	if err == nil && end.seq > 0 && !bytes.Equal(head, end.hash) || err == nil && end.seq == 0 && head != nil {
		err = t.db.Damage(fmt.Sprintf("the log ends with entry %d, which is not the last one that was written", end.seq))
	}
	return end, err
}

// readChain reads the study's log and its last link, as eachChained does.
func (t *Study) readChain(tx *sql.Tx, specHash, signatures string) (all []entry.Entry, last *link, err error) {
	end, err := t.eachChained(tx, specHash, signatures, func(e chained) error {
		all = append(all, e.Entry)
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	return all, &end, nil
}

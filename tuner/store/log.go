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

	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/store/goptunadb"
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

// Log is one study's append-only log, and its trials. One goroutine owns it; its
// entries are numbered from 1, and a trigger in the file refuses to change or
// drop any.
type Log struct {
	db     *sqlitedb.DB
	id     int
	header Header
	last   *link          // the last entry; nil where the log was not read yet
	axes   goptunadb.Axes // of the parameters that it has written
}

var (
	_ tuner.Record   = (*Log)(nil)
	_ tuner.Receiver = (*Log)(nil)
)

// ID returns the study's id.
func (l *Log) ID() int { return l.id }

// Header returns what the study is.
func (l *Log) Header() Header { return l.header }

// Entries reads the log from the beginning. One that is not what was written, by
// its chain of hashes or the hash of the study's row, is a [*sqlitedb.DamagedError].
func (l *Log) Entries(ctx context.Context) (all []entry.Entry, err error) {
	if err := studyRows.Refuse(ctx, l.db, "study_id = ?", l.id); err != nil {
		return nil, err
	}
	err = l.db.Read(ctx, func(tx *sql.Tx) error {
		all, l.last, err = (&Study{l.db, l.id}).readChain(tx, l.header.SpecHash, l.header.Signatures)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("log of study %q: %w", l.header.Name, err)
	}
	return all, nil
}

// Append adds an entry in one transaction with what edit, unless nil, does to
// the trials: both are kept, or neither. It follows the last entry that this log
// has read or written: where the file has others since, because another process
// writes to the study, nothing is added and the error is an otherWriterError.
// An attempt, a verdict and what ends a study are on the disk when Append returns; what the study
// would come to again is there a little later.
func (l *Log) Append(ctx context.Context, e entry.Entry, edit func(tuner.Trials) error) error {
	if e.Kind == "" || !json.Valid(e.Payload) {
		return fmt.Errorf("log of study %q: entry %q: expected a kind and JSON, got %.40q", l.header.Name, e.Kind, e.Payload)
	}
	change := l.db.ChangeReplayable
	switch e.Kind {
	case entry.KindAttempt, entry.KindDifferent, entry.KindValidation:
		change = l.db.Change
	}
	var next link
	err := change(ctx, string(e.Kind), func(c *sqlitedb.Change) (err error) {
		next, err = l.add(c, e, edit)
		return err
	})
	if err != nil {
		clear(l.axes) // the rows that they name may be gone
		return fmt.Errorf("log of study %q: %s: %w", l.header.Name, e.Kind, err)
	}
	l.last = &next
	return nil
}

// add does what Append does, as part of a change.
func (l *Log) add(c *sqlitedb.Change, e entry.Entry, edit func(tuner.Trials) error) (link, error) {
	last, err := l.follow(c.Tx)
	if err != nil {
		return link{}, err
	}
	now := c.Now().UnixNano()
	next := link{last.seq + 1, nextLink(last.hash, e.Kind, now, e.Payload)}
	if edit != nil {
		if err := edit(goptunadb.NewWriter(c, l.id, l.axes)); err != nil {
			return link{}, err
		}
	}
	_, err = c.Exec("INSERT INTO entries (study_id, seq, kind, payload, created, chain) VALUES (?, ?, ?, ?, ?, ?)",
		l.id, next.seq, string(e.Kind), string(e.Payload), now, next.hash)
	if err != nil {
		return link{}, err
	}
	_, err = c.Exec("UPDATE study_records SET updated = ?, head = ? WHERE study_id = ?", now, next.hash, l.id)
	return next, err
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
		return last, &otherWriterError{Want: l.last.seq, Have: last.seq}
	case !bytes.Equal(l.last.hash, last.hash):
		return last, l.db.Damage(fmt.Sprintf("study %s: log entry %d is not the one that this process has left", l.header.Name, last.seq))
	}
	return last, nil
}

// grow gives a study a larger budget. One that is done goes on: its log says so, and
// its verdict stays there; it is queued, and has no result until it comes to the next.
func (l *Log) grow(c *sqlitedb.Change, want *Header) error {
	set, values := "budget_trials = ?, budget_games = ?, spec = ?, updated = ?", []any{want.BudgetTrials, want.BudgetGames, want.Spec, c.Now().UnixNano()}
	var state string
	if err := c.Tx.QueryRow("SELECT state FROM study_records WHERE study_id = ?", l.id).Scan(&state); err != nil {
		return err
	}
	if state == string(tuner.Done) {
		if want.BudgetTrials == l.header.BudgetTrials && want.BudgetGames == l.header.BudgetGames {
			return nil // what follows a verdict has been played
		}
		payload, err := json.Marshal(entry.Grow{
			From: entry.Spent{Trials: l.header.BudgetTrials, Games: l.header.BudgetGames}, To: entry.Spent{Trials: want.BudgetTrials, Games: want.BudgetGames},
		})
		if err != nil {
			return err
		}
		if _, err := l.add(c, entry.Entry{Kind: entry.KindGrow, Payload: payload}, nil); err != nil {
			return err
		}
		set, values = set+", state = ?, message = '', result = NULL", append(values, string(tuner.Queued))
	}
	_, err := studyRows.Update(c, "study_id = ?", []any{l.id}, set, values...)
	return err
}

// SetState moves the study to a state, with a message that says why, which
// may be empty.
func (l *Log) SetState(ctx context.Context, state tuner.State, message string) error {
	if !state.Valid() {
		return fmt.Errorf("study %q: state: expected queued, running, paused, stopped, failed or done, got %q", l.header.Name, state)
	}
	return l.write(ctx, "state", "state = ?, message = ?, updated = ?", string(state), message, l.db.Now().UnixNano())
}

// SetGames notes how many games the study has played so far, for listings.
func (l *Log) SetGames(ctx context.Context, games int64) error {
	err := l.db.ChangeReplayable(ctx, "games", func(c *sqlitedb.Change) error {
		_, err := c.Exec("UPDATE study_records SET games = ? WHERE study_id = ?", games, l.id)
		return err
	})
	if err != nil {
		return fmt.Errorf("study %q: games: %w", l.header.Name, err)
	}
	return nil
}

// Finish stores the result, as JSON, and the state Done.
func (l *Log) Finish(ctx context.Context, result json.RawMessage) error {
	if !json.Valid(result) {
		return fmt.Errorf("study %q: result: expected JSON, got %.40q", l.header.Name, result)
	}
	return l.write(ctx, "finish", "state = ?, message = '', result = ?, updated = ?", string(tuner.Done), string(result), l.db.Now().UnixNano())
}

// setSource keeps the study file of which the header was made, so that the
// study can be taken up again without it.
func (l *Log) setSource(ctx context.Context, s Source) error {
	return l.write(ctx, "source", "source_name = ?, source = ?", s.Name, s.Text)
}

// SetPriority returns an error that says how urgent the study is: higher is sooner, 0 is usual.
func (l *Log) SetPriority(ctx context.Context, priority int) error {
	return l.write(ctx, "priority", "priority = ?", priority)
}

// Given returns the points that were given to the study, in the order in which they came.
func (l *Log) Given(ctx context.Context) (all []param.Values, err error) {
	err = l.db.Read(ctx, func(tx *sql.Tx) error {
		all, err = (&Study{l.db, l.id}).given(tx)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("points given: %w", err)
	}
	return all, nil
}

// write changes the study's row, in a transaction whose kill points have the label.
func (l *Log) write(ctx context.Context, label, set string, values ...any) error {
	err := l.db.Change(ctx, label, func(c *sqlitedb.Change) error {
		_, err := studyRows.Update(c, "study_id = ?", []any{l.id}, set, values...)
		return err
	})
	if err != nil {
		return fmt.Errorf("study %q: %s: %w", l.header.Name, label, err)
	}
	return nil
}

// restart keeps a study's log under another name, which it returns, and creates the study
// anew, empty. Where its games are exact the new log takes over the number of an attempt that
// has no verdict, also where another candidate wins.
func (l *Log) restart(c *sqlitedb.Change, worker string, a Anew) (archived string, err error) {
	if err := studyRows.RefuseTx(c.Tx, "study_id = ?", l.id); err != nil { // before its name changes, which its hash is over
		return "", err
	}
	// No study file's name has an @, but another program's study may have any name.
	for n, taken := 1, true; taken; n++ {
		archived = fmt.Sprintf("%s@%d", l.header.Name, n)
		if err := c.Tx.QueryRow("SELECT EXISTS (SELECT 1 FROM sakusen_studies WHERE name = ?)", archived).Scan(&taken); err != nil {
			return "", err
		}
	}
	if err := goptunadb.SetStudyName(c, l.id, archived); err != nil {
		return "", err
	}
	now := c.Now().UnixNano()
	message := fmt.Sprintf("void: the blocks of worker %s were dropped", worker)
	if _, err := c.Exec("UPDATE study_records SET state = ?, message = ?, updated = ? WHERE study_id = ?", string(tuner.Stopped), message, now, l.id); err != nil {
		return "", err
	}
	if err := studyRows.Seal(c.Tx, "study_id = ?", l.id); err != nil {
		return "", err
	}
	id, err := goptunadb.CreateStudy(c, l.header.Name, l.header.Direction)
	if err != nil {
		return "", err
	}
	_, err = c.Exec(`INSERT INTO study_records (study_id, state, message, game, strategy, baseline, spec, spec_sha256, signatures, budget_trials, budget_games, updated, priority, source_name, source)
		SELECT ?, ?, ?, game, strategy, baseline, spec, spec_sha256, signatures, budget_trials, budget_games, ?, priority, source_name, source
		FROM study_records WHERE study_id = ?`, id, string(a.State), a.Message, now, l.id)
	if err == nil {
		err = studyRows.Seal(c.Tx, "study_id = ?", id)
	}
	if err == nil { // what people gave it: points to try, and a note
		err = goptunadb.CopyStudyAttrs(c, l.id, id, "owner = 'system' AND key GLOB ?3 OR owner = 'user' AND key = ?4", givenKeys+"*", noteKey)
	}
	if err == nil && a.Exact {
		var verdicts int
		if err = c.Tx.QueryRow("SELECT count(*) FROM entries WHERE study_id = ? AND kind = ?", l.id, string(entry.KindValidation)).Scan(&verdicts); err == nil {
			_, err = attemptRows.Update(c, "study_id = ? AND occasion >= ?", []any{l.id, verdicts}, "winner = ?", reserved)
		}
	}
	if err == nil { // the number that it has for a validation to come
		_, err = c.Exec("UPDATE validation_attempts SET study_id = ? WHERE study_id = ? AND winner = ?", id, l.id, reserved)
	}
	return archived, err // its other attempts stay with the former log: see Log.Attempt
}

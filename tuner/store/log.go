package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/c-bata/goptuna"

	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/store/goptunadb"
	"sakusen/tuner/store/sqlitedb"
)

// Log is one study's append-only log, and its trials. One goroutine owns it; its
// entries are numbered from 1, and a trigger in the file refuses to change or
// drop any.
type Log struct {
	store  *Store
	id     int
	header Header
	last   *link          // the last entry; nil where the log was not read yet
	axes   goptunadb.Axes // of the parameters that it has written
}

var _ tuner.Record = (*Log)(nil)

func newLog(s *Store, h Header) *Log {
	return &Log{store: s, header: h, axes: goptunadb.Axes{}}
}

// CreateStudy creates a study, queued, with an empty log. A name that is
// taken is [ErrStudyExists].
func (s *Store) CreateStudy(ctx context.Context, h Header) (*Log, error) {
	return createStudy(ctx, s, h, Source{}, 0)
}

// createStudy is CreateStudy with the file and the priority, in one transaction, so that
// neither a crash nor a daemon that reads the queue can find the study without them.
func createStudy(ctx context.Context, s *Store, h Header, src Source, priority int) (*Log, error) {
	if h.Direction == "" {
		h.Direction = goptuna.StudyDirectionMinimize
	}
	if h.Name == "" {
		return nil, errors.New("create study: expected a name, got an empty one")
	}
	l := newLog(s, h)
	err := s.changes.Change(ctx, "create", func(c *sqlitedb.Change) (err error) {
		if l.id, err = goptunadb.CreateStudy(c, h.Name, h.Direction); err != nil {
			return err
		}
		_, err = c.Exec(`INSERT INTO study_records (study_id, state, game, strategy, baseline, spec, spec_sha256, signatures, budget_trials, budget_games, updated, source_name, source, priority)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, l.id, string(tuner.Queued), h.Game, h.Strategy, h.Baseline, h.Spec, h.SpecHash,
			h.Signatures, h.BudgetTrials, h.BudgetGames, c.Now().UnixNano(), src.Name, src.Text, priority)
		if err == nil {
			err = studyRows.Seal(c.Tx, "study_id = ?", l.id)
		}
		if err == nil && h.Question != nil {
			q := *h.Question
			q.Winner = reserved
			_, err = l.reserve(c, &q, 0)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	l.last = &link{hash: firstLink(h.SpecHash, h.Signatures)}
	return l, nil
}

// OpenStudy opens the log of an existing study, for reading or for going on
// with it as it is; [ErrStudyNotFound] if there is none,
// [*ForeignStudyError] if it has no log.
func (s *Store) OpenStudy(ctx context.Context, name string) (*Log, error) {
	l := newLog(s, Header{})
	h := &l.header
	err := s.db.Reader().QueryRowContext(ctx, `SELECT s.study_id, s.name, s.direction, r.game, r.strategy, r.baseline, r.spec, r.spec_sha256, r.signatures, r.budget_trials, r.budget_games
		FROM sakusen_studies s JOIN study_records r USING (study_id) WHERE s.name = ?`, name).Scan(&l.id, &h.Name, &h.Direction,
		&h.Game, &h.Strategy, &h.Baseline, &h.Spec, &h.SpecHash, &h.Signatures, &h.BudgetTrials, &h.BudgetGames)
	if errors.Is(err, sql.ErrNoRows) {
		if _, err := s.Details(ctx, name); err != nil {
			return nil, err
		}
		return nil, fmt.Errorf("%q: %w", name, ErrStudyNotFound)
	}
	if err != nil {
		return nil, fmt.Errorf("open study %q: %w", name, err)
	}
	return l, nil
}

// ResumeStudy opens the study of the header's name to go on with it, or
// creates it if there is none. An existing one must have the same spec and
// signatures and may only get a larger budget: [*OtherSpecError],
// [*OtherCodeError], [*SmallerBudgetError].
func (s *Store) ResumeStudy(ctx context.Context, want Header) (l *Log, created bool, err error) {
	return s.ResumeFile(ctx, want, Source{}, 0)
}

// ResumeFile is ResumeStudy of a study file: a study is created with it and its
// urgency, and one that has no file gets it.
func (s *Store) ResumeFile(ctx context.Context, want Header, src Source, priority int) (l *Log, created bool, err error) {
	l, err = s.OpenStudy(ctx, want.Name)
	if errors.Is(err, ErrStudyNotFound) {
		l, err = createStudy(ctx, s, want, src, priority)
		if !errors.Is(err, ErrStudyExists) {
			return l, err == nil, err
		}
		// Another process was faster; the study counts as there from the start.
		l, err = s.OpenStudy(ctx, want.Name)
	}
	if err != nil {
		return nil, false, err
	}
	if err := l.header.Admits(&want); err != nil {
		return nil, false, err
	}
	if have, err := s.Source(ctx, l.id); err != nil {
		return nil, false, err
	} else if have.Text == "" && src.Text != "" {
		if err := l.SetSource(ctx, src); err != nil {
			return nil, false, err
		}
	}
	if want.BudgetTrials == l.header.BudgetTrials && want.BudgetGames == l.header.BudgetGames {
		return l, false, nil
	}
	err = s.changes.Change(ctx, "budget", func(c *sqlitedb.Change) error { return l.grow(c, &want) })
	if err != nil {
		return nil, false, err
	}
	l.header.BudgetTrials, l.header.BudgetGames, l.header.Spec = want.BudgetTrials, want.BudgetGames, want.Spec
	return l, false, nil
}

// grow gives a study a larger budget. One that is done goes on: its log says so, and
// its verdict stays there; it is queued, and has no result until it comes to the next.
func (l *Log) grow(c *sqlitedb.Change, want *Header) error {
	if err := studyRows.RefuseTx(c, "study_id = ?", l.id); err != nil {
		return err
	}
	var state string
	if err := c.Tx.QueryRow("SELECT state FROM study_records WHERE study_id = ?", l.id).Scan(&state); err != nil {
		return err
	}
	if state == string(tuner.Done) {
		payload, err := json.Marshal(entry.Grow{
			From: entry.Spent{Trials: l.header.BudgetTrials, Games: l.header.BudgetGames}, To: entry.Spent{Trials: want.BudgetTrials, Games: want.BudgetGames},
		})
		if err != nil {
			return err
		}
		if _, err := l.add(c, entry.Entry{Kind: entry.KindGrow, Payload: payload}, nil); err != nil {
			return err
		}
		if _, err := c.Exec("UPDATE study_records SET state = ?, message = '', result = NULL WHERE study_id = ?", string(tuner.Queued), l.id); err != nil {
			return err
		}
	}
	_, err := c.Exec("UPDATE study_records SET budget_trials = ?, budget_games = ?, spec = ?, updated = ? WHERE study_id = ?",
		want.BudgetTrials, want.BudgetGames, want.Spec, c.Now().UnixNano(), l.id)
	if err != nil {
		return err
	}
	return studyRows.Seal(c.Tx, "study_id = ?", l.id)
}

// ID is the study's id.
func (l *Log) ID() int { return l.id }

// Header is what the study is.
func (l *Log) Header() Header { return l.header }

// Entries is the log from the beginning. One that is not what was written, by
// its chain of hashes or the hash of the study's row, is a [*sqlitedb.DamagedError].
func (l *Log) Entries(ctx context.Context) ([]entry.Entry, error) {
	if err := studyRows.Refuse(ctx, l.store.db, "study_id = ?", l.id); err != nil {
		return nil, err
	}
	var all []entry.Entry
	end, err := readChain(ctx, l.store, l.id, l.header.SpecHash, l.header.Signatures, func(e entry.Entry) { all = append(all, e) })
	if err != nil {
		return nil, fmt.Errorf("log of study %q: %w", l.header.Name, err)
	}
	l.last = end
	return all, nil
}

// Append adds an entry in one transaction with what edit, unless nil, does to
// the trials: both are kept, or neither. It follows the last entry that this log
// has read or written: where the file has others since, because another process
// writes to the study, nothing is added and the error is an [*OtherWriterError].
// An attempt, a verdict and what ends a study are on the disk when Append returns; what the study
// would come to again is there a little later.
func (l *Log) Append(ctx context.Context, e entry.Entry, edit func(tuner.Trials) error) error {
	if e.Kind == "" || !json.Valid(e.Payload) {
		return fmt.Errorf("log of study %q: entry %q: expected a kind and JSON, got %.40q", l.header.Name, e.Kind, e.Payload)
	}
	change := l.store.changes.ChangeReplayable
	switch e.Kind {
	case entry.KindAttempt, entry.KindDifferent, entry.KindValidation:
		change = l.store.changes.Change
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

// add is Append as part of a change.
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

// SetState moves the study to a state, with a message that says why, which
// may be empty.
func (l *Log) SetState(ctx context.Context, state tuner.State, message string) error {
	if !state.Valid() {
		return fmt.Errorf("study %q: state: expected queued, running, paused, stopped, failed or done, got %q", l.header.Name, state)
	}
	return l.write(ctx, "state", "UPDATE study_records SET state = ?, message = ?, updated = ? WHERE study_id = ?",
		string(state), message, l.store.changes.Now().UnixNano(), l.id)
}

// SetGames notes how many games the study has played so far, for listings.
func (l *Log) SetGames(ctx context.Context, games int64) error {
	err := l.store.changes.ChangeReplayable(ctx, "games", func(c *sqlitedb.Change) error {
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
	return l.write(ctx, "finish", "UPDATE study_records SET state = ?, message = '', result = ?, updated = ? WHERE study_id = ?",
		string(tuner.Done), string(result), l.store.changes.Now().UnixNano(), l.id)
}

// write runs one statement that changes the study's row, in a transaction whose kill points have the label.
func (l *Log) write(ctx context.Context, label, query string, args ...any) error {
	err := l.store.changes.Change(ctx, label, func(c *sqlitedb.Change) error {
		if err := studyRows.RefuseTx(c, "study_id = ?", l.id); err != nil {
			return err
		}
		if _, err := c.Exec(query, args...); err != nil {
			return err
		}
		return studyRows.Seal(c.Tx, "study_id = ?", l.id)
	})
	if err != nil {
		return fmt.Errorf("study %q: %s: %w", l.header.Name, label, err)
	}
	return nil
}

package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/c-bata/goptuna"

	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/store/goptunadb"
	"sakusen/tuner/store/sqlitedb"
)

// Listing is one study as lists show it. It is read from the file with one
// query for all studies, whose cost does not grow with their trials.
type Listing struct {
	ID       int
	State    tuner.State
	Message  string // why it failed or was stopped
	Header          // Spec is empty in a list
	Trials   int    // asked so far
	Games    int64  // played so far, as last told
	Priority int    // higher is sooner
	Created  time.Time
	Updated  time.Time
	Finished bool // it has a result
	// Interrupted says that the file calls the study Running, but no process writes the
	// file: it was killed and can be resumed.
	Interrupted bool
	// Incumbent is the payload of the last entry of that kind, and Summary the
	// result without its lists; both are nil where there is none.
	Incumbent, Summary json.RawMessage
	// Brief is what lists show of the spec, as JSON: doc, objective, validation,
	// evaluate.
	Brief json.RawMessage
	// Pending is the spec of a study without a result.
	Pending json.RawMessage
	// Foreign says that a program keeps the study with Goptuna's API: it has trials, but
	// no log, spec, game or result. Its state is [Foreign].
	Foreign bool
}

// Foreign is the state of studies that are not of this program.
const Foreign tuner.State = "foreign"

// Details are a study as "study show" shows it.
type Details struct {
	Listing
	Entries int             // length of the log
	Result  json.RawMessage // nil before the end
}

// listing selects studies. Numbers of trials and of entries have no gaps, so that the last one counts
// them; counting rows cost 16 ms at 100 000 trials.
const listing = `SELECT s.study_id, s.name, s.direction, s.created, coalesce(r.state, 'foreign'), coalesce(r.message, ''), coalesce(r.game, ''), coalesce(r.strategy, ''), coalesce(r.baseline, ''),
	coalesce(r.spec_sha256, ''), coalesce(r.signatures, ''), coalesce(r.budget_trials, 0), coalesce(r.budget_games, 0), coalesce(r.games, 0), coalesce(r.priority, 0),
	coalesce(r.updated, (SELECT coalesce(t.completed, t.started) FROM sakusen_trials t WHERE t.study_id = s.study_id ORDER BY t.number DESC LIMIT 1), s.created), r.result IS NOT NULL,
	coalesce((SELECT t.number + 1 FROM sakusen_trials t WHERE t.study_id = s.study_id ORDER BY t.number DESC LIMIT 1), 0),
	(SELECT e.payload FROM entries e INDEXED BY entries_by_kind WHERE e.study_id = s.study_id AND e.kind = 'incumbent' ORDER BY e.seq DESC LIMIT 1),
	CASE WHEN json_valid(r.result) THEN json_remove(r.result, '$.front', '$.hall') END,
	CASE WHEN json_valid(r.spec) THEN json_object('doc', json_extract(r.spec, '$.doc'), 'objective', json_extract(r.spec, '$.objective'),
		'validation', json_extract(r.spec, '$.validation'), 'evaluate', json_extract(r.spec, '$.evaluate')) END,
	CASE WHEN r.result IS NULL THEN r.spec END
	` + fromStudies

// fromStudies are all studies; those of other programs have no record.
const fromStudies = "FROM sakusen_studies s LEFT JOIN study_records r USING (study_id) "

func scanListing(scan func(...any) error) (Listing, error) {
	var l Listing
	var created, updated int64
	var incumbent, summary, brief, pending sql.NullString
	err := scan(&l.ID, &l.Name, &l.Direction, &created, &l.State, &l.Message, &l.Game, &l.Strategy, &l.Baseline,
		&l.SpecHash, &l.Signatures, &l.BudgetTrials, &l.BudgetGames, &l.Games, &l.Priority, &updated, &l.Finished,
		&l.Trials, &incumbent, &summary, &brief, &pending)
	l.Foreign = l.State == Foreign
	l.Created, l.Updated = time.Unix(0, created).UTC(), time.Unix(0, updated).UTC()
	if incumbent.Valid {
		l.Incumbent = json.RawMessage(incumbent.String)
	}
	if summary.Valid {
		l.Summary = json.RawMessage(summary.String)
	}
	if brief.Valid {
		l.Brief = json.RawMessage(brief.String)
	}
	if pending.Valid {
		l.Pending = json.RawMessage(pending.String)
	}
	return l, err
}

// Studies lists at most limit studies, in the order of their creation, after
// the one with the given id (0 from the beginning).
func (s *Store) Studies(ctx context.Context, after, limit int) ([]Listing, error) {
	return listings(ctx, s, "WHERE s.study_id > ? ORDER BY s.study_id LIMIT ?", after, limit)
}

// RecentStudies lists at most limit studies, the youngest first, before the one
// with the given id.
func (s *Store) RecentStudies(ctx context.Context, before, limit int) ([]Listing, error) {
	return listings(ctx, s, "WHERE s.study_id < ? ORDER BY s.study_id DESC LIMIT ?", before, limit)
}

// RunningStudies lists at most limit studies that run, the most urgent and then
// the oldest first.
func (s *Store) RunningStudies(ctx context.Context, limit int) ([]Listing, error) {
	return listings(ctx, s, "WHERE r.state = 'running' ORDER BY r.priority DESC, s.study_id LIMIT ?", limit)
}

func listings(ctx context.Context, s *Store, which string, args ...any) ([]Listing, error) {
	rows, err := s.db.Reader().QueryContext(ctx, listing+which, args...)
	if err != nil {
		return nil, fmt.Errorf("list studies: %w", err)
	}
	defer rows.Close()
	list := []Listing{}
	for rows.Next() {
		l, err := scanListing(rows.Scan)
		if err != nil {
			return nil, fmt.Errorf("list studies: %w", err)
		}
		l.Interrupted = interrupted(s.db, l.State)
		list = append(list, l)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("list studies: %w", err)
	}
	return list, nil
}

// interrupted reports whether a study in this state was left by a dead process.
func interrupted(db *sqlitedb.DB, state tuner.State) bool {
	if state != tuner.Running || db.Writable() {
		return false
	}
	_, alive := sqlitedb.Writer(db.Path())
	return !alive
}

// Details shows one study, or [ErrStudyNotFound]. One of another program is there too,
// beside the error [*ForeignStudyError], and one that is not what was written beside a
// [*sqlitedb.DamagedError].
func (s *Store) Details(ctx context.Context, name string) (Details, error) {
	tx, err := s.db.Reader().BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return Details{}, fmt.Errorf("study %q: %w", name, err)
	}
	defer tx.Rollback()
	var d Details
	d.Listing, err = scanListing(tx.QueryRowContext(ctx, listing+"WHERE s.name = ?", name).Scan)
	if errors.Is(err, sql.ErrNoRows) {
		return Details{}, fmt.Errorf("%q: %w", name, ErrStudyNotFound)
	}
	if err != nil {
		return Details{}, fmt.Errorf("study %q: %w", name, err)
	}
	d.Interrupted = interrupted(s.db, d.State)
	if d.Foreign {
		if lost, err := recordLost(ctx, tx, d.ID); err != nil {
			return Details{}, fmt.Errorf("study %q: %w", name, err)
		} else if lost {
			return d, s.changes.Damage("study " + name + ": " + noRecord)
		}
		return d, &ForeignStudyError{Study: name}
	}
	var result sql.NullString
	err = tx.QueryRowContext(ctx, "SELECT spec, result, coalesce((SELECT e.seq FROM entries e WHERE e.study_id = r.study_id ORDER BY e.seq DESC LIMIT 1), 0) FROM study_records r WHERE study_id = ?", d.ID).
		Scan(&d.Spec, &result, &d.Entries)
	if err != nil {
		return Details{}, fmt.Errorf("study %q: %w", name, err)
	}
	if result.Valid {
		d.Result = json.RawMessage(result.String)
	}
	_ = tx.Rollback() // the check takes a connection, and must not wait for one while it holds another
	return d, studyRows.Refuse(ctx, s.db, "study_id = ?", d.ID)
}

// noRecord says that a study's row of study_records is gone.
const noRecord = "its record is gone: it has a log, but neither spec nor result"

// recordLost reports whether a study without a record has a log, which only those with a
// record have.
func recordLost(ctx context.Context, q interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}, study int) (lost bool, err error) {
	err = q.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM entries WHERE study_id = ?)", study).Scan(&lost)
	return lost, err
}

// TrialPage reads at most limit trials of a study from the file, from the
// given number on; the next page begins behind the last one's number.
func (s *Store) TrialPage(ctx context.Context, studyID, from, limit int) ([]goptuna.FrozenTrial, error) {
	if limit < 1 {
		return nil, fmt.Errorf("page of trials: expected a limit of at least 1, got %d", limit)
	}
	tx, err := s.db.Reader().BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return nil, fmt.Errorf("page of trials: %w", err)
	}
	defer tx.Rollback()
	trials, err := goptunadb.Trials(tx, studyID, from, limit)
	if err != nil {
		return nil, fmt.Errorf("page of trials: %w", err)
	}
	return trials, nil
}

// LastEntry is the last entry of a kind in a study's log, such as the present
// incumbent.
func (s *Store) LastEntry(ctx context.Context, studyID int, kind entry.Kind) (last entry.Entry, found bool, err error) {
	var payload string
	err = s.db.Reader().QueryRowContext(ctx, "SELECT kind, payload FROM entries INDEXED BY entries_by_kind WHERE study_id = ? AND kind = ? ORDER BY seq DESC LIMIT 1", studyID, string(kind)).
		Scan(&last.Kind, &payload)
	if errors.Is(err, sql.ErrNoRows) {
		return entry.Entry{}, false, nil
	}
	if err != nil {
		return entry.Entry{}, false, fmt.Errorf("last entry %s: %w", kind, err)
	}
	last.Payload = json.RawMessage(payload)
	return last, true, nil
}

package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/c-bata/goptuna"

	"sakusen/tuner"
	"sakusen/tuner/store/goptunadb"
	"sakusen/tuner/store/sqlitedb"
)

// The tables whose rows carry a hash. What changes with every step of a study, and is worked
// out again or only shown, is left out: the games played so far and the time of a change.
var (
	studyRows = sqlitedb.Sealed{
		Table: "study_records",
		Columns: `study_id, (SELECT name FROM sakusen_studies s WHERE s.study_id = study_records.study_id), (SELECT direction FROM sakusen_studies s WHERE s.study_id = study_records.study_id),
			(SELECT created FROM sakusen_studies s WHERE s.study_id = study_records.study_id),
			state, message, priority, game, strategy, baseline, source_name, source, spec, spec_sha256, signatures, budget_trials, budget_games, result`,
		Name: "'study ' || (SELECT name FROM sakusen_studies s WHERE s.study_id = study_records.study_id) || ': its row'",
	}
	attemptRows = sqlitedb.Sealed{
		Table:   "validation_attempts", // study_id becomes NULL with the deletion of a study; an index has it too
		Columns: "attempt_id, game, rules, strategy, baseline, play, attempt, winner, study, occasion, created",
		Name:    "'validation attempt ' || attempt || ' of study ' || study",
	}
	jobRows = sqlitedb.Sealed{
		Table:   "jobs",
		Columns: "job_id, kind, name, request, state, message, priority, blocks, blocks_of, games, partial, result, created",
		Name:    "kind || ' ' || job_id || ' (' || name || ')'",
	}
	pieceRows = sqlitedb.Sealed{Table: "job_pieces", Columns: "job_id, name, value", Name: "'job ' || job_id || ': its piece ' || name"}
	askRows   = sqlitedb.Sealed{
		Table:   "asks",
		Columns: "study_id, number, phase, seed, entrants, first, blocks, asked, again, told",
		Name:    "'ask ' || number || ' of study ' || study_id",
	}
)

// Header is what a study is: fixed when it is created, except that the budget
// may grow.
type Header struct {
	Name       string
	Direction  goptuna.StudyDirection // empty: minimize
	Game       string
	Strategy   string
	Baseline   string // canonical entrant, empty for none
	Spec       string // the study file with all defaults, as JSON
	SpecHash   string // sha256 of all but the budget
	Signatures string // of the game and the strategies
	// The budget, in trials and in games.
	BudgetTrials int
	BudgetGames  int64
	// Question, unless nil, is what a study that is created will ask: its attempt gets
	// its number then, so that numbers follow the order in which studies are submitted.
	Question *tuner.Question
}

var (
	// ErrStudyNotFound says that no study has the name or id.
	ErrStudyNotFound = goptunadb.ErrStudyNotFound
	// ErrJobNotFound says that no tournament or experiment has the id.
	ErrJobNotFound = errors.New("job not found")
	// ErrNoCredit says that a worker has played none of the blocks in question.
	ErrNoCredit = errors.New("the worker has played none of its blocks")
)

// ForeignStudyError says that a study has no log, and so cannot be run, proved or read as
// evidence: a program keeps it with Goptuna's API.
type ForeignStudyError struct{ Study string }

func (e *ForeignStudyError) Error() string {
	return fmt.Sprintf("study %q is kept by a program with Goptuna's API: it has trials, but no log and no game here; it can be listed, shown, exported and deleted", e.Study)
}

// otherWriterError says that a log in the file is not as long as this process
// has left it: another process writes to the same study.
type otherWriterError struct {
	Want int // entries that this process knows of
	Have int // entries in the file
}

func (e *otherWriterError) Error() string {
	return fmt.Sprintf("the file has %d entries where this process has left %d: another process writes to this study; nothing was added", e.Have, e.Want)
}

// reserved stands for the winner of an attempt as long as the search goes on. No
// entrant is written so.
const reserved = "?"

// ConflictError says that a stored study cannot go on as it was asked to: it has another spec,
// was made by code that plays differently, or its budget was to shrink.
type ConflictError struct{ Study, What string }

func (e *ConflictError) Error() string { return fmt.Sprintf("study %q%s", e.Study, e.What) }

// Admits checks whether a stored study may continue with the given spec; otherwise it returns
// a [*ConflictError].
func (h *Header) Admits(want *Header) error {
	refuse := func(format string, args ...any) error { return &ConflictError{h.Name, fmt.Sprintf(format, args...)} }
	const shrinks = ": budget.%s: expected at least the present %d, got %d: a budget only grows; with a smaller one, give the study another name"
	switch {
	case h.SpecHash != want.SpecHash:
		return refuse(" exists with another spec (%.12s, given %.12s)", h.SpecHash, want.SpecHash)
	case h.Signatures != want.Signatures:
		return refuse(" was made by other code, or with another entry of an engine, as with fresh: true; put that back, or run the study under a new name: signatures %s, now %s", h.Signatures, want.Signatures)
	case want.BudgetGames < h.BudgetGames: // before trials, whose number may come from it
		return refuse(shrinks, "games", h.BudgetGames, want.BudgetGames)
	case want.BudgetTrials < h.BudgetTrials:
		return refuse(shrinks, "trials", h.BudgetTrials, want.BudgetTrials)
	}
	return nil
}

// Create creates a study, queued, with an empty log. A name that is
// taken is [goptunadb.ErrStudyExists].
func (t *Studies) Create(ctx context.Context, h Header) (*Log, error) {
	return t.create(ctx, h, Source{}, 0)
}

// create does what Create does, with the file and the priority, in one transaction, so that
// neither a crash nor a daemon that reads the queue can find the study without them.
func (t *Studies) create(ctx context.Context, h Header, src Source, priority int) (*Log, error) {
	if h.Direction == "" {
		h.Direction = goptuna.StudyDirectionMinimize
	}
	if h.Name == "" {
		return nil, errors.New("create study: expected a name, got an empty one")
	}
	l := t.log(h)
	err := t.db.Change(ctx, "create", func(c *sqlitedb.Change) (err error) {
		if l.id, err = goptunadb.CreateStudy(c, h.Name, h.Direction); err != nil {
			return err
		}
		_, err = studyRows.Insert(c, "study_id = ?", []any{l.id}, "study_id, state, game, strategy, baseline, spec, spec_sha256, signatures, budget_trials, budget_games, updated, source_name, source, priority",
			l.id, string(tuner.Queued), h.Game, h.Strategy, h.Baseline, h.Spec, h.SpecHash,
			h.Signatures, h.BudgetTrials, h.BudgetGames, c.Now().UnixNano(), src.Name, src.Text, priority)
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

// log returns the log of a study of which nothing was read yet.
func (t *Studies) log(h Header) *Log {
	return &Log{db: t.db, header: h, axes: goptunadb.Axes{}}
}

// Open opens the log of an existing study, for reading or for going on
// with it as it is; [ErrStudyNotFound] if there is none,
// [*ForeignStudyError] if it has no log.
func (t *Studies) Open(ctx context.Context, name string) (*Log, error) {
	l := t.log(Header{})
	h := &l.header
	err := t.db.Reader().QueryRowContext(ctx, `SELECT s.study_id, s.name, s.direction, r.game, r.strategy, r.baseline, r.spec, r.spec_sha256, r.signatures, r.budget_trials, r.budget_games
		FROM sakusen_studies s JOIN study_records r USING (study_id) WHERE s.name = ?`, name).Scan(&l.id, &h.Name, &h.Direction,
		&h.Game, &h.Strategy, &h.Baseline, &h.Spec, &h.SpecHash, &h.Signatures, &h.BudgetTrials, &h.BudgetGames)
	if errors.Is(err, sql.ErrNoRows) {
		if _, err := t.Details(ctx, name); err != nil {
			return nil, err
		}
		return nil, fmt.Errorf("%q: %w", name, ErrStudyNotFound)
	}
	if err != nil {
		return nil, fmt.Errorf("open study %q: %w", name, err)
	}
	return l, nil
}

// Resume opens the study of the header's name to go on with it, or
// creates it, with its file and its priority, if there is none. An existing one must have the
// same spec and signatures and may only get a larger budget: [*ConflictError]. One that has no
// file gets it.
func (t *Studies) Resume(ctx context.Context, want Header, src Source, priority int) (l *Log, created bool, err error) {
	l, err = t.Open(ctx, want.Name)
	if errors.Is(err, ErrStudyNotFound) {
		l, err = t.create(ctx, want, src, priority)
		if !errors.Is(err, goptunadb.ErrStudyExists) {
			return l, err == nil, err
		}
		// Another process was faster; the study counts as there from the start.
		l, err = t.Open(ctx, want.Name)
	}
	if err != nil {
		return nil, false, err
	}
	if err := l.header.Admits(&want); err != nil {
		return nil, false, err
	}
	if have, err := (&Study{t.db, l.id}).Source(ctx); err != nil {
		return nil, false, err
	} else if have.Text == "" && src.Text != "" {
		if err := l.setSource(ctx, src); err != nil {
			return nil, false, err
		}
	}
	if want.BudgetTrials == l.header.BudgetTrials && want.BudgetGames == l.header.BudgetGames && want.Spec == l.header.Spec {
		return l, false, nil
	}
	err = t.db.Change(ctx, "budget", func(c *sqlitedb.Change) error { return l.grow(c, &want) })
	if err != nil {
		return nil, false, err
	}
	l.header.BudgetTrials, l.header.BudgetGames, l.header.Spec = want.BudgetTrials, want.BudgetGames, want.Spec
	return l, false, nil
}

// Delete deletes a study with its trials, its log and its attributes.
// The blocks that it played and the count of its validations stay.
func (t *Studies) Delete(id int) error {
	return t.db.Change(context.Background(), "", func(c *sqlitedb.Change) error {
		// The attempt of a study whose validation has not begun is taken back.
		if _, err := c.Exec("DELETE FROM validation_attempts WHERE study_id = ? AND winner = ?", id, reserved); err != nil {
			return err
		}
		return goptunadb.DeleteStudy(c, id)
	})
}

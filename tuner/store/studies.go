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

// Create creates a study, queued, with an empty log. A name that is
// taken is [ErrStudyExists].
func (t *Studies) Create(ctx context.Context, h Header) (*Log, error) {
	return t.create(ctx, h, Source{}, 0)
}

// create is Create with the file and the priority, in one transaction, so that
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
		if !errors.Is(err, ErrStudyExists) {
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
	if want.BudgetTrials == l.header.BudgetTrials && want.BudgetGames == l.header.BudgetGames {
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

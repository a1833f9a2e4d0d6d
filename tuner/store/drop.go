package store

import (
	"context"
	"errors"
	"fmt"

	"sakusen/tuner"
	"sakusen/tuner/store/blocks"
	"sakusen/tuner/store/goptunadb"
	"sakusen/tuner/store/sqlitedb"
)

// ErrNoCredit says that a worker has played none of the blocks in question.
var ErrNoCredit = errors.New("the worker has played none of its blocks")

// Dropped is what dropping a worker did.
type Dropped struct {
	Blocks   int64  // dropped from the whole database
	Archived string // the name under which the study's former log is kept
}

// DropWorker takes all of a worker's blocks out of the database and has a study
// begin anew: the log so far, and all that it led to, stay as they are under
// another name, stopped for good, since evidence is never changed; under the
// study's name there is an empty log, whose run plays only what was dropped. The
// study keeps its number of attempt where it comes to the same winner: the
// validation meets the same seeds, of which the search has learned nothing. For
// another winner it is a further attempt. All is one transaction. Where the worker
// has played no block in the scope it is [ErrNoCredit].
func (s *Store) DropWorker(ctx context.Context, study, worker string, scope blocks.Scope) (Dropped, error) {
	var d Dropped
	old, err := s.OpenStudy(ctx, study)
	if err != nil {
		return d, err
	}
	err = s.changes.Change(ctx, "drop", func(c *sqlitedb.Change) error {
		if n, err := blocks.Played(c, worker, scope); err != nil || n == 0 {
			return errors.Join(err, ErrNoCredit)
		}
		if d.Blocks, err = blocks.Drop(c, worker); err != nil {
			return err
		}
		d.Archived, err = restart(c, old, worker, tuner.Queued, "")
		return err
	})
	if err != nil {
		return Dropped{}, fmt.Errorf("study %q: drop worker %q: %w", study, worker, err)
	}
	return d, nil
}

// Anew is a study that begins anew, in a state with a message.
type Anew struct {
	Study   string
	State   tuner.State
	Message string
}

// DropEverywhere takes all of a worker's blocks out of the database, but those in the
// scopes that are kept, and has studies begin anew as [Store.DropWorker] does. The
// finished parts of tournaments and experiments that have not ended go too, and are worked
// out again from the blocks. All is one transaction. It returns how many blocks they were.
func DropEverywhere(ctx context.Context, s *Store, worker string, studies []Anew, kept []blocks.Scope) (dropped int64, err error) {
	logs := make([]*Log, len(studies))
	for i, a := range studies {
		if logs[i], err = s.OpenStudy(ctx, a.Study); err != nil {
			return 0, err
		}
	}
	err = s.changes.Change(ctx, "drop", func(c *sqlitedb.Change) error {
		if dropped, err = blocks.Drop(c, worker, kept...); err != nil {
			return err
		}
		for i, a := range studies {
			if _, err := restart(c, logs[i], worker, a.State, a.Message); err != nil {
				return err
			}
		}
		_, err := c.Exec("DELETE FROM job_pieces WHERE job_id IN (SELECT job_id FROM jobs WHERE state <> ?)", string(tuner.Done))
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("drop worker %q: %w", worker, err)
	}
	return dropped, nil
}

// restart keeps a study's log under another name, which it returns, and creates the study
// anew, empty.
func restart(c *sqlitedb.Change, old *Log, worker string, state tuner.State, why string) (archived string, err error) {
	if err := studyRows.RefuseTx(c, "study_id = ?", old.id); err != nil {
		return "", err
	}
	// No study file's name has an @, but another program's study may have any name.
	for n, taken := 1, true; taken; n++ {
		archived = fmt.Sprintf("%s@%d", old.header.Name, n)
		if err := c.Tx.QueryRow("SELECT EXISTS (SELECT 1 FROM sakusen_studies WHERE name = ?)", archived).Scan(&taken); err != nil {
			return "", err
		}
	}
	if err := goptunadb.SetStudyName(c, old.id, archived); err != nil {
		return "", err
	}
	now := c.Now().UnixNano()
	message := fmt.Sprintf("void: the blocks of worker %s were dropped", worker)
	if _, err := c.Exec("UPDATE study_records SET state = ?, message = ?, updated = ? WHERE study_id = ?", string(tuner.Stopped), message, now, old.id); err != nil {
		return "", err
	}
	if err := studyRows.Seal(c.Tx, "study_id = ?", old.id); err != nil {
		return "", err
	}
	id, err := goptunadb.CreateStudy(c, old.header.Name, old.header.Direction)
	if err != nil {
		return "", err
	}
	_, err = c.Exec(`INSERT INTO study_records (study_id, state, message, game, strategy, baseline, spec, spec_sha256, signatures, budget_trials, budget_games, updated, priority, source_name, source)
		SELECT ?, ?, ?, game, strategy, baseline, spec, spec_sha256, signatures, budget_trials, budget_games, ?, priority, source_name, source
		FROM study_records WHERE study_id = ?`, id, string(state), why, now, old.id)
	if err == nil {
		err = studyRows.Seal(c.Tx, "study_id = ?", id)
	}
	if err == nil { // what people gave it: points to try, and a note
		err = goptunadb.CopyStudyAttrs(c, old.id, id, "owner = 'system' AND key GLOB ?3 OR owner = 'user' AND key = ?4", givenKeys+"*", noteKey)
	}
	if err == nil { // the number that it has for a validation to come
		_, err = c.Exec("UPDATE validation_attempts SET study_id = ? WHERE study_id = ? AND winner = ?", id, old.id, reserved)
	}
	return archived, err // its attempts stay with the former log: see Log.Attempt
}

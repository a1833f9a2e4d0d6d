package store

import (
	"context"
	"encoding/json"
	"fmt"

	"sakusen/tuner"
	"sakusen/tuner/store/sqlitedb"
)

// SetJobState moves a job to a state, with a message that says why, which may
// be empty. [ErrJobNotFound] if there is none.
func (s *Store) SetJobState(ctx context.Context, id int, state tuner.State, message string) error {
	if !state.Valid() {
		return fmt.Errorf("job %d: state: expected queued, running, paused, stopped, failed or done, got %q", id, state)
	}
	return changeJob(ctx, s, "job.state", id, "UPDATE jobs SET state = ?, message = ?, updated = ? WHERE job_id = ?",
		string(state), message, s.changes.Now().UnixNano(), id)
}

// SetJobPriority says how urgent a job is: higher is sooner, 0 is usual.
func (s *Store) SetJobPriority(ctx context.Context, id, priority int) error {
	return changeJob(ctx, s, "job.priority", id, "UPDATE jobs SET priority = ? WHERE job_id = ?", priority, id)
}

// SetJobProgress notes how far a job is; partial is its result so far, nil
// leaves the one that is there.
func (s *Store) SetJobProgress(ctx context.Context, id int, blocks, of, games int64, partial json.RawMessage) error {
	var text any
	if partial != nil {
		text = string(partial)
	}
	return replayableJob(ctx, s, "job.progress", id, "UPDATE jobs SET blocks = ?, blocks_of = ?, games = ?, partial = coalesce(?, partial), updated = ? WHERE job_id = ?",
		blocks, of, games, text, s.changes.Now().UnixNano(), id)
}

// FinishJob stores the result, as JSON, and the state Done; what was kept on
// the way to it goes.
func (s *Store) FinishJob(ctx context.Context, id int, result json.RawMessage) error {
	if !json.Valid(result) {
		return fmt.Errorf("job %d: result: expected JSON, got %.40q", id, result)
	}
	return editJob(ctx, s, "job.finish", id, func(c *sqlitedb.Change) error {
		if _, err := c.Exec("DELETE FROM job_pieces WHERE job_id = ?", id); err != nil {
			return err
		}
		return jobRow(c, id, "UPDATE jobs SET state = ?, message = '', partial = NULL, result = ?, updated = ? WHERE job_id = ?",
			string(tuner.Done), string(result), s.changes.Now().UnixNano(), id)
	})
}

// DeleteJob forgets a job; its blocks stay in the cache.
func (s *Store) DeleteJob(ctx context.Context, id int) error {
	return editJob(ctx, s, "job.delete", id, func(c *sqlitedb.Change) error {
		result, err := c.Exec("DELETE FROM jobs WHERE job_id = ?", id)
		if err != nil {
			return err
		}
		if n, err := result.RowsAffected(); err != nil || n == 0 {
			return ErrJobNotFound
		}
		return nil
	})
}

// JobPieces are the finished parts of a job, by name, as JSON.
func (s *Store) JobPieces(ctx context.Context, id int) (map[string]json.RawMessage, error) {
	if err := pieceRows.Refuse(ctx, s.db, "job_id = ?", id); err != nil {
		return nil, fmt.Errorf("pieces of job %d: %w", id, err)
	}
	rows, err := s.db.Reader().QueryContext(ctx, "SELECT name, value FROM job_pieces WHERE job_id = ?", id)
	if err != nil {
		return nil, fmt.Errorf("pieces of job %d: %w", id, err)
	}
	defer rows.Close()
	out := map[string]json.RawMessage{}
	for rows.Next() {
		var name, value string
		if err := rows.Scan(&name, &value); err != nil {
			return nil, fmt.Errorf("pieces of job %d: %w", id, err)
		}
		out[name] = json.RawMessage(value)
	}
	return out, rows.Err()
}

// AddJobPiece keeps a finished part of a job under a name of its own.
func (s *Store) AddJobPiece(ctx context.Context, id int, name string, value json.RawMessage) error {
	if !json.Valid(value) {
		return fmt.Errorf("job %d: piece %q: expected JSON, got %.40q", id, name, value)
	}
	err := s.changes.ChangeReplayable(ctx, "job.piece", func(c *sqlitedb.Change) error {
		if _, err := c.Exec("INSERT OR REPLACE INTO job_pieces (job_id, name, value) VALUES (?, ?, ?)", id, name, string(value)); err != nil {
			return err
		}
		return pieceRows.Seal(c.Tx, "job_id = ? AND name = ?", id, name)
	})
	if err != nil {
		return fmt.Errorf("job %d: %w", id, err)
	}
	return nil
}

// changeJob runs one statement, which must change a row, in a transaction.
func changeJob(ctx context.Context, s *Store, label string, id int, query string, args ...any) error {
	return editJob(ctx, s, label, id, func(c *sqlitedb.Change) error { return jobRow(c, id, query, args...) })
}

// replayableJob is changeJob for changes that the job would make again after a crash.
func replayableJob(ctx context.Context, s *Store, label string, id int, query string, args ...any) error {
	err := s.changes.ChangeReplayable(ctx, label, func(c *sqlitedb.Change) error { return jobRow(c, id, query, args...) })
	if err != nil {
		return fmt.Errorf("job %d: %w", id, err)
	}
	return nil
}

func editJob(ctx context.Context, s *Store, label string, id int, do func(*sqlitedb.Change) error) error {
	if err := s.changes.Change(ctx, label, do); err != nil {
		return fmt.Errorf("job %d: %w", id, err)
	}
	return nil
}

// jobRow runs a statement that must change the row of a job, which must be what was written.
func jobRow(c *sqlitedb.Change, id int, query string, args ...any) error {
	if err := jobRows.RefuseTx(c, "job_id = ?", id); err != nil {
		return err
	}
	result, err := c.Exec(query, args...)
	if err != nil {
		return err
	}
	if n, err := result.RowsAffected(); err != nil || n == 0 {
		return ErrJobNotFound
	}
	return jobRows.Seal(c.Tx, "job_id = ?", id)
}

package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"sakusen/engines/arena"
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
// study keeps its number of attempt: its validation meets the same seeds, of
// which the search has learned nothing. All is one transaction. Where the worker
// has played no block in the scope it is [ErrNoCredit].
func (s *Store) DropWorker(ctx context.Context, study, worker string, scope Scope) (Dropped, error) {
	var d Dropped
	old, err := s.OpenStudy(ctx, study)
	if err != nil {
		return d, err
	}
	session := s.Session()
	err = session.batch(ctx, "drop", func(c *change) error {
		if n, err := playedBy(c.tx.QueryRow, worker, scope); err != nil || n == 0 {
			return errors.Join(err, ErrNoCredit)
		}
		if d.Blocks, err = c.dropWorker(worker); err != nil {
			return err
		}
		return c.restart(session, old, worker, &d)
	})
	if err != nil {
		return Dropped{}, fmt.Errorf("study %q: drop worker %q: %w", study, worker, err)
	}
	return d, nil
}

// PlayedBy is the number of stored blocks that a worker has played.
func (b *Blocks) PlayedBy(ctx context.Context, worker string, scope Scope) (int64, error) {
	n, err := playedBy(func(query string, args ...any) *sql.Row {
		return b.store.db.Reader().QueryRowContext(ctx, query, args...)
	}, worker, scope)
	if err != nil {
		return 0, fmt.Errorf("worker %q: %w", worker, err)
	}
	return n, nil
}

func playedBy(row func(query string, args ...any) *sql.Row, worker string, scope Scope) (n int64, err error) {
	where, args := scope.where()
	err = row(`SELECT coalesce(sum(k.blocks), 0) FROM block_credits k JOIN block_series s USING (series_id)
		JOIN block_contexts c USING (context_id) WHERE k.worker = ? AND `+where, append([]any{worker}, args...)...).Scan(&n)
	return n, err
}

// dropWorker takes a worker's blocks out of all series.
func (c *change) dropWorker(worker string) (int64, error) {
	spans := map[int64][]span{}
	err := eachRow(c.tx, "SELECT series_id, first, blocks FROM block_credits WHERE worker = ? ORDER BY series_id, first", []any{worker}, func(rows *sql.Rows) error {
		var series int64
		var s span
		err := rows.Scan(&series, &s.first, &s.blocks)
		spans[series] = append(spans[series], s)
		return err
	})
	if err != nil {
		return 0, err
	}
	dropped := int64(0)
	for series, list := range spans {
		for _, s := range list {
			stored, err := c.neighbours(series, s.first, s.first+s.blocks)
			if err != nil {
				return 0, err
			}
			var left []*arena.Run
			for _, r := range stored {
				end := r.From + int64(r.Blocks)
				if cut := min(end, s.first); cut > r.From {
					left = append(left, r.Slice(r.From, cut))
				}
				if cut := max(r.From, s.first+s.blocks); cut < end {
					left = append(left, r.Slice(cut, end))
				}
			}
			if err := c.replaceRuns(series, stored, left); err != nil {
				return 0, err
			}
			dropped += s.blocks
		}
	}
	_, err = c.exec("DELETE FROM block_credits WHERE worker = ?", worker)
	return dropped, err
}

// restart keeps a study's log under another name and creates it anew, empty.
func (c *change) restart(session *Session, old *Log, worker string, d *Dropped) error {
	var former int
	// No study file's name has an @.
	row := c.tx.QueryRow("SELECT count(*) FROM studies WHERE substr(name, 1, ?) = ?", len(old.header.Name)+1, old.header.Name+"@")
	if err := row.Scan(&former); err != nil {
		return err
	}
	d.Archived = fmt.Sprintf("%s@%d", old.header.Name, former+1)
	sc, err := c.study(old.id)
	if err != nil {
		return err
	}
	if _, err := c.exec("UPDATE studies SET name = ? WHERE study_id = ?", d.Archived, old.id); err != nil {
		return err
	}
	sc.name = d.Archived
	now := c.store.clock().UnixNano()
	message := fmt.Sprintf("void: the blocks of worker %s were dropped", worker)
	if _, err := c.exec("UPDATE study_records SET state = ?, message = ?, updated = ? WHERE study_id = ?", string(Stopped), message, now, old.id); err != nil {
		return err
	}
	id, err := c.createStudy(old.header.Name)
	if err != nil {
		return err
	}
	if err := session.SetStudyDirection(id, old.header.Direction); err != nil {
		return err
	}
	_, err = c.exec(`INSERT INTO study_records (study_id, state, game, strategy, baseline, spec, spec_sha256, signatures, budget_trials, budget_games, updated, priority, source_name, source)
		SELECT ?, ?, game, strategy, baseline, spec, spec_sha256, signatures, budget_trials, budget_games, ?, priority, source_name, source
		FROM study_records WHERE study_id = ?`, id, string(Queued), now, old.id)
	if err != nil {
		return err
	}
	_, err = c.exec("UPDATE validation_attempts SET study_id = ? WHERE study_id = ?", id, old.id)
	return err
}

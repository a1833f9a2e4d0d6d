package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"sakusen/tuner"
	"sakusen/tuner/store/sqlitedb"
)

// The kinds of jobs.
const (
	Tournament = "tournament"
	Experiment = "experiment"
)

// Job is a tournament or an experiment that is run once, and how far it is.
type Job struct {
	ID       int
	Kind     string // Tournament or Experiment
	Name     string
	Request  json.RawMessage // all that its result depends on
	State    tuner.State
	Message  string
	Priority int
	// Blocks are played so far of Of, as last told; Of is 0 where that is not
	// known.
	Blocks, Of, Games int64
	Created, Updated  time.Time
	// Partial is the result so far, Result the result; nil where there is none.
	// Lists leave them out.
	Partial, Result json.RawMessage
}

// jobColumns are what every reading of jobs takes.
const jobColumns = "job_id, kind, name, request, state, message, priority, blocks, blocks_of, games, created, updated"

func scanJob(scan func(...any) error, more ...any) (Job, error) {
	var j Job
	var request string
	var created, updated int64
	into := []any{&j.ID, &j.Kind, &j.Name, &request, &j.State, &j.Message, &j.Priority, &j.Blocks, &j.Of, &j.Games, &created, &updated}
	err := scan(append(into, more...)...)
	j.Request = json.RawMessage(request)
	j.Created, j.Updated = time.Unix(0, created).UTC(), time.Unix(0, updated).UTC()
	return j, err
}

// CreateJob queues a job of a kind with a name, a request and a priority, and
// returns its id. One that has not ended and was asked for the same is returned
// instead of a second one; then created is false.
func (s *Store) CreateJob(ctx context.Context, j Job) (id int, created bool, err error) {
	if j.Name == "" || !json.Valid(j.Request) {
		return 0, false, fmt.Errorf("create job: expected a name and a request in JSON, got %.40q and %.40q", j.Name, j.Request)
	}
	err = s.changes.Change(ctx, "job.create", func(c *sqlitedb.Change) error {
		row := c.Tx.QueryRow("SELECT job_id FROM jobs WHERE state IN ('queued', 'running', 'paused') AND kind = ? AND name = ? AND request = ?",
			j.Kind, j.Name, string(j.Request))
		if err := row.Scan(&id); !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		now := s.changes.Now().UnixNano()
		n, err := c.Insert("INSERT INTO jobs (kind, name, request, state, priority, created, updated) VALUES (?, ?, ?, ?, ?, ?, ?)",
			j.Kind, j.Name, string(j.Request), string(tuner.Queued), j.Priority, now, now)
		if err != nil {
			return err
		}
		id, created = int(n), true
		return jobRows.Seal(c.Tx, "job_id = ?", id)
	})
	if err != nil {
		return 0, false, fmt.Errorf("create job: %w", err)
	}
	return id, created, nil
}

// Job is one job, whole, or [ErrJobNotFound].
func (s *Store) Job(ctx context.Context, kind string, id int) (Job, error) {
	if err := jobRows.Refuse(ctx, s.db, "job_id = ?", id); err != nil {
		return Job{}, fmt.Errorf("%s %d: %w", kind, id, err)
	}
	var partial, result sql.NullString
	row := s.db.Reader().QueryRowContext(ctx, "SELECT "+jobColumns+", partial, result FROM jobs WHERE kind = ? AND job_id = ?", kind, id)
	j, err := scanJob(row.Scan, &partial, &result)
	if errors.Is(err, sql.ErrNoRows) {
		return Job{}, fmt.Errorf("%s %d: %w", kind, id, ErrJobNotFound)
	}
	if err != nil {
		return Job{}, fmt.Errorf("%s %d: %w", kind, id, err)
	}
	if partial.Valid {
		j.Partial = json.RawMessage(partial.String)
	}
	if result.Valid {
		j.Result = json.RawMessage(result.String)
	}
	return j, nil
}

// Jobs lists at most limit jobs of a kind, the newest first, before the one
// with the given id (0 from the newest on).
func (s *Store) Jobs(ctx context.Context, kind string, before, limit int) ([]Job, error) {
	return listJobs(ctx, s, "WHERE kind = ?1 AND (?2 = 0 OR job_id < ?2) ORDER BY job_id DESC LIMIT ?3", kind, before, limit)
}

// WaitingJobs lists the jobs that are queued or running, the more urgent and
// then the older first.
func (s *Store) WaitingJobs(ctx context.Context) ([]Job, error) {
	return listJobs(ctx, s, "WHERE state IN ('queued', 'running') ORDER BY priority DESC, job_id")
}

// LastRuns is the newest job of each name of a kind.
func (s *Store) LastRuns(ctx context.Context, kind string) (map[string]Job, error) {
	list, err := listJobs(ctx, s, "WHERE job_id IN (SELECT max(job_id) FROM jobs WHERE kind = ? GROUP BY name)", kind)
	out := map[string]Job{}
	for _, j := range list {
		out[j.Name] = j
	}
	return out, err
}

func listJobs(ctx context.Context, s *Store, where string, args ...any) ([]Job, error) {
	rows, err := s.db.Reader().QueryContext(ctx, "SELECT "+jobColumns+" FROM jobs "+where, args...)
	if err != nil {
		return nil, fmt.Errorf("list jobs: %w", err)
	}
	defer rows.Close()
	list := []Job{}
	for rows.Next() {
		j, err := scanJob(rows.Scan)
		if err != nil {
			return nil, fmt.Errorf("list jobs: %w", err)
		}
		list = append(list, j)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("list jobs: %w", err)
	}
	return list, nil
}

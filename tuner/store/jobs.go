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
	Test       = "test"
)

// Job is a tournament, an experiment or a test of a patch that is run once, and how far it is.
type Job struct {
	ID       int         `json:"id"`
	Kind     string      `json:"kind" enum:"tournament,experiment,test"`
	Name     string      `json:"name"` // of the tournament, the experiment or the test
	State    tuner.State `json:"state" schema:"State"`
	Message  string      `json:"message"`
	Priority int         `json:"priority"`
	Blocks   int64       `json:"blocks" help:"Blocks played so far, as of the last progress report."`
	Of       int64       `json:"blocks_of" help:"The number of blocks that the job plays; 0 if not known."`
	Games    int64       `json:"games"`
	Note     string      `json:"note,omitempty" help:"A user's note on the job; words that begin with # are its tags. Absent if there is none."`
	Created  time.Time   `json:"created"`
	Updated  time.Time   `json:"updated"`
	// Request is all that its result depends on.
	Request json.RawMessage `json:"-"`
	// Partial is the result so far, Result the result; nil where there is none.
	// Lists leave them out.
	Partial, Result json.RawMessage `json:"-"`
}

// Jobs creates, lists and changes the tournaments, experiments and tests of a database.
type Jobs struct{ db *sqlitedb.DB }

// jobColumns are what every reading of jobs takes.
const jobColumns = "job_id, kind, name, request, state, message, priority, blocks, blocks_of, games, created, updated, coalesce(" + jobNote + ", '')"

// jobNote is what is written about a job, in SQL. It is kept as one of its pieces.
const jobNote = "(SELECT json_extract(p.value, '$') FROM job_pieces p WHERE p.job_id = jobs.job_id AND p.name = '" + notePiece + "')"

// notePiece is the name of the piece that is a job's note.
const notePiece = "#note"

func scanJob(scan func(...any) error) (Job, error) {
	var j Job
	var created, updated int64
	err := scan(&j.ID, &j.Kind, &j.Name, (*[]byte)(&j.Request), &j.State, &j.Message, &j.Priority, &j.Blocks, &j.Of, &j.Games, &created, &updated, &j.Note)
	j.Created, j.Updated = time.Unix(0, created).UTC(), time.Unix(0, updated).UTC()
	return j, err
}

// Create queues a job of a kind with a name, a request and a priority, and
// returns its id. One that has not ended and was asked for the same is returned
// instead of a second one; then created is false.
func (t *Jobs) Create(ctx context.Context, j Job) (id int, created bool, err error) {
	if j.Name == "" || !json.Valid(j.Request) {
		return 0, false, fmt.Errorf("create job: expected a name and a request in JSON, got %.40q and %.40q", j.Name, j.Request)
	}
	err = t.db.Change(ctx, "job.create", func(c *sqlitedb.Change) error {
		row := c.Tx.QueryRow("SELECT job_id FROM jobs WHERE state IN ('queued', 'running', 'paused') AND kind = ? AND name = ? AND request = ?",
			j.Kind, j.Name, string(j.Request))
		if err := row.Scan(&id); !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		now := t.db.Now().UnixNano()
		n, err := jobRows.Insert(c, "job_id = ?", nil, "kind, name, request, state, priority, created, updated",
			j.Kind, j.Name, string(j.Request), string(tuner.Queued), j.Priority, now, now)
		id, created = int(n), true
		return err
	})
	if err != nil {
		return 0, false, fmt.Errorf("create job: %w", err)
	}
	return id, created, nil
}

// Done returns the newest job that has ended as asked for by the same request, or [ErrJobNotFound].
func (t *Jobs) Done(ctx context.Context, kind, name string, request json.RawMessage) (Job, error) {
	id := 0
	err := t.db.Reader().QueryRowContext(ctx, "SELECT job_id FROM jobs WHERE state = 'done' AND kind = ? AND name = ? AND request = ? ORDER BY job_id DESC LIMIT 1", kind, name, string(request)).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return Job{}, ErrJobNotFound
	} else if err != nil {
		return Job{}, fmt.Errorf("job that has ended: %w", err)
	}
	return t.Get(ctx, kind, id)
}

// Get returns one job, whole, or [ErrJobNotFound].
func (t *Jobs) Get(ctx context.Context, kind string, id int) (Job, error) {
	if err := jobRows.Refuse(ctx, t.db, "job_id = ?", id); err != nil {
		return Job{}, fmt.Errorf("%s %d: %w", kind, id, err)
	}
	var partial, result []byte
	row := t.db.Reader().QueryRowContext(ctx, "SELECT "+jobColumns+", partial, result FROM jobs WHERE kind = ? AND job_id = ?", kind, id)
	j, err := scanJob(func(into ...any) error { return row.Scan(append(into, &partial, &result)...) })
	if errors.Is(err, sql.ErrNoRows) {
		return Job{}, fmt.Errorf("%s %d: %w", kind, id, ErrJobNotFound)
	}
	if err != nil {
		return Job{}, fmt.Errorf("%s %d: %w", kind, id, err)
	}
	j.Partial, j.Result = partial, result
	return j, nil
}

// List lists the jobs of a kind that a filter lets through.
func (t *Jobs) List(ctx context.Context, kind string, f Filter) ([]Job, error) {
	text, args := f.jobs(kind)
	if f.Outcome != "" {
		text, args = text+" AND ? IN (state, "+jobOutcome+")", append(args, f.Outcome)
	}
	if f.Beyond > 0 {
		text, args = text+" AND job_id < ?", append(args, f.Beyond)
	}
	return t.list(ctx, text+" ORDER BY "+sorting(jobOrders, f.Sort)+" LIMIT ? OFFSET ?", append(args, f.Limit, f.Skip)...)
}

// Count counts the jobs of each outcome that a filter lets through.
func (t *Jobs) Count(ctx context.Context, kind string, f Filter) (map[string]int, error) {
	text, args := f.jobs(kind)
	return counted(ctx, t.db, "SELECT "+jobOutcome+", count(*) FROM jobs "+text+" GROUP BY 1", args...)
}

// counted returns the numbers that a query has by names.
func counted(ctx context.Context, db *sqlitedb.DB, query string, args ...any) (map[string]int, error) {
	out := map[string]int{}
	err := sqlitedb.Each(ctx, db.Reader(), query, args, func(rows *sql.Rows) error {
		var name string
		var n int
		err := rows.Scan(&name, &n)
		out[name] = n
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("count: %w", err)
	}
	return out, nil
}

// jobs returns the filter of jobs of a kind in SQL, without the outcome.
func (f *Filter) jobs(kind string) (text string, args []any) {
	text, args = "WHERE kind = ?", []any{kind}
	if !f.Both {
		text, args = text+" AND coalesce("+jobNote+", '') "+map[bool]string{false: "NOT "}[f.Archived]+"LIKE ?", append(args, "%"+ArchivedTag+"%")
	}
	for like := range f.likes() {
		text += ` AND (name LIKE ? ESCAPE '\' OR json_extract(request, '$.file') LIKE ? ESCAPE '\' OR ` + jobNote + ` LIKE ? ESCAPE '\')`
		args = append(args, like, like, like)
	}
	return text, args
}

// JobOutcomes returns what becomes of jobs, in the order of lists.
func JobOutcomes() []string { return []string{"running", "waiting", "paused", "failed", "done"} }

// jobOutcome is the outcome of a job, in SQL: of a test that has ended its verdict.
const jobOutcome = `CASE state WHEN 'queued' THEN 'waiting' WHEN 'stopped' THEN 'paused' WHEN 'done' THEN coalesce(CASE kind WHEN 'test' THEN
	CASE json_extract(result, '$.verdict') WHEN 'pass' THEN 'passed' WHEN 'fail' THEN 'not passed' WHEN 'inconclusive' THEN 'undecided' END END, 'done') ELSE state END`

// jobOrders are the ways to sort jobs, in SQL; see [Filter].
var jobOrders = map[string]string{
	"": "state = 'running' DESC, job_id DESC", "newest": "job_id DESC", "name": "name, job_id DESC", "ended": "updated DESC, job_id DESC",
	"games": "games DESC, job_id DESC", "state": jobOutcome + ", job_id DESC",
}

// JobsSorted reports whether there is an order of jobs of the name.
func JobsSorted(by string) bool { return sorting(jobOrders, by) != "" }

// SetNote writes about a job, in place of what was written before.
func (t *Jobs) SetNote(ctx context.Context, id int, text string) error {
	value, err := json.Marshal(text)
	if err != nil {
		return err
	}
	return t.edit(ctx, t.db.Change, "job.note", id, func(c *sqlitedb.Change) error {
		if _, err := c.Exec("DELETE FROM job_pieces WHERE job_id = ? AND name = ?", id, notePiece); err != nil || text == "" {
			return err
		}
		return putPiece(c, id, notePiece, value)
	})
}

// putPiece writes a piece of a job.
func putPiece(c *sqlitedb.Change, id int, name string, value json.RawMessage) error {
	if _, err := c.Exec("INSERT OR REPLACE INTO job_pieces (job_id, name, value) VALUES (?, ?, ?)", id, name, string(value)); err != nil {
		return err
	}
	return pieceRows.Seal(c.Tx, "job_id = ? AND name = ?", id, name)
}

// Waiting lists the jobs that are queued or running, the more urgent and
// then the older first.
func (t *Jobs) Waiting(ctx context.Context) ([]Job, error) {
	return t.list(ctx, "WHERE state IN ('queued', 'running') ORDER BY priority DESC, job_id")
}

// LastRuns returns the newest job of each name of a kind.
func (t *Jobs) LastRuns(ctx context.Context, kind string) (map[string]Job, error) {
	list, err := t.list(ctx, "WHERE job_id IN (SELECT max(job_id) FROM jobs WHERE kind = ? GROUP BY name)", kind)
	out := map[string]Job{}
	for _, j := range list {
		out[j.Name] = j
	}
	return out, err
}

func (t *Jobs) list(ctx context.Context, where string, args ...any) ([]Job, error) {
	list, err := sqlitedb.Rows(ctx, t.db.Reader(), scanJob, "SELECT "+jobColumns+" FROM jobs "+where, args...)
	if err != nil {
		return nil, fmt.Errorf("list jobs: %w", err)
	}
	return list, nil
}

// SetState moves a job to a state, with a message that says why, which may
// be empty. [ErrJobNotFound] if there is none.
func (t *Jobs) SetState(ctx context.Context, id int, state tuner.State, message string) error {
	if !state.Valid() {
		return fmt.Errorf("job %d: state: expected queued, running, paused, stopped, failed or done, got %q", id, state)
	}
	return t.set(ctx, t.db.Change, "job.state", id, "state = ?, message = ?, updated = ?", string(state), message, t.db.Now().UnixNano())
}

// SetPriority returns an error that says how urgent a job is: higher is sooner, 0 is usual.
func (t *Jobs) SetPriority(ctx context.Context, id, priority int) error {
	return t.set(ctx, t.db.Change, "job.priority", id, "priority = ?", priority)
}

// SetProgress notes how far a job is; partial is its result so far, nil
// leaves the one that is there.
func (t *Jobs) SetProgress(ctx context.Context, id int, blocks, of, games int64, partial json.RawMessage) error {
	var text any
	if partial != nil {
		text = string(partial)
	}
	return t.set(ctx, t.db.ChangeReplayable, "job.progress", id, "blocks = ?, blocks_of = ?, games = ?, partial = coalesce(?, partial), updated = ?",
		blocks, of, games, text, t.db.Now().UnixNano())
}

// Finish stores the result, as JSON, and the state Done; what was kept on
// the way to it goes.
func (t *Jobs) Finish(ctx context.Context, id int, result json.RawMessage) error {
	if !json.Valid(result) {
		return fmt.Errorf("job %d: result: expected JSON, got %.40q", id, result)
	}
	return t.edit(ctx, t.db.Change, "job.finish", id, func(c *sqlitedb.Change) error {
		if _, err := c.Exec("DELETE FROM job_pieces WHERE job_id = ? AND name <> ?", id, notePiece); err != nil {
			return err
		}
		return t.row(c, id, "state = ?, message = '', partial = NULL, result = ?, updated = ?",
			string(tuner.Done), string(result), t.db.Now().UnixNano())
	})
}

// Delete forgets a job; its blocks stay in the cache.
func (t *Jobs) Delete(ctx context.Context, id int) error {
	return t.edit(ctx, t.db.Change, "job.delete", id, func(c *sqlitedb.Change) error {
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

// Pieces returns the finished parts of a job, by name, as JSON.
func (t *Jobs) Pieces(ctx context.Context, id int) (map[string]json.RawMessage, error) {
	if err := pieceRows.Refuse(ctx, t.db, "job_id = ?", id); err != nil {
		return nil, fmt.Errorf("pieces of job %d: %w", id, err)
	}
	out := map[string]json.RawMessage{}
	err := sqlitedb.Each(ctx, t.db.Reader(), "SELECT name, value FROM job_pieces WHERE job_id = ? AND name <> ?", []any{id, notePiece}, func(rows *sql.Rows) error {
		var name, value string
		err := rows.Scan(&name, &value)
		out[name] = json.RawMessage(value)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("pieces of job %d: %w", id, err)
	}
	return out, nil
}

// AddPiece keeps a finished part of a job under a name of its own.
func (t *Jobs) AddPiece(ctx context.Context, id int, name string, value json.RawMessage) error {
	if !json.Valid(value) {
		return fmt.Errorf("job %d: piece %q: expected JSON, got %.40q", id, name, value)
	}
	return t.edit(ctx, t.db.ChangeReplayable, "job.piece", id, func(c *sqlitedb.Change) error { return putPiece(c, id, name, value) })
}

// change is a way to make a change: [sqlitedb.DB.Change], or ChangeReplayable where the
// job would make it again after a crash.
type change func(ctx context.Context, label string, do func(*sqlitedb.Change) error) error

// set changes columns of a job, in a transaction whose kill points have the label.
func (t *Jobs) set(ctx context.Context, by change, label string, id int, set string, values ...any) error {
	return t.edit(ctx, by, label, id, func(c *sqlitedb.Change) error { return t.row(c, id, set, values...) })
}

func (t *Jobs) edit(ctx context.Context, by change, label string, id int, do func(*sqlitedb.Change) error) error {
	if err := by(ctx, label, do); err != nil {
		return fmt.Errorf("job %d: %w", id, err)
	}
	return nil
}

// row changes columns of a job, whose row must be there and what was written.
func (t *Jobs) row(c *sqlitedb.Change, id int, set string, values ...any) error {
	n, err := jobRows.Update(c, "job_id = ?", []any{id}, set, values...)
	if err == nil && n == 0 {
		err = ErrJobNotFound
	}
	return err
}

package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"

	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/store/blocks"
	"sakusen/tuner/store/goptunadb"
	"sakusen/tuner/store/sqlitedb"
)

// Store is the studies, their logs and the jobs of one database. It keeps
// nothing in memory and may be used from any goroutine. Each call is a
// transaction of its own.
type Store struct {
	speeds  sync.Mutex // while their table is made
	Studies *Studies   // by name, and lists of them
	Jobs    *Jobs      // tournaments and experiments
	db      *sqlitedb.DB
	blocks  *blocks.Cache
}

// New migrates db and returns its store. On a database opened for reading it
// verifies the schema, and writing calls return [sqlitedb.ErrReadOnlyHandle].
func New(ctx context.Context, db *sqlitedb.DB) (*Store, error) {
	if err := goptunadb.Migrate(ctx, db); err != nil {
		return nil, err
	}
	return &Store{Studies: &Studies{db}, Jobs: &Jobs{db}, db: db, blocks: blocks.New(db)}, nil
}

// DB returns the database of the store.
func (s *Store) DB() *sqlitedb.DB { return s.db }

// Blocks returns the cache of played blocks.
func (s *Store) Blocks() *blocks.Cache { return s.blocks }

// Study returns what the file holds of the study with an id.
func (s *Store) Study(id int) *Study { return &Study{s.db, id} }

// Dropped is what dropping a worker did.
type Dropped struct {
	Blocks   int64  `json:"blocks"`   // dropped from the whole database
	Archived string `json:"archived"` // the name under which the study's former log is kept
}

// DropWorker removes all of a worker's blocks from the database and makes a study begin anew.
// The log so far and its results are kept unchanged under another name, stopped for good, since
// evidence is never changed. Under the study's name there is an empty log, whose run plays only
// what was dropped. The study keeps its number of attempt where it comes to the same winner:
// the validation meets the same seeds, of which the search has learned nothing. For another
// winner it is a further attempt. All is one transaction. Where the worker has played no block
// in the scope it is [ErrNoCredit].
func (s *Store) DropWorker(ctx context.Context, study, worker string, scope blocks.Scope) (Dropped, error) {
	var d Dropped
	old, err := s.Studies.Open(ctx, study)
	if err != nil {
		return d, err
	}
	err = s.db.Change(ctx, "drop", func(c *sqlitedb.Change) error {
		if n, err := blocks.Played(c, worker, scope); err != nil || n == 0 {
			return errors.Join(err, ErrNoCredit)
		}
		if d.Blocks, err = blocks.Drop(c, worker); err != nil {
			return err
		}
		d.Archived, err = old.restart(c, worker, Anew{State: tuner.Queued})
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
	// Exact says that its games come out the same on every machine, and that the worker's did
	// not. An attempt to prove what those games had chosen, if it has no verdict, is then no
	// attempt of its own: nothing of what was played there is known to the study that begins anew.
	Exact bool
}

// DropEverywhere takes all of a worker's blocks out of the database, but those in the
// scopes that are kept, and has studies begin anew as [Store.DropWorker] does. The
// finished parts of tournaments and experiments that have not ended go too, and are worked
// out again from the blocks. All is one transaction. It returns how many blocks they were.
func (s *Store) DropEverywhere(ctx context.Context, worker string, studies []Anew, kept []blocks.Scope) (dropped int64, err error) {
	logs := make([]*Log, len(studies))
	for i, a := range studies {
		if logs[i], err = s.Studies.Open(ctx, a.Study); err != nil {
			return 0, err
		}
	}
	err = s.db.Change(ctx, "drop", func(c *sqlitedb.Change) error {
		if dropped, err = blocks.Drop(c, worker, kept...); err != nil {
			return err
		}
		for i, a := range studies {
			if _, err := logs[i].restart(c, worker, a); err != nil {
				return err
			}
		}
		_, err := c.Exec("DELETE FROM job_pieces WHERE job_id IN (SELECT job_id FROM jobs WHERE state <> ?) AND name <> ?", string(tuner.Done), notePiece)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("drop worker %q: %w", worker, err)
	}
	return dropped, nil
}

// complaintsMost bounds what Check lists of each kind.
const complaintsMost = 20

// Check reads every log entry, spec, result and run of blocks and lists what differs from what
// was written. It finds bytes that changed inside a row, which SQLite's own check does not see,
// results that do not follow from their log, missing attempts and missing triggers. Damage is
// not an error; that the check could not be made is, beside what was found before.
func (s *Store) Check(ctx context.Context) ([]string, error) {
	complaints, err := goptunadb.CheckSchema(ctx, s.db)
	if err != nil {
		return nil, fmt.Errorf("check: %w", err)
	}
	for _, part := range []func(context.Context) ([]string, error){s.checkRows, s.checkLogs} {
		found, err := part(ctx)
		complaints = append(complaints, found...)
		if err != nil {
			return complaints, fmt.Errorf("check: %w", err)
		}
	}
	broken, err := s.blocks.Check(ctx, complaintsMost)
	complaints = append(complaints, broken...)
	if err != nil {
		return complaints, fmt.Errorf("check: %w", err)
	}
	return complaints, nil
}

// checkRows lists the rows that are not what was written.
func (s *Store) checkRows(ctx context.Context) (complaints []string, err error) {
	tables := []sqlitedb.Sealed{studyRows, attemptRows, jobRows, pieceRows}
	for _, later := range []struct {
		name, schema string
		rows         sqlitedb.Sealed
	}{{asksName, asksSchema, askRows}, {speedsName, speedsSchema, speedRows}} {
		n, err := s.db.Version(ctx, later.name)
		if err != nil {
			return complaints, err
		}
		if n == 0 {
			continue
		}
		tables = append(tables, later.rows)
		found, err := s.db.CheckSchema(ctx, later.name, later.schema)
		if err != nil {
			return complaints, err
		}
		complaints = append(complaints, found...)
	}
	found, err := goptunadb.Check(ctx, s.db, complaintsMost)
	if err != nil {
		return complaints, err
	}
	complaints = append(complaints, found...)
	for _, table := range tables {
		found, err := table.Check(ctx, s.db, complaintsMost, "TRUE")
		if err != nil {
			return complaints, err
		}
		complaints = append(complaints, found...)
	}
	return complaints, nil
}

// checkLogs checks the chain of every log, compares each result with its log, and checks
// that every attempt opened in a log was counted.
func (s *Store) checkLogs(ctx context.Context) (complaints []string, err error) {
	more := 0
	for l, err := range s.Studies.All(ctx) {
		if err != nil {
			return complaints, err
		}
		found, err := s.checkLog(ctx, l)
		if err != nil {
			return append(complaints, found...), err
		}
		if room := complaintsMost - len(complaints); len(found) > room {
			found, more = found[:room], more+len(found)-room
		}
		complaints = append(complaints, found...)
	}
	if more > 0 {
		complaints = append(complaints, fmt.Sprintf("studies: %d complaints more", more))
	}
	return complaints, nil
}

func (s *Store) checkLog(ctx context.Context, l Listing) (complaints []string, err error) {
	complain := func(format string, args ...any) {
		complaints = append(complaints, "study "+l.Name+": "+fmt.Sprintf(format, args...))
	}
	if l.Foreign {
		lost, err := recordLost(ctx, s.db.Reader(), l.ID)
		if lost {
			complain(noRecord)
		}
		return complaints, err
	}
	var all []entry.Entry
	err = s.db.Read(ctx, func(tx *sql.Tx) error {
		all, _, err = s.Study(l.ID).readChain(tx, l.SpecHash, l.Signatures)
		return err
	})
	if damage, ok := errors.AsType[*sqlitedb.DamagedError](err); ok {
		complain("%s", damage.What)
		return complaints, nil
	}
	if err != nil {
		return complaints, err
	}
	var stored sql.NullString
	if err := s.db.Reader().QueryRowContext(ctx, "SELECT result FROM study_records WHERE study_id = ?", l.ID).Scan(&stored); err != nil {
		return complaints, err
	}
	if stored.Valid {
		var r tuner.Result
		if err := json.Unmarshal([]byte(stored.String), &r); err != nil {
			complain("its result: %v", err)
		} else if forged, ok := errors.AsType[*tuner.ForgedError](r.Agrees(all)); ok {
			complain("its result does not follow from its log: %s", forged.What)
		}
	}
	for _, e := range all {
		var opened entry.Attempt
		if e.Kind != entry.KindAttempt || json.Unmarshal(e.Payload, &opened) != nil || opened.Attempt == 0 {
			continue
		}
		var counted bool
		err := s.db.Reader().QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM validation_attempts WHERE game = ? AND strategy = ? AND baseline = ? AND attempt = ?)",
			l.Game, l.Strategy, l.Baseline, opened.Attempt).Scan(&counted)
		if err != nil {
			return complaints, err
		}
		if !counted {
			complain("its validation is attempt %d on %s, %s and %s, which is no longer counted", opened.Attempt, l.Game, l.Strategy, strings.TrimSpace(l.Baseline))
		}
	}
	return complaints, nil
}

// Memory is a study's record in memory: for tests, and for experiments that run thousands of
// studies and want only their results. It implements tuner.Record.
//
//	record := store.NewMemory()
//	study, err := tuner.Open(ctx, spec, tuner.Options{Host: pool, Proposer: p, Record: record})
//	result, err := study.Run(ctx)
//	entries := record.Log()
//
// Of its trials it keeps the states alone: everything else is in the log too.
// Attempts are counted for this record alone.
type Memory struct {
	entries   []entry.Entry
	questions []tuner.Question // of all attempts
	trials    memoryTrials
}

// NewMemory returns an empty record.
func NewMemory() *Memory { return &Memory{} }

// Log returns the entries so far.
func (r *Memory) Log() []entry.Entry { return r.entries }

// Entries implements tuner.Record.
func (r *Memory) Entries(context.Context) ([]entry.Entry, error) { return r.entries, nil }

// Append implements tuner.Record. After a change that failed there is no entry,
// and no trial that the change created.
func (r *Memory) Append(_ context.Context, e entry.Entry, change func(tuner.Trials) error) error {
	if change != nil {
		before := len(r.trials.states)
		if err := change(&r.trials); err != nil {
			r.trials.states = r.trials.states[:before]
			return err
		}
	}
	r.entries = append(r.entries, e)
	return nil
}

// Attempt implements tuner.Record.
func (r *Memory) Attempt(_ context.Context, q tuner.Question) (int, error) {
	number := 1
	for _, asked := range r.questions {
		alike := asked.Baseline == q.Baseline || q.Play != "" && asked.Play == q.Play
		if alike && asked.Game == q.Game && asked.Rules == q.Rules && asked.Strategy == q.Strategy {
			number++
		}
	}
	r.questions = append(r.questions, q)
	return number, nil
}

// memoryTrials are the states of a study's trials by number. It implements tuner.Trials.
type memoryTrials struct{ states []entry.TrialState }

// Create implements tuner.Trials.
func (t *memoryTrials) Create(number int) error {
	if number != len(t.states) {
		return fmt.Errorf("create trial %d: expected %d, the next number", number, len(t.states))
	}
	t.states = append(t.states, entry.TrialRunning)
	return nil
}

// State implements tuner.Trials.
func (t *memoryTrials) State(number int) (entry.TrialState, error) {
	if number < 0 || number >= len(t.states) {
		return "", fmt.Errorf("there is no trial %d among %d", number, len(t.states))
	}
	return t.states[number], nil
}

// SetState implements tuner.Trials.
func (t *memoryTrials) SetState(number int, state entry.TrialState) error {
	if err := t.open(number); err != nil {
		return err
	}
	t.states[number] = state
	return nil
}

// SetParam implements tuner.Trials.
func (t *memoryTrials) SetParam(number int, _ *tuner.Dimension, _ string) error {
	return t.open(number)
}

// SetAttr implements tuner.Trials.
func (t *memoryTrials) SetAttr(number int, _, _ string) error { return t.open(number) }

// SetNote implements tuner.Trials.
func (t *memoryTrials) SetNote(number int, _, _ string) error { return t.open(number) }

// Report implements tuner.Trials.
func (t *memoryTrials) Report(number int, _ int64, _ float64) error { return t.open(number) }

// SetValue implements tuner.Trials.
func (t *memoryTrials) SetValue(number int, _ float64) error { return t.open(number) }

// open refuses a trial that is not there or that is finished.
func (t *memoryTrials) open(number int) error {
	state, err := t.State(number)
	if err == nil && state.Finished() {
		err = fmt.Errorf("trial %d is %s and cannot change any more", number, state)
	}
	return err
}

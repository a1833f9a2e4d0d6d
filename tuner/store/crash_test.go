//go:build cgo && unix

package store

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sakusen/bench"
	"sakusen/bench/ledger"
	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/store/sqlitedb"
	"sakusen/tuner/store/sqlitedb/disktest"
)

// crash is a database on a disk that forgets, the changes that are made to it, and
// what it has shown of itself: every state that a reader has seen, and from which
// moment on which of them was promised. After a power cut the database must be in
// one of these states, and in none before the last that was promised.
type crash struct {
	t    *testing.T
	rng  *rand.Rand
	dir  string
	disk *disktest.Disk
	plan func(disktest.Call) disktest.Fault // how the disk fails

	s        *Store
	runs     *ledger.Ledger
	logs     map[string]*Log
	asked    map[string]int // trials of each log
	jobs     []int
	recorded []int64
	made     int // names that were given

	states    []string
	rows      map[string]bool // of the last state
	promises  []promise
	last      string // what was done last
	uncertain string // a change that was not acknowledged
}

// promise says that from a moment on the database is in a state or a later one.
type promise struct {
	at, state int
	what      string
}

// newCrash makes an empty database in a folder of its own.
func newCrash(t *testing.T, seed uint64) *crash {
	t.Helper()
	c := &crash{t: t, rng: rand.New(rand.NewPCG(seed, 17)), dir: t.TempDir()}
	var err error
	if c.disk, err = disktest.Watch(c.dir); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.disk.Close)
	if err := c.open(); err != nil {
		t.Fatal(err)
	}
	c.promise("the database")
	return c
}

func (c *crash) path() string { return filepath.Join(c.dir, "x.db") }

// open opens the database, new or as it was left.
func (c *crash) open() (err error) {
	c.s = nil
	c.s, c.runs, err = openCrashed(c.path(), func(point string) {
		switch {
		case strings.HasSuffix(point, ".committed"):
			c.saw()
		case point == "log.rewritten":
			err = errors.Join(err, c.disk.Rewritten("x.db-wal"))
		}
	})
	if err == nil {
		c.refresh()
		c.saw()
	}
	return err
}

func openCrashed(path string, point func(string)) (*Store, *ledger.Ledger, error) {
	ctx := context.Background()
	db, err := sqlitedb.Open(ctx, path, sqlitedb.Options{LogPages: 20, Point: point})
	if err != nil {
		return nil, nil, err
	}
	s, err := New(ctx, db)
	if err != nil {
		return nil, nil, errors.Join(err, db.Close())
	}
	l, err := ledger.Open(ctx, db)
	if err != nil {
		return nil, nil, errors.Join(err, db.Close())
	}
	return s, l, nil
}

// saw notes the state that a reader sees now. Where none can be read there is
// nothing that anybody could believe.
func (c *crash) saw() {
	if c.s == nil {
		return
	}
	c.disk.Plan(nil) // who looks is no part of what fails
	defer c.disk.Plan(c.plan)
	state, rows, err := stateOf(c.s.DB())
	if err == nil && (len(c.states) == 0 || c.states[len(c.states)-1] != state) {
		c.states, c.rows = append(c.states, state), rows
	}
}

// promise records that all that was done so far has been acknowledged.
func (c *crash) promise(what string) {
	c.saw()
	c.promises = append(c.promises, promise{at: c.disk.Now(), state: len(c.states) - 1, what: what})
}

// stateOf returns all rows of all tables, each with its table's name before it, and
// their hash.
func stateOf(db *sqlitedb.DB) (state string, all map[string]bool, err error) {
	tx, err := db.Reader().Begin()
	if err != nil {
		return "", nil, err
	}
	defer tx.Rollback()
	var tables []string
	rows, err := tx.Query("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
	if err != nil {
		return "", nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return "", nil, err
		}
		tables = append(tables, name)
	}
	if err := rows.Err(); err != nil {
		return "", nil, err
	}
	h, all := sha256.New(), map[string]bool{}
	for _, name := range tables {
		rows, err := tx.Query("SELECT * FROM " + name)
		if err != nil {
			return "", nil, err
		}
		defer rows.Close()
		columns, err := rows.Columns()
		if err != nil {
			return "", nil, err
		}
		row := make([]any, len(columns))
		into := make([]any, len(columns))
		for i := range row {
			into[i] = &row[i]
		}
		for rows.Next() {
			if err := rows.Scan(into...); err != nil {
				return "", nil, err
			}
			text := fmt.Sprintln(name, row)
			all[text] = true
			fmt.Fprint(h, text)
		}
		if err := rows.Err(); err != nil {
			return "", nil, err
		}
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:12]), all, nil
}

// refresh reads anew what there is to change, as a program does after an error.
func (c *crash) refresh() {
	c.logs, c.asked, c.jobs, c.recorded = map[string]*Log{}, map[string]int{}, nil, nil
	ctx := context.Background()
	for l, err := range c.s.Studies.All(ctx) {
		if err != nil {
			break
		}
		if l.State == tuner.Done {
			continue
		}
		if log, err := c.s.Studies.Open(ctx, l.Name); err == nil {
			if all, err := log.Entries(ctx); err == nil {
				c.logs[l.Name] = log
				for _, e := range all {
					if e.Kind == entry.KindAsk {
						c.asked[l.Name]++
					}
				}
			}
		}
	}
	if jobs, err := c.s.Jobs.List(ctx, Tournament, Filter{Limit: 100}); err == nil {
		for _, j := range jobs {
			c.jobs = append(c.jobs, j.ID)
		}
	}
	if all, err := c.runs.Entries(ctx); err == nil {
		for _, e := range all {
			c.recorded = append(c.recorded, e.ID)
		}
	}
}

// act makes a change that chance chooses, and promises what must be on the disk
// when it returns. An error is what the caller of the change would see.
func (c *crash) act() error {
	what, synced, err := c.change(context.Background())
	if err != nil {
		c.uncertain = what
		c.saw()
		if !sqlitedb.Damaged(err) {
			c.refresh()
		}
		return fmt.Errorf("%s: %w", what, err)
	}
	c.last = what
	if synced {
		c.promise(what)
	} else {
		c.saw()
	}
	return nil
}

// change makes one change.
func (c *crash) change(ctx context.Context) (what string, synced bool, err error) {
	c.made++
	name := fmt.Sprintf("s%d", c.made)
	var log *Log
	for _, n := range sortedKeys(c.logs) {
		if log == nil || c.rng.IntN(len(c.logs)) == 0 {
			log, name = c.logs[n], n
		}
	}
	pick := c.rng.IntN(20)
	switch {
	case log == nil || pick == 0:
		name = fmt.Sprintf("s%d", c.made)
		log, _, err := c.s.Studies.Resume(ctx, header(name), Source{Name: name + ".yaml", Text: "version: 1"}, 3)
		if err == nil {
			c.logs[name] = log
		}
		return "submit " + name, true, err
	case pick <= 6:
		err := log.Append(ctx, logEntry(entry.KindAsk, `{"drawn":%d}`, c.made), func(t tuner.Trials) error {
			return ask(t, c.asked[name], c.rng)
		})
		if err == nil {
			c.asked[name]++
		}
		return "entry of " + name, false, err
	case pick <= 9:
		key := blockKey(uint64(c.made))
		return "blocks", false, c.s.Blocks().Save(ctx, key, diceRun(0, 1+c.rng.IntN(400), 0))
	case pick == 10:
		h := log.Header()
		a, err := log.Attempt(ctx, tuner.Question{Game: h.Game, Strategy: h.Strategy, Baseline: h.Baseline, Winner: fmt.Sprintf("mp(x=%d)", c.made)})
		if err == nil {
			c.promise("attempt of " + name)
			err = log.Append(ctx, logEntry(entry.KindAttempt, `{"attempt":%d}`, a), nil)
		}
		return "attempt entry of " + name, true, err
	case pick == 11:
		return "verdict of " + name, true, log.Append(ctx, logEntry(entry.KindValidation, `{"verdict":"fail","attempt":%d}`, c.made), nil)
	case pick == 12:
		return "stop of " + name, true, log.SetState(ctx, tuner.Stopped, "asked to")
	case pick == 13:
		delete(c.logs, name)
		return "deletion of " + name, true, c.s.Studies.Delete(log.ID())
	case pick == 14:
		all, err := log.Entries(ctx)
		if err != nil {
			return "result of " + name, true, err
		}
		for _, e := range all {
			if e.Kind == entry.KindValidation {
				return "games of " + name, false, log.SetGames(ctx, int64(c.made))
			}
		}
		result, _ := json.Marshal(map[string]string{"digest": entry.Digest(all)})
		delete(c.logs, name)
		return "result of " + name, true, log.Finish(ctx, result)
	case pick == 15 || len(c.jobs) == 0 && pick < 18:
		id, _, err := c.s.Jobs.Create(ctx, Job{Kind: Tournament, Name: name, Request: json.RawMessage(fmt.Sprint(c.made))})
		if err == nil {
			c.jobs = append(c.jobs, id)
		}
		return "tournament", true, err
	case pick == 16:
		id := c.jobs[0]
		return "progress of a tournament", false, c.s.Jobs.SetProgress(ctx, id, int64(c.made), 1000, 1, json.RawMessage(`{"so":"far"}`))
	case pick == 17:
		id := c.jobs[0]
		c.jobs = c.jobs[1:]
		if c.rng.IntN(2) == 0 {
			return "deletion of a tournament", true, c.s.Jobs.Delete(ctx, id)
		}
		return "result of a tournament", true, c.s.Jobs.Finish(ctx, id, json.RawMessage(`{"won":1}`))
	case pick == 18 || len(c.recorded) == 0:
		text := fmt.Sprintf("goos: linux\npkg: p\nBenchmarkA-2 %d 5 ns/op\n", 1+c.made)
		run, err := bench.Read(strings.NewReader(text), "a.txt", bench.ReadOptions{})
		if err != nil {
			c.t.Fatal(err)
		}
		e, _, err := c.runs.Record(ctx, run, ledger.Origin{Commit: name})
		if err == nil {
			c.recorded = append(c.recorded, e.ID)
		}
		return "benchmark", true, err
	default:
		return "baseline", true, c.runs.SetBaseline(ctx, "main", c.recorded[c.rng.IntN(len(c.recorded))])
	}
}

// holds opens the file that a power cut at a moment has left, and compares it with what was
// promised. It is one of the states that were seen, none before the last promised one, nothing
// in it is damaged, and it can be written.
func (c *crash) holds(at int, fate disktest.Fate, rng *rand.Rand) error {
	dir, err := os.MkdirTemp("", "sakusen-crash-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := c.disk.Image(dir, at, fate, rng); err != nil {
		return err
	}
	disk, err := disktest.Watch(dir) // which spares the real disk the syncs
	if err != nil {
		return err
	}
	defer disk.Close()
	return c.keeps(filepath.Join(dir, "x.db"), at)
}

// keeps does what holds does, for a database file that is there.
func (c *crash) keeps(path string, at int) error {
	var due *promise
	for i := range c.promises {
		if c.promises[i].at <= at {
			due = &c.promises[i]
		}
	}
	s, runs, err := openCrashed(path, nil)
	if damage, ok := errors.AsType[*sqlitedb.DamagedError](err); ok && damage.Path == path+"-wal" {
		// The head of a log that was begun anew is nonsense: the message says that
		// moving it away goes on with what was there before it.
		if err := os.Remove(damage.Path); err != nil {
			return err
		}
		s, runs, err = openCrashed(path, nil)
	}
	if err != nil {
		return fmt.Errorf("it does not open: %w", err)
	}
	defer s.DB().Close()
	if due != nil {
		state, rows, err := stateOf(s.DB())
		if err != nil {
			return err
		}
		found := -1
		for i, seen := range c.states {
			if seen == state {
				found = i
			}
		}
		if found < 0 && c.uncertain == "" || found < 0 && !c.onlyMore(rows) {
			return fmt.Errorf("it is in a state in which it has never been (not told whether it was made: %q)", c.uncertain)
		}
		if found >= 0 && found < due.state {
			return fmt.Errorf("it is in state %d of %d; state %d was acknowledged with: %s", found, len(c.states), due.state, due.what)
		}
	}
	if problems := problemsOf(s, runs); problems != "" {
		return errors.New(problems)
	}
	_, err = s.Studies.Create(context.Background(), header("afterwards"))
	return err
}

// onlyMore reports whether rows are those of the last state with one change more.
func (c *crash) onlyMore(rows map[string]bool) bool {
	gone, more := map[string]int{}, map[string]int{}
	for row := range c.rows {
		if !rows[row] {
			gone[strings.Fields(row)[0]]++
		}
	}
	for row := range rows {
		if !c.rows[row] {
			more[strings.Fields(row)[0]]++
		}
	}
	if strings.HasPrefix(c.uncertain, "deletion of") || c.uncertain == "result of a tournament" {
		return len(more) <= 1
	}
	for table, n := range gone { // rows change, none goes
		if n > 2 || more[table] < n {
			return false
		}
	}
	return true
}

// problemsOf returns what the check finds.
func problemsOf(s *Store, runs *ledger.Ledger) string {
	ctx := context.Background()
	report, err := s.DB().Check(ctx)
	if err != nil || !report.OK() {
		return fmt.Sprint(report, err)
	}
	found, err := s.Check(ctx)
	broken, err2 := runs.Check(ctx)
	if err := errors.Join(err, err2); err != nil || len(found)+len(broken) > 0 {
		return fmt.Sprint(found, broken, err)
	}
	return ""
}

func sortedKeys(m map[string]*Log) []string {
	return slices.Sorted(maps.Keys(m))
}

package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strings"
	"time"

	"sakusen/tuner"
	"sakusen/tuner/store/sqlitedb"
)

// Studies creates, opens, lists and deletes the studies of a database.
type Studies struct{ db *sqlitedb.DB }

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
	// Validation is the payload of the last entry of that kind of a study without a result whose
	// verdict has fallen, nil of others.
	Validation json.RawMessage
	// Brief is what lists show of the spec, as JSON: doc, objective, validation,
	// evaluate.
	Brief json.RawMessage
	// Pending is the spec of a study without a result.
	Pending json.RawMessage
	// Foreign says that a program keeps the study with Goptuna's API: it has trials, but
	// no log, spec, game or result. Its state is "foreign".
	Foreign bool
}

// foreign is the state of studies that are not of this program.
const foreign tuner.State = "foreign"

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
	CASE WHEN r.result IS NULL THEN r.spec END,
	CASE WHEN r.result IS NULL AND (SELECT log.kind FROM entries log WHERE log.study_id = s.study_id ORDER BY log.seq DESC LIMIT 1) IN ('validation', 'estimate', 'set_back') THEN
		(SELECT e.payload FROM entries e INDEXED BY entries_by_kind WHERE e.study_id = s.study_id AND e.kind = 'validation' ORDER BY e.seq DESC LIMIT 1) END
	` + fromStudies

// fromStudies are all studies; those of other programs have no record.
const fromStudies = "FROM sakusen_studies s LEFT JOIN study_records r USING (study_id) "

func scanListing(scan func(...any) error) (Listing, error) {
	var l Listing
	var created, updated int64
	err := scan(&l.ID, &l.Name, &l.Direction, &created, &l.State, &l.Message, &l.Game, &l.Strategy, &l.Baseline,
		&l.SpecHash, &l.Signatures, &l.BudgetTrials, &l.BudgetGames, &l.Games, &l.Priority, &updated, &l.Finished,
		&l.Trials, (*[]byte)(&l.Incumbent), (*[]byte)(&l.Summary), (*[]byte)(&l.Brief), (*[]byte)(&l.Pending), (*[]byte)(&l.Validation))
	l.Foreign = l.State == foreign
	l.Created, l.Updated = time.Unix(0, created).UTC(), time.Unix(0, updated).UTC()
	return l, err
}

// All lists all studies, the oldest first.
func (t *Studies) All(ctx context.Context) iter.Seq2[Listing, error] {
	return paged(func(last Listing, _, limit int) ([]Listing, error) {
		return t.Find(ctx, Filter{Both: true, Sort: "oldest", Beyond: last.ID, Limit: limit})
	})
}

// interrupted reports whether a study was left by a dead process: none writes the database, or one
// that came later and has not gone on with it.
func (t *Studies) interrupted(l *Listing) bool {
	if l.State != tuner.Running || t.db.Writable() {
		return false
	}
	writer, alive := sqlitedb.Writer(t.db.Path())
	return !alive || l.Updated.Before(writer.Since)
}

// Details shows one study, or [ErrStudyNotFound]. One of another program is there too,
// beside the error [*ForeignStudyError], and one that is not what was written beside a
// [*sqlitedb.DamagedError].
func (t *Studies) Details(ctx context.Context, name string) (d Details, err error) {
	var found error // beside the study
	err = t.db.Read(ctx, func(tx *sql.Tx) error {
		d.Listing, err = scanListing(tx.QueryRowContext(ctx, listing+"WHERE s.name = ?", name).Scan)
		if err != nil {
			return err
		}
		d.Interrupted = t.interrupted(&d.Listing)
		if d.Foreign {
			found = &ForeignStudyError{Study: name}
			lost, err := recordLost(ctx, tx, d.ID)
			if lost {
				found = t.db.Damage("study " + name + ": " + noRecord)
			}
			return err
		}
		row := tx.QueryRowContext(ctx, "SELECT spec, result, coalesce((SELECT e.seq FROM entries e WHERE e.study_id = r.study_id ORDER BY e.seq DESC LIMIT 1), 0) FROM study_records r WHERE study_id = ?", d.ID)
		if err := row.Scan(&d.Spec, (*[]byte)(&d.Result), &d.Entries); err != nil {
			return err
		}
		found = studyRows.RefuseTx(tx, "study_id = ?", d.ID)
		return nil
	})
	if errors.Is(err, sql.ErrNoRows) {
		return Details{}, fmt.Errorf("%q: %w", name, ErrStudyNotFound)
	}
	if err != nil {
		return Details{}, fmt.Errorf("study %q: %w", name, err)
	}
	return d, found
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

// Filter selects studies or jobs and says in which order they are listed.
type Filter struct {
	Outcome string // one of [Outcomes] or [JobOutcomes], of studies some with commas between; empty for all
	Text    string // in the name, the question, the game or the strategy
	Game    string
	Sort    string // newest, or name, ended, games, state or gain, with - before it the contrary; empty for those that run first, then the newest
	// Archived lists the studies that were put away, and no others; those are left out of other
	// lists.
	Archived bool
	Both     bool // what was put away and the rest
	Beyond   int  // the id behind which the list begins, in the order oldest of studies, newest of jobs; 0 for none
	Skip     int
	Limit    int
}

// Outcomes returns what becomes of studies, in the order of lists.
func Outcomes() []string {
	return []string{"running", "waiting", "paused", "failed", "passed", "in doubt", "not passed", "undecided", "not tested", "no answer", string(foreign)}
}

// outcomeSQL is the outcome of a study, in SQL: what its page calls it. A pass that later games do
// not confirm, or that is not shown to be stronger than the opponent which counts, is in doubt.
const outcomeSQL = `(CASE coalesce(r.state, 'foreign') WHEN 'foreign' THEN 'foreign' WHEN 'running' THEN 'running' WHEN 'queued' THEN 'waiting' WHEN 'failed' THEN 'failed' WHEN 'done' THEN
	CASE CASE WHEN json_valid(r.result) THEN json_extract(r.result, '$.validation.verdict') END WHEN 'pass' THEN CASE
		WHEN json_extract(r.result, '$.validation.estimate.elo') <= CASE WHEN instr(r.spec, '"elo":[0,') THEN 0 WHEN json_valid(r.spec) THEN json_extract(r.spec, '$.validation.elo[0]') END THEN 'in doubt'
		WHEN CASE WHEN json_extract(r.result, '$.validation.estimate.metric.gain') <= 0 AND json_valid(r.spec) THEN json_extract(r.result, '$.validation.estimate.metric.gain') <= min(json_extract(r.spec, '$.validation.elo[0]'), 0) END THEN 'in doubt'
		WHEN ` + worstSQL + ` THEN coalesce((SELECT CASE WHEN value ->> '$.ci95[0]' > 0 THEN 'passed' ELSE 'in doubt' END FROM json_each(r.result, '$.validation.pool')
			WHERE value ->> 'elo' < coalesce(json_extract(r.result, '$.validation.estimate.elo'), json_extract(r.result, '$.validation.elo')) ORDER BY value ->> 'elo' LIMIT 1), 'passed')
		ELSE 'passed' END
	WHEN 'fail' THEN 'not passed' WHEN 'inconclusive' THEN 'undecided' ELSE CASE WHEN json_valid(r.result) AND json_type(r.result, '$.best') = 'object' THEN 'not tested' ELSE 'no answer' END END
	ELSE 'paused' END)`

// statesSQL are the states of the outcomes of studies that have not ended, in SQL.
var statesSQL = map[string]string{"running": "'running'", "waiting": "'queued'", "paused": "'paused', 'stopped'", "failed": "'failed'"}

// worstSQL reports whether the opponent counts that a study's answer does worst against, in SQL.
const worstSQL = `CASE WHEN instr(r.spec, '"worst"') AND json_valid(r.spec) THEN 'worst' IN (json_extract(r.spec, '$.objective.over'), json_extract(r.spec, '$.objective.objectives[0].over')) END`

// gainSQL is the Elo that lists show of a study with a result, in SQL: what
// [tuner.ValidationReport.Asked] returns.
const gainSQL = `(SELECT min(elo) FROM (SELECT coalesce(json_extract(r.result, '$.validation.estimate.elo'), json_extract(r.result, '$.validation.elo')) elo
	UNION ALL SELECT value ->> 'elo' FROM json_each(r.result, '$.validation.pool') WHERE ` + worstSQL + `
	AND json_extract(r.result, '$.validation.metric') IS NULL AND json_extract(r.result, '$.validation.elo') IS NOT NULL))`

// orders are the ways to sort studies, in SQL; see [Filter].
var orders = map[string]string{
	"":       "r.state IS 'running' DESC, r.priority * (r.state IS 'running') DESC, CASE r.state WHEN 'running' THEN s.study_id ELSE -s.study_id END",
	"newest": "s.study_id DESC",
	"oldest": "s.study_id",
	"name":   "s.name, s.study_id DESC",
	"ended":  "coalesce(r.updated, s.created) DESC, s.study_id DESC",
	"games":  "coalesce(r.games, 0) DESC, s.study_id DESC",
	"state":  outcomeSQL + ", s.study_id DESC",
	"gain":   "CASE WHEN json_valid(r.result) THEN " + gainSQL + " END DESC NULLS LAST, s.study_id DESC",
}

// sorting returns a way to sort by its name, with - before it the contrary; empty where there is none.
func sorting(orders map[string]string, by string) string {
	name, contrary := strings.CutPrefix(by, "-")
	order, at := orders[name], strings.LastIndex(orders[name], ", ")
	if !contrary || name == "" || at < 0 {
		return orders[by]
	}
	key, falls := strings.CutSuffix(strings.TrimSuffix(order[:at], " NULLS LAST"), " DESC")
	return key + map[bool]string{false: " DESC"}[falls] + " NULLS LAST" + order[at:]
}

// ArchivedTag is the word in a study's note that puts it away; words with # before them are its tags.
const ArchivedTag = "#archived"

// hasNote tells in SQL whether the note of a study is like a text.
const hasNote = "EXISTS (SELECT 1 FROM sakusen_study_attrs a WHERE a.study_id = s.study_id AND a.owner = 'user' AND a.key = '" + noteKey + "' AND a.value LIKE ? ESCAPE '\\')"

// Notes returns what people have written of some studies, by number.
func (t *Studies) Notes(ctx context.Context, of []Listing) (map[int]string, error) {
	out := map[int]string{}
	for i := range of {
		text, err := (&Study{t.db, of[i].ID}).Note(ctx)
		if err != nil {
			return nil, err
		}
		if text != "" {
			out[of[i].ID] = text
		}
	}
	return out, nil
}

// Sorted reports whether there is an order of the name.
func Sorted(by string) bool { return sorting(orders, by) != "" }

// likes returns the words that are looked for as patterns of SQL.
func (f *Filter) likes() iter.Seq[string] {
	return func(yield func(string) bool) {
		for word := range strings.FieldsSeq(f.Text) {
			if !yield("%" + strings.NewReplacer(`\`, `\\`, "%", `\%`, "_", `\_`).Replace(word) + "%") {
				return
			}
		}
	}
}

// where returns the filter in SQL, without the outcome.
func (f *Filter) where() (text string, args []any) {
	if text, args = "WHERE s.study_id > ?", []any{f.Beyond}; !f.Both {
		text, args = text+" AND "+map[bool]string{false: "NOT "}[f.Archived]+hasNote, append(args, "%"+ArchivedTag+"%")
	}
	if f.Game != "" {
		text, args = text+" AND r.game = ?", append(args, f.Game)
	}
	for like := range f.likes() {
		text += ` AND (s.name LIKE ? ESCAPE '\' OR r.game LIKE ? ESCAPE '\' OR r.strategy LIKE ? ESCAPE '\' OR CASE WHEN json_valid(r.spec) THEN json_extract(r.spec, '$.doc') END LIKE ? ESCAPE '\' OR ` + hasNote + `)`
		args = append(args, like, like, like, like, like)
	}
	return text, args
}

// Find lists the studies that a filter lets through.
func (t *Studies) Find(ctx context.Context, f Filter) ([]Listing, error) {
	text, args := f.where()
	if f.Outcome != "" {
		if state := statesSQL[f.Outcome]; state != "" { // which needs no look into results
			text += " AND r.state IN (" + state + ")"
		} else {
			text, args = text+" AND instr(','||?||',', ','||"+outcomeSQL+"||',')", append(args, f.Outcome)
		}
	}
	// What a line shows is read of the lines of the page alone: SQLite would make all lines before it
	// sorts them.
	list, err := sqlitedb.Rows(ctx, t.db.Reader(), scanListing, listing+"WHERE s.study_id IN (SELECT s.study_id "+fromStudies+text+" ORDER BY "+sorting(orders, f.Sort)+" LIMIT ? OFFSET ?) ORDER BY "+sorting(orders, f.Sort), append(args, f.Limit, f.Skip)...)
	if err != nil {
		return nil, fmt.Errorf("list studies: %w", err)
	}
	for i := range list {
		list[i].Interrupted = t.interrupted(&list[i])
	}
	return list, nil
}

// Count counts the studies of each outcome that a filter lets through, and
// of each game whatever it lets through.
func (t *Studies) Count(ctx context.Context, f Filter) (outcomes, games map[string]int, err error) {
	text, args := f.where()
	outcomes, err = counted(ctx, t.db, "SELECT "+outcomeSQL+", count(*) "+fromStudies+text+" GROUP BY 1", args...)
	if err == nil {
		games, err = counted(ctx, t.db, "SELECT r.game, count(*) "+fromStudies+"WHERE r.game IS NOT NULL GROUP BY 1")
	}
	return outcomes, games, err
}

// Waiting is a study that has not ended and is not held.
type Waiting struct {
	ID       int
	Name     string
	State    tuner.State // Queued or Running
	Priority int
	Created  time.Time
}

// Waiting lists the studies that are queued or running, the more urgent and
// then the older first, without those whose games are played elsewhere.
func (t *Studies) Waiting(ctx context.Context) ([]Waiting, error) {
	list, err := sqlitedb.Rows(ctx, t.db.Reader(), func(scan func(...any) error) (w Waiting, err error) {
		var created int64
		err = scan(&w.ID, &w.Name, &w.State, &w.Priority, &created)
		w.Created = time.Unix(0, created).UTC()
		return w, err
	}, `SELECT s.study_id, s.name, r.state, r.priority, s.created
		FROM sakusen_studies s JOIN study_records r USING (study_id) WHERE r.state IN ('queued', 'running')
		AND CASE WHEN json_valid(r.spec) THEN json_extract(r.spec, '$.tune.declare') IS NULL ELSE TRUE END
		ORDER BY r.priority DESC, s.study_id`)
	if err != nil {
		return nil, fmt.Errorf("waiting studies: %w", err)
	}
	return list, nil
}

// pageRows is the number of rows that one query reads: enough that queries are
// few, and so few that a long study does not have to fit into memory.
const pageRows = 1000

// paged iterates over rows that are read a page at a time. page reads at most so many rows
// after the last one, which was the n-th, counted from 1; n is 0 before the first. An error
// is returned once, at the end.
func paged[T any](page func(last T, n, limit int) ([]T, error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var last, none T
		for n := 0; ; {
			rows, err := page(last, n, pageRows)
			if err != nil {
				yield(none, err)
				return
			}
			for _, row := range rows {
				if last = row; !yield(row, nil) {
					return
				}
			}
			if n += len(rows); len(rows) < pageRows {
				return
			}
		}
	}
}

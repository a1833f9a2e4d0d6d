package goptunadb

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/c-bata/goptuna"

	"sakusen/tuner/store/sqlitedb"
)

var (
	// ErrStudyExists says that the name of a new study is taken.
	ErrStudyExists = errors.New("a study of this name already exists")
	// ErrStudyNotFound says that no study has the name or id.
	ErrStudyNotFound = errors.New("study not found")
	// ErrHasLog says that a study is Sakusen's: what its trials are follows from
	// its log, so that nothing else may write them.
	ErrHasLog = errors.New("the study belongs to Sakusen and is written by its log alone")
	// ErrParamNotFound says that a trial has no parameter of the name.
	ErrParamNotFound = errors.New("parameter does not exist")
	// ErrStepExists says that a trial already has a value for the step.
	ErrStepExists = errors.New("step already has a value")
	// ErrParamExists says that a parameter was to be given a second, different value.
	ErrParamExists = errors.New("parameter already has another value or distribution")
)

// NotFiniteError says that a number which must be finite was not.
type NotFiniteError struct {
	What  string // such as "value of trial 7"
	Value float64
}

func (e *NotFiniteError) Error() string {
	return fmt.Sprintf("%s: expected a finite number, got %v", e.What, e.Value)
}

// finite returns x with negative zero made zero, since SQLite keeps no
// negative zero, or an error that names what is not finite.
func finite(x float64, what string, args ...any) (float64, error) {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return 0, &NotFiniteError{What: fmt.Sprintf(what, args...), Value: x}
	}
	if x == 0 {
		return 0, nil
	}
	return x, nil
}

// ofStudy and ofTrial are conditions: a row is of a study.
const (
	ofStudy = "study_id = ?"
	ofTrial = "trial_id IN (SELECT trial_id FROM sakusen_trials WHERE study_id = ?)"
	ofAxis  = "axis_id IN (SELECT axis_id FROM sakusen_trial_params WHERE " + ofTrial + ")"
)

// sealed are the tables whose rows carry a hash, each with the condition that a row is of a
// study.
var sealed = []struct {
	sqlitedb.Sealed
	of string
}{
	{studyRows, ofStudy},
	{axisRows, ofAxis},
	{trialRows, ofStudy},
	{studyAttrRows, ofStudy},
	{sqlitedb.Sealed{Table: "sakusen_trial_params", Columns: "trial_id, axis_id, value", Name: "'a parameter of the trial with id ' || trial_id"}, ofTrial},
	{sqlitedb.Sealed{Table: "sakusen_trial_values", Columns: "trial_id, step, value", Name: "'step ' || step || ' of the trial with id ' || trial_id"}, ofTrial},
	{sqlitedb.Sealed{Table: "sakusen_trial_attrs", Columns: "trial_id, owner, key, value", Name: "'attribute ' || key || ' of the trial with id ' || trial_id"}, ofTrial},
}

var (
	studyRows = sqlitedb.Sealed{Table: "sakusen_studies", Columns: "study_id, name, direction, created", Name: "'study ' || name || ': its row of sakusen_studies'"}
	axisRows  = sqlitedb.Sealed{Table: "sakusen_axes", Columns: "axis_id, name, distribution", Name: "'the distribution of parameter ' || name"}
	trialRows = sqlitedb.Sealed{
		Table: "sakusen_trials", Columns: "trial_id, study_id, number, state, value, started, completed", Name: "'trial ' || number || ' of study ' || study_id",
	}
	studyAttrRows = sqlitedb.Sealed{Table: "sakusen_study_attrs", Columns: "study_id, owner, key, value", Name: "'attribute ' || key || ' of study ' || study_id"}
)

// Check names at most so many rows of each table that are not what was written, and
// studies whose trials are not numbered from 0 without a gap.
func Check(ctx context.Context, db *sqlitedb.DB, most int) (complaints []string, err error) {
	for _, table := range sealed {
		found, err := table.Check(ctx, db, most, "TRUE")
		if err != nil {
			return nil, err
		}
		complaints = append(complaints, found...)
	}
	gaps, err := sqlitedb.Rows(ctx, db.Reader(), func(scan func(...any) error) (string, error) {
		var name string
		var count, last int
		err := scan(&name, &count, &last)
		return fmt.Sprintf("study %s: it has %d trials, expected %d by the number of the last one", name, count, last+1), err
	}, `SELECT s.name, count(*), max(t.number) FROM sakusen_trials t JOIN sakusen_studies s USING (study_id)
		GROUP BY t.study_id HAVING count(*) <> max(t.number) + 1 LIMIT ?`, most)
	return append(complaints, gaps...), err
}

// RefuseAttrs does what Refuse does, for a study's own attributes only.
func RefuseAttrs(tx *sql.Tx, study int) error { return studyAttrRows.RefuseTx(tx, ofStudy, study) }

// Refuse returns a [*sqlitedb.DamagedError] where the row of a study, or one of its trials,
// distributions or attributes, is not what was written.
func Refuse(tx *sql.Tx, study int) error {
	for _, table := range sealed {
		if err := table.RefuseTx(tx, table.of, study); err != nil {
			return err
		}
	}
	return nil
}

// Series is the name of the migrations of the tables: schema.sql, with views.sql for goptuna's
// own programs.
const Series = "store"

//go:embed schema.sql
var tables string

//go:embed views.sql
var views string

// Migrate makes the tables where there are none or, on a database opened for reading,
// verifies that they are there.
func Migrate(ctx context.Context, db *sqlitedb.DB) error {
	return db.Migrate(ctx, Series, tables+views)
}

// CheckSchema lists the differences from what Migrate makes.
func CheckSchema(ctx context.Context, db *sqlitedb.DB) ([]string, error) {
	return db.CheckSchema(ctx, Series, tables+views)
}

// Owner separates the attributes of users from those of the system.
type Owner string

// The owners of attributes.
const (
	User   Owner = "user"
	System Owner = "system"
)

// CreateStudy adds a study and returns its id. A name that is taken is
// [ErrStudyExists].
func CreateStudy(c *sqlitedb.Change, name string, direction goptuna.StudyDirection) (int, error) {
	// Asked beforehand, since a failed statement would fail the whole change.
	var taken bool
	err := c.Tx.QueryRow("SELECT EXISTS (SELECT 1 FROM sakusen_studies WHERE name = ?)", name).Scan(&taken)
	if err == nil && taken {
		err = ErrStudyExists
	}
	var id int64
	if err == nil {
		id, err = studyRows.Insert(c, ofStudy, nil, "name, direction, created", name, string(direction), c.Now().UnixNano())
	}
	if err != nil {
		return -1, fmt.Errorf("create study %q: %w", name, err)
	}
	return int(id), nil
}

// DeleteStudy deletes a study with its trials, its log and its attributes. The
// blocks that it played and the count of its validations stay. An id that is
// not there is goptuna.ErrInvalidStudyID.
func DeleteStudy(c *sqlitedb.Change, study int) error {
	result, err := c.Exec("DELETE FROM sakusen_studies WHERE study_id = ?", study)
	if err != nil {
		return fmt.Errorf("delete study %d: %w", study, err)
	}
	if n, err := result.RowsAffected(); err != nil || n == 0 {
		return goptuna.ErrInvalidStudyID
	}
	return nil
}

// SetStudyName gives a study another name, which is free.
func SetStudyName(c *sqlitedb.Change, study int, name string) error {
	return setStudy(c, study, "name = ?", name)
}

// setStudy changes a column of a study, whose row must be what was written.
func setStudy(c *sqlitedb.Change, study int, column, value string) error {
	_, err := studyRows.Update(c, ofStudy, []any{study}, column, value)
	return err
}

// SetStudyAttr sets an attribute of a study.
func SetStudyAttr(c *sqlitedb.Change, study int, owner Owner, key, value string) error {
	_, err := c.Exec("INSERT OR REPLACE INTO sakusen_study_attrs (study_id, owner, key, value, sum) VALUES (?1, ?2, ?3, ?4, seal(?1, ?2, ?3, ?4))", study, string(owner), key, value)
	if err != nil {
		return fmt.Errorf("study %d: attribute %q: %w", study, key, err)
	}
	return nil
}

// CopyStudyAttrs gives a study those attributes of another one that a condition on owner and
// key, in SQL, selects.
func CopyStudyAttrs(c *sqlitedb.Change, from, to int, which string, args ...any) error {
	_, err := c.Exec("INSERT INTO sakusen_study_attrs (study_id, owner, key, value, sum) SELECT ?1, owner, key, value, seal(?1, owner, key, value) FROM sakusen_study_attrs WHERE study_id = ?2 AND ("+which+")",
		append([]any{to, from}, args...)...)
	return err
}

// Summary reads a study without its trials; an id that is not there is
// goptuna.ErrInvalidStudyID.
func Summary(tx *sql.Tx, study int) (goptuna.StudySummary, error) {
	out := goptuna.StudySummary{ID: study, UserAttrs: map[string]string{}, SystemAttrs: map[string]string{}}
	err := tx.QueryRow("SELECT name, direction FROM sakusen_studies WHERE study_id = ?", study).Scan(&out.Name, &out.Direction)
	if errors.Is(err, sql.ErrNoRows) {
		return out, goptuna.ErrInvalidStudyID
	}
	if err != nil {
		return out, fmt.Errorf("study %d: %w", study, err)
	}
	err = sqlitedb.EachRow(tx, "SELECT owner, key, value FROM sakusen_study_attrs WHERE study_id = ?", []any{study}, func(r *sql.Rows) error {
		var owner Owner
		var key, value string
		err := r.Scan(&owner, &key, &value)
		if owner == User {
			out.UserAttrs[key] = value
		} else {
			out.SystemAttrs[key] = value
		}
		return err
	})
	return out, err
}

// Trials reads at most limit trials (all if negative) of a study, from the given
// number on. Their maps are the caller's alone. If a number is missing between two
// others or before the first, the error is a [*sqlitedb.DamagedError].
func Trials(tx *sql.Tx, study, from, limit int) ([]goptuna.FrozenTrial, error) {
	var trials []goptuna.FrozenTrial
	err := sqlitedb.EachRow(tx, "SELECT trial_id, number, state, value, started, completed FROM sakusen_trials WHERE study_id = ? AND number >= ? ORDER BY number LIMIT ?",
		[]any{study, from, limit}, func(rows *sql.Rows) error {
			t := goptuna.FrozenTrial{
				StudyID: study, IntermediateValues: map[int]float64{}, InternalParams: map[string]float64{}, Params: map[string]any{},
				Distributions: map[string]any{}, UserAttrs: map[string]string{}, SystemAttrs: map[string]string{},
			}
			var value sql.NullFloat64
			var started, completed sql.NullInt64
			err := rows.Scan(&t.ID, &t.Number, &t.State, &value, &started, &completed)
			t.Value, t.DatetimeStart, t.DatetimeComplete = value.Float64, fromNanos(started), fromNanos(completed)
			trials = append(trials, t)
			return err
		})
	if err != nil || len(trials) == 0 {
		return nil, err
	}
	for i, t := range trials {
		if want := max(from, 0) + i; t.Number != want {
			return nil, sqlitedb.DamageIn(tx, fmt.Sprintf("trial %d of study %d is missing", want, study))
		}
	}
	span := []any{study, from, trials[len(trials)-1].Number}
	// Numbers have no gaps, so a trial is found at its number less the first.
	at := func(number int) *goptuna.FrozenTrial { return &trials[number-trials[0].Number] }
	const of = " JOIN sakusen_trials t USING (trial_id) WHERE t.study_id = ? AND t.number BETWEEN ? AND ?"
	known, err := axes(tx, of, span)
	if err != nil {
		return nil, err
	}
	params := sqlitedb.EachRow(tx, "SELECT t.number, p.axis_id, p.value FROM sakusen_trial_params p"+of, span, func(rows *sql.Rows) error {
		var number int
		var id int64
		var internal float64
		if err := rows.Scan(&number, &id, &internal); err != nil {
			return err
		}
		a := known[id]
		value, err := external(a.distribution, internal)
		t := at(number)
		t.InternalParams[a.name], t.Params[a.name], t.Distributions[a.name] = internal, value, a.distribution
		return err
	})
	steps := sqlitedb.EachRow(tx, "SELECT t.number, v.step, v.value FROM sakusen_trial_values v"+of, span, func(rows *sql.Rows) error {
		var number, step int
		var value float64
		if err := rows.Scan(&number, &step, &value); err != nil {
			return err
		}
		at(number).IntermediateValues[step] = value
		return nil
	})
	notes := sqlitedb.EachRow(tx, "SELECT t.number, a.owner, a.key, a.value FROM sakusen_trial_attrs a"+of, span, func(rows *sql.Rows) error {
		var number int
		var o Owner
		var key, value string
		if err := rows.Scan(&number, &o, &key, &value); err != nil {
			return err
		}
		attrs(at(number), o)[key] = value
		return nil
	})
	return trials, errors.Join(params, steps, notes)
}

// attrs returns a trial's attributes of one owner.
func attrs(t *goptuna.FrozenTrial, o Owner) map[string]string {
	if o == User {
		return t.UserAttrs
	}
	return t.SystemAttrs
}

func fromNanos(n sql.NullInt64) time.Time {
	if !n.Valid {
		return time.Time{}
	}
	return time.Unix(0, n.Int64).UTC()
}

// Best returns the first complete trial of a study that no other one beats, of those with a value;
// found is false where there is none. It looks at all of the study's trials: 14 ms for
// 100 000. An index would take 0.1 ms, and costs each trial of all studies that is told 0.1 ms.
func Best(ctx context.Context, tx *sql.Tx, study int, direction goptuna.StudyDirection) (best goptuna.FrozenTrial, found bool, err error) {
	order := "value"
	if direction == goptuna.StudyDirectionMaximize {
		order = "value DESC"
	}
	var number int
	err = tx.QueryRowContext(ctx, "SELECT number FROM sakusen_trials WHERE study_id = ? AND state = ? AND value IS NOT NULL ORDER BY "+order+", number LIMIT 1",
		study, int(goptuna.TrialStateComplete)).Scan(&number)
	if errors.Is(err, sql.ErrNoRows) {
		return best, false, nil
	}
	if err != nil {
		return best, false, fmt.Errorf("best trial: %w", err)
	}
	all, err := Trials(tx, study, number, 1)
	if err != nil || len(all) == 0 {
		return best, false, err
	}
	return all[0], true, nil
}

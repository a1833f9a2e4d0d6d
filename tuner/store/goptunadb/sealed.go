package goptunadb

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"math"

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

// RefuseAttrs is Refuse of a study's own attributes alone.
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

// Series is the name of the migrations of the tables: schema.sql, and views.sql for goptuna's
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

// CheckSchema lists what is not as Migrate makes it.
func CheckSchema(ctx context.Context, db *sqlitedb.DB) ([]string, error) {
	return db.CheckSchema(ctx, Series, tables+views)
}

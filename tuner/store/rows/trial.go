package rows

import (
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/c-bata/goptuna"

	"sakusen/tuner/sqlitedb"
)

// Owner separates the attributes of users from those of the system.
type Owner string

// The owners of attributes.
const (
	User   Owner = "user"
	System Owner = "system"
)

// NextNumber is the number of the next trial of a study.
func NextNumber(c *sqlitedb.Change, study int) (number int, err error) {
	err = c.Tx.QueryRow("SELECT number + 1 FROM trials WHERE study_id = ? ORDER BY number DESC LIMIT 1", study).Scan(&number)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	return number, err
}

// Find is the id and the state of a study's trial. A number that is not there
// is goptuna.ErrInvalidTrialID.
func Find(c *sqlitedb.Change, study, number int) (id int, state goptuna.TrialState, err error) {
	err = c.Tx.QueryRow("SELECT trial_id, state FROM trials WHERE study_id = ? AND number = ?", study, number).Scan(&id, &state)
	if errors.Is(err, sql.ErrNoRows) {
		err = goptuna.ErrInvalidTrialID
	}
	return id, state, err
}

// CreateTrial adds a running trial, whose number must be the next one, and
// returns its id.
func CreateTrial(c *sqlitedb.Change, study, number int) (int, error) {
	id, err := c.Insert("INSERT INTO trials (study_id, number, state, started) VALUES (?, ?, ?, ?)",
		study, number, int(goptuna.TrialStateRunning), c.Now().UnixNano())
	if err != nil {
		return -1, fmt.Errorf("create trial %d: %w", number, err)
	}
	return int(id), nil
}

// SetParam gives a parameter of a trial, which has none of the name, its
// internal value and the row of its distribution; see [Distribution].
func SetParam(c *sqlitedb.Change, id int, name string, internal float64, distribution int64) error {
	internal, err := Finite(internal, "parameter %q of trial %d", name, id)
	if err != nil {
		return err
	}
	return set(c, id, "INSERT INTO trial_params (trial_id, name, value, distribution_id) VALUES (?, ?, ?, ?)", id, name, internal, distribution)
}

// SetAttr sets an attribute of a trial.
func SetAttr(c *sqlitedb.Change, id int, owner Owner, key, value string) error {
	return set(c, id, "INSERT OR REPLACE INTO trial_attrs (trial_id, owner, key, value) VALUES (?, ?, ?, ?)", id, string(owner), key, value)
}

// SetStep sets the value of a trial at a step that has none.
func SetStep(c *sqlitedb.Change, id, step int, value float64) error {
	value, err := Finite(value, "value at step %d of trial %d", step, id)
	if err != nil {
		return err
	}
	return set(c, id, "INSERT INTO trial_values (trial_id, step, value) VALUES (?, ?, ?)", id, step, value)
}

// SetValue sets the value of a trial.
func SetValue(c *sqlitedb.Change, id int, value float64) error {
	value, err := Finite(value, "value of trial %d", id)
	if err != nil {
		return err
	}
	return set(c, id, "UPDATE trials SET value = ? WHERE trial_id = ?", value, id)
}

// SetState moves a trial to a state, and notes when it was finished.
func SetState(c *sqlitedb.Change, id int, state goptuna.TrialState) error {
	if state < goptuna.TrialStateRunning || state > goptuna.TrialStateWaiting {
		return fmt.Errorf("trial state: expected 0 to 4, got %d", int(state))
	}
	var completed any
	if state.IsFinished() {
		completed = c.Now().UnixNano()
	}
	return set(c, id, "UPDATE trials SET state = ?, completed = coalesce(?, completed) WHERE trial_id = ?", int(state), completed, id)
}

// SetTimes sets when a trial was begun and finished; the zero time is none.
func SetTimes(c *sqlitedb.Change, id int, started, completed time.Time) error {
	return set(c, id, "UPDATE trials SET started = ?, completed = ? WHERE trial_id = ?", nanos(started), nanos(completed), id)
}

func set(c *sqlitedb.Change, id int, query string, args ...any) error {
	if _, err := c.Exec(query, args...); err != nil {
		return fmt.Errorf("trial %d: %w", id, err)
	}
	return nil
}

// nanos is NULL for the zero time.
func nanos(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UnixNano()
}

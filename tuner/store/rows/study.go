package rows

import (
	"fmt"

	"github.com/c-bata/goptuna"

	"sakusen/tuner/sqlitedb"
)

// CreateStudy adds a study and returns its id. A name that is taken is
// [ErrStudyExists].
func CreateStudy(c *sqlitedb.Change, name string, direction goptuna.StudyDirection) (int, error) {
	// Asked beforehand, since a failed statement would fail the whole change.
	var taken int
	if err := c.Tx.QueryRow("SELECT count(*) FROM studies WHERE name = ?", name).Scan(&taken); err != nil {
		return -1, fmt.Errorf("create study %q: %w", name, err)
	}
	if taken > 0 {
		return -1, fmt.Errorf("create study %q: %w", name, ErrStudyExists)
	}
	id, err := c.Insert("INSERT INTO studies (name, direction, created) VALUES (?, ?, ?)", name, string(direction), c.Now().UnixNano())
	if err != nil {
		return -1, fmt.Errorf("create study %q: %w", name, err)
	}
	return int(id), nil
}

// DeleteStudy deletes a study with its trials, its log and its attributes. The
// blocks that it played and the count of its validations stay. An id that is
// not there is goptuna.ErrInvalidStudyID.
func DeleteStudy(c *sqlitedb.Change, study int) error {
	return changeStudy(c, study, "DELETE FROM studies WHERE study_id = ?", study)
}

// SetDirection sets the direction of the objective: minimize or maximize.
func SetDirection(c *sqlitedb.Change, study int, direction goptuna.StudyDirection) error {
	if direction != goptuna.StudyDirectionMinimize && direction != goptuna.StudyDirectionMaximize {
		return fmt.Errorf("study %d: direction: expected minimize or maximize, got %q", study, direction)
	}
	return changeStudy(c, study, "UPDATE studies SET direction = ? WHERE study_id = ?", string(direction), study)
}

// changeStudy runs a statement that must change a study.
func changeStudy(c *sqlitedb.Change, study int, query string, args ...any) error {
	result, err := c.Exec(query, args...)
	if err != nil {
		return fmt.Errorf("study %d: %w", study, err)
	}
	if n, err := result.RowsAffected(); err != nil || n == 0 {
		return goptuna.ErrInvalidStudyID
	}
	return nil
}

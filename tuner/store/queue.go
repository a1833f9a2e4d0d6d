package store

import (
	"context"
	"fmt"
	"time"

	"sakusen/tuner"
)

// Source is a study file as it was submitted.
type Source struct {
	Name string // of the file, for messages
	Text string // YAML; empty where it is not known
}

// SetSource keeps the study file of which the header was made, so that the
// study can be taken up again without it.
func (l *Log) SetSource(ctx context.Context, s Source) error {
	return l.write(ctx, "source", "UPDATE study_records SET source_name = ?, source = ? WHERE study_id = ?", s.Name, s.Text, l.id)
}

// SetPriority says how urgent the study is: higher is sooner, 0 is usual.
func (l *Log) SetPriority(ctx context.Context, priority int) error {
	return l.write(ctx, "priority", "UPDATE study_records SET priority = ? WHERE study_id = ?", priority, l.id)
}

// Source is the study file as it was submitted.
func (s *Store) Source(ctx context.Context, studyID int) (Source, error) {
	var src Source
	err := s.db.Reader().QueryRowContext(ctx, "SELECT source_name, source FROM study_records WHERE study_id = ?", studyID).Scan(&src.Name, &src.Text)
	if err != nil {
		return src, fmt.Errorf("source of study %d: %w", studyID, err)
	}
	return src, nil
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
// then the older first; those whose games are played elsewhere wait for nobody here.
func (s *Store) Waiting(ctx context.Context) ([]Waiting, error) {
	rows, err := s.db.Reader().QueryContext(ctx, `SELECT s.study_id, s.name, r.state, r.priority, s.created
		FROM sakusen_studies s JOIN study_records r USING (study_id) WHERE r.state IN ('queued', 'running')
		AND CASE WHEN json_valid(r.spec) THEN json_extract(r.spec, '$.tune.declare') IS NULL ELSE TRUE END
		ORDER BY r.priority DESC, s.study_id`)
	if err != nil {
		return nil, fmt.Errorf("waiting studies: %w", err)
	}
	defer rows.Close()
	list := []Waiting{}
	for rows.Next() {
		var w Waiting
		var created int64
		if err := rows.Scan(&w.ID, &w.Name, &w.State, &w.Priority, &created); err != nil {
			return nil, fmt.Errorf("waiting studies: %w", err)
		}
		w.Created = time.Unix(0, created).UTC()
		list = append(list, w)
	}
	return list, rows.Err()
}

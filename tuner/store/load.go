package store

import (
	"context"
	"database/sql"
	"time"

	"github.com/c-bata/goptuna"

	"sakusen/tuner/sqlitedb"
)

// load reads a study from the file, all tables at the same moment. The caller
// holds loading.
func (s *Store) load(id int) (*study, error) {
	tx, err := s.db.Reader().BeginTx(context.Background(), &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return nil, err
	}
	defer tx.Rollback()
	st := &study{head: head{id: id, user: map[string]string{}, system: map[string]string{}}}
	if err := tx.QueryRow("SELECT name, direction FROM studies WHERE study_id = ?", id).Scan(&st.name, &st.direction); err != nil {
		return nil, err
	}
	err = sqlitedb.EachRow(tx, "SELECT owner, key, value FROM study_attrs WHERE study_id = ?", []any{id}, func(rows *sql.Rows) error {
		var o owner
		var key, value string
		if err := rows.Scan(&o, &key, &value); err != nil {
			return err
		}
		(*st.attrs(o))[key] = value
		return nil
	})
	if err != nil {
		return nil, err
	}
	if st.trials.list, err = s.readTrials(tx, id, 0, -1); err != nil {
		return nil, err
	}
	err = sqlitedb.EachRow(tx, "SELECT number FROM trials WHERE study_id = ? AND finish IS NOT NULL ORDER BY finish", []any{id}, func(rows *sql.Rows) error {
		var number int
		if err := rows.Scan(&number); err != nil {
			return err
		}
		st.finished = append(st.finished, st.trials.list[number])
		return nil
	})
	return st, err
}

// readTrials reads at most limit trials (all if negative) of a study, from
// the given number on.
func (s *Store) readTrials(tx *sql.Tx, studyID, from, limit int) ([]goptuna.FrozenTrial, error) {
	var trials []goptuna.FrozenTrial
	err := sqlitedb.EachRow(tx, "SELECT trial_id, number, state, value, started, completed FROM trials WHERE study_id = ? AND number >= ? ORDER BY number LIMIT ?",
		[]any{studyID, from, limit}, func(rows *sql.Rows) error {
			t := emptyTrial(studyID)
			var value sql.NullFloat64
			var started, completed sql.NullInt64
			if err := rows.Scan(&t.ID, &t.Number, &t.State, &value, &started, &completed); err != nil {
				return err
			}
			t.Value, t.DatetimeStart, t.DatetimeComplete = value.Float64, fromNanos(started), fromNanos(completed)
			trials = append(trials, t)
			return nil
		})
	if err != nil || len(trials) == 0 {
		return nil, err
	}
	if err := s.readDistributions(tx); err != nil {
		return nil, err
	}
	span := []any{studyID, from, trials[len(trials)-1].Number}
	// Numbers have no gaps, so a trial is found at its number less the first.
	at := func(number int) *goptuna.FrozenTrial { return &trials[number-trials[0].Number] }
	const of = " JOIN trials t USING (trial_id) WHERE t.study_id = ? AND t.number BETWEEN ? AND ?"
	err = sqlitedb.EachRow(tx, "SELECT t.number, p.name, p.value, p.distribution_id FROM trial_params p"+of, span, func(rows *sql.Rows) error {
		var number int
		var name string
		var internal float64
		var dist int64
		if err := rows.Scan(&number, &name, &internal, &dist); err != nil {
			return err
		}
		s.mu.RLock()
		d := s.distByID[dist]
		s.mu.RUnlock()
		value, err := external(d.value, internal)
		if err != nil {
			return err
		}
		t := at(number)
		t.InternalParams[name], t.Params[name], t.Distributions[name] = internal, value, d.value
		return nil
	})
	if err != nil {
		return nil, err
	}
	err = sqlitedb.EachRow(tx, "SELECT t.number, v.step, v.value FROM trial_values v"+of, span, func(rows *sql.Rows) error {
		var number, step int
		var value float64
		if err := rows.Scan(&number, &step, &value); err != nil {
			return err
		}
		at(number).IntermediateValues[step] = value
		return nil
	})
	if err != nil {
		return nil, err
	}
	err = sqlitedb.EachRow(tx, "SELECT t.number, a.owner, a.key, a.value FROM trial_attrs a"+of, span, func(rows *sql.Rows) error {
		var number int
		var o owner
		var key, value string
		if err := rows.Scan(&number, &o, &key, &value); err != nil {
			return err
		}
		(*trialAttrs(at(number), o))[key] = value
		return nil
	})
	return trials, err
}

// readDistributions brings rows of the table that are not cached yet into the cache.
func (s *Store) readDistributions(tx *sql.Tx) error {
	return sqlitedb.EachRow(tx, "SELECT distribution_id, json FROM distributions", nil, func(rows *sql.Rows) error {
		d := &distribution{}
		if err := rows.Scan(&d.id, &d.json); err != nil {
			return err
		}
		s.mu.RLock()
		_, known := s.distByID[d.id]
		s.mu.RUnlock()
		if known {
			return nil
		}
		var err error
		if d.value, err = decodeDistribution(d.json); err != nil {
			return err
		}
		s.mu.Lock()
		s.distByID[d.id], s.dists[d.json] = d, d
		s.mu.Unlock()
		return nil
	})
}

func emptyTrial(studyID int) goptuna.FrozenTrial {
	return goptuna.FrozenTrial{
		StudyID:            studyID,
		IntermediateValues: map[int]float64{},
		InternalParams:     map[string]float64{},
		Params:             map[string]any{},
		Distributions:      map[string]any{},
		UserAttrs:          map[string]string{},
		SystemAttrs:        map[string]string{},
	}
}

func trialAttrs(t *goptuna.FrozenTrial, o owner) *map[string]string {
	if o == ownerUser {
		return &t.UserAttrs
	}
	return &t.SystemAttrs
}

func fromNanos(n sql.NullInt64) time.Time {
	if !n.Valid {
		return time.Time{}
	}
	return time.Unix(0, n.Int64).UTC()
}

// toNanos is NULL for the zero time.
func toNanos(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UnixNano()
}

package rows

import (
	"database/sql"
	"time"

	"github.com/c-bata/goptuna"

	"sakusen/tuner/sqlitedb"
)

// Trials reads at most limit trials (all if negative) of a study, from the given
// number on. Nobody else has their maps.
func Trials(tx *sql.Tx, studyID, from, limit int) ([]goptuna.FrozenTrial, error) {
	var trials []goptuna.FrozenTrial
	err := sqlitedb.EachRow(tx, "SELECT trial_id, number, state, value, started, completed FROM trials WHERE study_id = ? AND number >= ? ORDER BY number LIMIT ?",
		[]any{studyID, from, limit}, func(rows *sql.Rows) error {
			t := Empty(studyID)
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
	span := []any{studyID, from, trials[len(trials)-1].Number}
	// Numbers have no gaps, so a trial is found at its number less the first.
	at := func(number int) *goptuna.FrozenTrial { return &trials[number-trials[0].Number] }
	const of = " JOIN trials t USING (trial_id) WHERE t.study_id = ? AND t.number BETWEEN ? AND ?"
	dists, err := distributions(tx, of, span)
	if err != nil {
		return nil, err
	}
	err = sqlitedb.EachRow(tx, "SELECT t.number, p.name, p.value, p.distribution_id FROM trial_params p"+of, span, func(rows *sql.Rows) error {
		var number int
		var name string
		var internal float64
		var dist int64
		if err := rows.Scan(&number, &name, &internal, &dist); err != nil {
			return err
		}
		value, err := External(dists[dist], internal)
		if err != nil {
			return err
		}
		t := at(number)
		t.InternalParams[name], t.Params[name], t.Distributions[name] = internal, value, dists[dist]
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
		var o Owner
		var key, value string
		if err := rows.Scan(&number, &o, &key, &value); err != nil {
			return err
		}
		Attrs(at(number), o)[key] = value
		return nil
	})
	return trials, err
}

// distributions are those of some trials, by the ids of their rows.
func distributions(tx *sql.Tx, of string, span []any) (map[int64]any, error) {
	out := map[int64]any{}
	query := "SELECT distribution_id, json FROM distributions WHERE distribution_id IN (SELECT p.distribution_id FROM trial_params p" + of + ")"
	err := sqlitedb.EachRow(tx, query, span, func(rows *sql.Rows) (err error) {
		var id int64
		var text string
		if err := rows.Scan(&id, &text); err != nil {
			return err
		}
		out[id], err = decodeDistribution(text)
		return err
	})
	return out, err
}

// Empty is a trial of a study with nothing in it.
func Empty(studyID int) goptuna.FrozenTrial {
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

// Attrs are a trial's attributes of one owner.
func Attrs(t *goptuna.FrozenTrial, o Owner) map[string]string {
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

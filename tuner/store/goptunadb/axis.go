package goptunadb

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/c-bata/goptuna"

	"sakusen/tuner/store/sqlitedb"
)

// axis is a parameter's name with its distribution, one of goptuna's, by value.
type axis struct {
	name         string
	distribution any
}

// axisRow finds or adds the row of an axis.
func axisRow(c *sqlitedb.Change, name string, distribution any) (id int64, err error) {
	text, err := goptuna.DistributionToJSON(distribution)
	if err == nil {
		err = c.Tx.QueryRow("SELECT axis_id FROM sakusen_axes WHERE name = ? AND distribution = ?", name, string(text)).Scan(&id)
	}
	if errors.Is(err, sql.ErrNoRows) {
		if id, err = c.Insert("INSERT INTO sakusen_axes (name, distribution) VALUES (?, ?)", name, string(text)); err == nil {
			err = axisRows.Seal(c.Tx, "axis_id = ?", id)
		}
	}
	if err != nil {
		return 0, fmt.Errorf("parameter %q: distribution %#v: %w", name, distribution, err)
	}
	return id, nil
}

// axes are those of some trials, by the ids of their rows.
func axes(tx *sql.Tx, of string, span []any) (map[int64]axis, error) {
	out := map[int64]axis{}
	query := "SELECT axis_id, name, distribution FROM sakusen_axes WHERE axis_id IN (SELECT p.axis_id FROM sakusen_trial_params p" + of + ")"
	err := sqlitedb.EachRow(tx, query, span, func(rows *sql.Rows) (err error) {
		var id int64
		var a axis
		var text string
		if err := rows.Scan(&id, &a.name, &text); err != nil {
			return err
		}
		a.distribution, err = decode(text)
		out[id] = a
		return err
	})
	return out, err
}

// decode reads what goptuna.DistributionToJSON has written, exactly. Goptuna's own
// decoder takes every number through float64, and so cannot read integer bounds
// beyond 2^53.
func decode(text string) (any, error) {
	var outer struct {
		Name  string          `json:"name"`
		Attrs json.RawMessage `json:"attributes"`
	}
	if err := json.Unmarshal([]byte(text), &outer); err != nil {
		return nil, fmt.Errorf("distribution %q: %w", text, err)
	}
	switch outer.Name {
	case goptuna.UniformDistributionName:
		return decodeAs[goptuna.UniformDistribution](outer.Attrs)
	case goptuna.LogUniformDistributionName:
		return decodeAs[goptuna.LogUniformDistribution](outer.Attrs)
	case goptuna.IntUniformDistributionName:
		return decodeAs[goptuna.IntUniformDistribution](outer.Attrs)
	case goptuna.StepIntUniformDistributionName:
		return decodeAs[goptuna.StepIntUniformDistribution](outer.Attrs)
	case goptuna.DiscreteUniformDistributionName:
		return decodeAs[goptuna.DiscreteUniformDistribution](outer.Attrs)
	case goptuna.CategoricalDistributionName:
		return decodeAs[goptuna.CategoricalDistribution](outer.Attrs)
	}
	return nil, fmt.Errorf("distribution %q: %w", text, goptuna.ErrUnknownDistribution)
}

func decodeAs[D any](attrs json.RawMessage) (any, error) {
	var d D
	if err := json.Unmarshal(attrs, &d); err != nil {
		return nil, fmt.Errorf("distribution attributes %q: %w", attrs, err)
	}
	return d, nil
}

// external is a parameter's value as the user knows it. An index outside the
// choices of a categorical is an error; goptuna would panic.
func external(distribution any, internal float64) (any, error) {
	if c, ok := distribution.(goptuna.CategoricalDistribution); ok {
		if i := int(internal); i < 0 || i >= len(c.Choices) {
			return nil, fmt.Errorf("categorical: expected an index below %d, got %v", len(c.Choices), internal)
		}
	}
	return goptuna.ToExternalRepresentation(distribution, internal)
}

package rows

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/c-bata/goptuna"

	"sakusen/tuner/sqlitedb"
)

// Distribution finds or adds the row of a distribution, one of goptuna's, by
// value.
func Distribution(c *sqlitedb.Change, value any) (id int64, err error) {
	text, err := goptuna.DistributionToJSON(value)
	if err != nil {
		return 0, fmt.Errorf("distribution %#v: %w", value, err)
	}
	err = c.Tx.QueryRow("SELECT distribution_id FROM distributions WHERE json = ?", string(text)).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		id, err = c.Insert("INSERT INTO distributions (json) VALUES (?)", string(text))
	}
	if err != nil {
		return 0, fmt.Errorf("distribution: %w", err)
	}
	return id, nil
}

// decodeDistribution reads what Distribution has written, exactly. Goptuna's own decoder
// takes every number through float64, and so cannot read integer bounds
// beyond 2^53.
func decodeDistribution(text string) (any, error) {
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

// External is a parameter's value as the user knows it. An index outside the
// choices of a categorical is an error; goptuna would panic.
func External(value any, internal float64) (any, error) {
	if c, ok := value.(goptuna.CategoricalDistribution); ok {
		if i := int(internal); i < 0 || i >= len(c.Choices) {
			return nil, fmt.Errorf("categorical: expected an index below %d, got %v", len(c.Choices), internal)
		}
	}
	return goptuna.ToExternalRepresentation(value, internal)
}

package store

import (
	"encoding/json"
	"fmt"
	"math"

	"github.com/c-bata/goptuna"
)

// distribution is one row of the table of distributions. The decoded value is
// shared by all trials that have it and never changed.
type distribution struct {
	id    int64
	json  string
	value any
}

// encodeDistribution is the text under which a distribution is kept.
func encodeDistribution(value any) (string, error) {
	text, err := goptuna.DistributionToJSON(value)
	if err != nil {
		return "", fmt.Errorf("distribution %#v: %w", value, err)
	}
	return string(text), nil
}

// decodeDistribution undoes encodeDistribution exactly. Goptuna's own decoder
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

// external is a parameter's value as the user knows it. An index outside the
// choices of a categorical is an error; goptuna would panic.
func external(value any, internal float64) (any, error) {
	if c, ok := value.(goptuna.CategoricalDistribution); ok {
		if i := int(internal); i < 0 || i >= len(c.Choices) {
			return nil, fmt.Errorf("categorical: expected an index below %d, got %v", len(c.Choices), internal)
		}
	}
	return goptuna.ToExternalRepresentation(value, internal)
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

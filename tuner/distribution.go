package tuner

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/c-bata/goptuna"

	"sakusen/engines/param"
)

// categoricalBelow is the number of grid points below which an integer grid is
// shown to goptuna's own samplers as a list of texts: they never draw the upper
// end of a stepped integer.
const categoricalBelow = 64

// Distribution returns the parameter's values in Goptuna's vocabulary. An
// integer grid is a stepped integer whose upper end is a grid point, or, where
// texts is set and it is short, a list of texts; a logarithmic integer is a
// logarithmic real, rounded when it is read back.
func (d *Dimension) Distribution(texts bool) goptuna.Distribution {
	low, top := d.Domain.Low, d.Domain.Top()
	switch d.Kind {
	case param.Bool:
		return &goptuna.CategoricalDistribution{Choices: []string{"false", "true"}}
	case param.Choice:
		return &goptuna.CategoricalDistribution{Choices: d.Choices}
	case param.Int:
		switch n := d.Points(); {
		case d.Domain.Log:
			return &goptuna.LogUniformDistribution{Low: low, High: top}
		case texts && n < categoricalBelow:
			choices := make([]string, n)
			for i := range choices {
				choices[i] = d.Point(i)
			}
			return &goptuna.CategoricalDistribution{Choices: choices}
		case d.Domain.Step > 1:
			return &goptuna.StepIntUniformDistribution{Low: int(low), High: int(top), Step: int(d.Domain.Step)}
		default:
			return &goptuna.IntUniformDistribution{Low: int(low), High: int(top)}
		}
	default:
		switch {
		case d.Domain.Log:
			return &goptuna.LogUniformDistribution{Low: low, High: top}
		case d.Domain.Step > 0:
			return &goptuna.DiscreteUniformDistribution{Low: low, High: top, Q: d.Domain.Step}
		default:
			return &goptuna.UniformDistribution{Low: low, High: top}
		}
	}
}

// Internal returns Goptuna's internal number of a canonical text.
func (d *Dimension) Internal(dist goptuna.Distribution, text string) (float64, error) {
	if c, ok := dist.(*goptuna.CategoricalDistribution); ok {
		for i, choice := range c.Choices {
			if choice == text {
				return float64(i), nil
			}
		}
		return 0, fmt.Errorf("%s: %s is none of the %d values that are tuned", d.Name, text, len(c.Choices))
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0, fmt.Errorf("%s: expected a number, got %s", d.Name, text)
	}
	return x, nil
}

// External returns the canonical text of an internal number, with grids snapped; of a space of
// [SpaceOf] the text of what goptuna makes of the number.
func (d *Dimension) External(dist goptuna.Distribution, internal float64) (string, error) {
	if math.IsNaN(internal) || math.IsInf(internal, 0) {
		return "", fmt.Errorf("%s: the sampler proposed %v", d.Name, internal)
	}
	if c, ok := dist.(*goptuna.CategoricalDistribution); ok {
		i := int(math.Round(internal))
		if i < 0 || i >= len(c.Choices) {
			return "", fmt.Errorf("%s: the sampler proposed choice %d of %d", d.Name, i, len(c.Choices))
		}
		return c.Choices[i], nil
	}
	if d.foreign {
		return fmt.Sprint(dist.ToExternalRepr(internal)), nil
	}
	if d.Domain.Step > 0 {
		i := math.Round((internal - d.Domain.Low) / d.Domain.Step)
		i = math.Min(math.Max(i, 0), float64(d.Domain.Points()-1))
		return d.Text(d.Domain.Point(int(i))), nil
	}
	return d.Text(internal), nil
}

// stored returns a distribution as goptuna's storages keep it: by value.
func stored(dist goptuna.Distribution) any {
	switch d := dist.(type) {
	case *goptuna.UniformDistribution:
		return *d
	case *goptuna.LogUniformDistribution:
		return *d
	case *goptuna.DiscreteUniformDistribution:
		return *d
	case *goptuna.IntUniformDistribution:
		return *d
	case *goptuna.StepIntUniformDistribution:
		return *d
	case *goptuna.CategoricalDistribution:
		return *d
	}
	return dist
}

// ByValue returns Distribution in the form that goptuna's storages and samplers expect.
func (d *Dimension) ByValue(texts bool) any { return stored(d.Distribution(texts)) }

// SpaceOf returns the space of goptuna's distributions, by the names of their parameters and in
// their order: the inverse of [Dimension.ByValue]. Values of its trials are what goptuna
// gave to the program, which may lie between the points of a grid and above its range.
func SpaceOf(distributions map[string]any) Space {
	var space Space
	for _, name := range slices.Sorted(maps.Keys(distributions)) {
		p := param.Param{Name: name, Kind: param.Float}
		switch d := distributions[name].(type) {
		case goptuna.UniformDistribution:
			p.Domain = param.Range(d.Low, d.High)
		case goptuna.LogUniformDistribution:
			p.Domain = param.Log(d.Low, d.High)
		case goptuna.DiscreteUniformDistribution:
			p.Domain = param.Grid(d.Low, d.High, d.Q)
		case goptuna.IntUniformDistribution:
			p.Kind, p.Domain = param.Int, param.Range(float64(d.Low), float64(d.High))
		case goptuna.StepIntUniformDistribution:
			p.Kind, p.Domain = param.Int, param.Grid(float64(d.Low), float64(d.High), float64(d.Step))
		case goptuna.CategoricalDistribution:
			p.Kind, p.Choices = param.Choice, d.Choices
		}
		space = append(space, Dimension{Param: p, foreign: true})
	}
	return space
}

package jgg

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/sampler/axis"
)

// options are the options of the sampler jgg. The defaults are those of
// Kasuya, Suzuki and Arita.
type options struct {
	individuals int     // of the population
	couples     int     // parents of a generation
	brood       int     // children of a generation
	step        float64 // t of REX-star
	among       bool    // reflections compete with the children
	delegate    bool    // the population's centroid plays along
	start       [][2]float64
}

// startOption names the option that bounds the first population: start for all
// parameters, start.NAME for one, as low..high.
const startOption = "start"

// readOptions reads the options and refuses spaces that are not numbers.
func readOptions(given param.Values, space tuner.Space) (*options, error) {
	if err := refuseNotNumbers(space); err != nil {
		return nil, err
	}
	o := &options{}
	reflections, answer := "", ""
	fields, err := param.Bind(func(f *param.Fields) {
		f.Int(&o.individuals, "population", 100, param.Range(2, 10000), "individuals of the population")
		f.Int(&o.couples, "parents", 17, param.Range(2, 1000), "parents of a generation, individuals")
		f.Int(&o.brood, "children", 170, param.Range(2, 10000), "children of a generation, individuals")
		f.Float(&o.step, "step", 2, param.Range(0, 100), "largest step t towards the better half, its distances")
		f.Choice(&reflections, "reflections", "apart", []string{"apart", "among_children"},
			"whether reflections only show the way or compete with the children for the parents' places")
		f.Choice(&answer, "answer", "best", []string{"best", "centroid"},
			"what stands for a generation in the final: the best individual of its pool, or the population's centroid, which plays along with the parents")
	})
	if err != nil {
		return nil, err
	}
	var others param.Values
	starts := map[string][2]float64{}
	for _, v := range given {
		name, isStart := strings.CutPrefix(v.Name, startOption)
		if !isStart || name != "" && !strings.HasPrefix(name, ".") {
			others = append(others, v)
			continue
		}
		r, err := readRange(v)
		if err != nil {
			return nil, err
		}
		if _, twice := starts[strings.TrimPrefix(name, ".")]; twice {
			return nil, &param.Error{Name: v.Name, Want: "one value, not several", Got: v.Text}
		}
		starts[strings.TrimPrefix(name, ".")] = r
	}
	if _, errs := fields.Assign(others); len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	o.among, o.delegate = reflections == "among_children", answer == "centroid"
	switch {
	case o.couples > o.individuals:
		return nil, fmt.Errorf("options: parents: expected at most the population's %d, got %d", o.individuals, o.couples)
	case o.couples > o.brood:
		return nil, fmt.Errorf("options: children: expected at least as many as the %d parents they replace, got %d", o.couples, o.brood)
	}
	return o, o.place(space, starts)
}

// place finds each parameter's first range, in coordinates.
func (o *options) place(space tuner.Space, starts map[string][2]float64) error {
	for i := range space {
		d := &space[i]
		name := d.Name
		r, ok := starts[name]
		if !ok {
			name = ""
			r, ok = starts[name]
		}
		if !ok {
			r = [2]float64{d.Domain.Low, math.Min(d.Domain.End(), d.Domain.High)}
		}
		if r[0] < d.Domain.Low || r[1] > d.Domain.High {
			return fmt.Errorf("options: %s: expected a part of the range %s of %s, got %g..%g",
				strings.TrimSuffix(startOption+"."+name, "."), d.Domain, d.Name, r[0], r[1])
		}
		o.start = append(o.start, [2]float64{axis.ToUnit(d, r[0]), axis.ToUnit(d, r[1])})
	}
	for name := range starts {
		if name == "" {
			continue
		}
		if !slices.ContainsFunc(space, func(d tuner.Dimension) bool { return d.Name == name }) {
			return &param.Error{Name: startOption + "." + name, Want: "a parameter that is tuned", Got: name}
		}
	}
	return nil
}

// readRange reads low..high.
func readRange(v param.Value) (r [2]float64, err error) {
	bad := &param.Error{Name: v.Name, Want: "a range low..high", Got: v.Text}
	low, high, ok := strings.Cut(v.Text, "..")
	if !ok {
		return r, bad
	}
	for i, text := range []string{low, high} {
		if r[i], err = strconv.ParseFloat(strings.TrimSpace(text), 64); err != nil {
			return r, bad
		}
	}
	if !(r[0] <= r[1]) {
		return r, bad
	}
	return r, nil
}

func refuseNotNumbers(space tuner.Space) error {
	for _, d := range space {
		if d.Kind == param.Bool || d.Kind == param.Choice {
			return fmt.Errorf("it tunes numbers only, and %s is not a number", d.Name)
		}
		if len(d.When) > 0 {
			return fmt.Errorf("it cannot tune conditional parameters, and %s is one", d.Name)
		}
	}
	return nil
}

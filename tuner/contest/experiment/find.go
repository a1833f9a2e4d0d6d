package experiment

import (
	"fmt"
	"strings"

	"sakusen/engines/param"
)

// Find is the experiment of a list that has a name. Its error names the nearest
// one, or all there are.
func Find(list []Experiment, name string) (Experiment, error) {
	var names []string
	for _, e := range list {
		if e.Name == name {
			return e, nil
		}
		names = append(names, e.Name)
	}
	if near, ok := param.Nearest(name, names); ok {
		return Experiment{}, &InvalidError{fmt.Errorf("no experiment %.100q (did you mean %s?)", name, near)}
	}
	return Experiment{}, &InvalidError{fmt.Errorf("no experiment %.100q (expected one of %s)", name, strings.Join(names, ", "))}
}

// InvalidError says that an experiment cannot be run as it was asked for: the
// mistake is in the request, not in the program. Its text is that of Err.
type InvalidError struct{ Err error }

func (e *InvalidError) Error() string { return e.Err.Error() }

func (e *InvalidError) Unwrap() error { return e.Err }

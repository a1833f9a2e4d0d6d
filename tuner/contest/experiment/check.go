package experiment

import (
	"errors"
	"fmt"
)

// The bounds of playouts that may be asked for.
const (
	LeastSimulations = 10
	MostSimulations  = 1_000_000
)

// Check says which of the flags games, simulations, seed and keep of a command line
// the experiment cannot take; given tells which are there.
func (e *Experiment) Check(given func(flag string) bool, games, simulations int64) error {
	var errs []error
	wrong := func(flag, format string, args ...any) {
		if given(flag) {
			errs = append(errs, fmt.Errorf("--"+flag+": "+format, args...))
		}
	}
	switch {
	case e.Games == 0:
		wrong("games", "%s plays no games", e.Name)
	case games < 1:
		wrong("games", "expected at least 1, got %d", games)
	}
	switch {
	case e.Simulations == 0:
		wrong("simulations", "%s does not search by simulations", e.Name)
	case simulations < LeastSimulations || simulations > MostSimulations:
		wrong("simulations", "expected %d to %d, got %d", LeastSimulations, MostSimulations, simulations)
	}
	if !e.Studies {
		wrong("keep", "%s runs no studies", e.Name)
	}
	if e.Seed == nil {
		wrong("seed", "%s has a fixed seed", e.Name)
	}
	return errors.Join(errs...)
}

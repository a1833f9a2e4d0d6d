package registry

import (
	"fmt"

	"sakusen/engines/arena"
)

// Program returns an engine as this machine has it, for another machine to compare. It
// shakes hands with it. An engine of which no game can be played again is an error.
func (s *Engines) Program(name string) (arena.Program, error) {
	e, err := s.entry(name)
	if err != nil {
		return arena.Program{}, err
	}
	info, err := s.Describe(name)
	switch {
	case err != nil:
		return arena.Program{}, err
	case e.Recorded:
		return arena.Program{}, fmt.Errorf("engine %s: its games cannot be played again: it is registered as recorded", name)
	case info.Class != exact:
		return arena.Program{}, fmt.Errorf("engine %s: its games cannot be played again: %s", name, info.means())
	}
	return arena.Program{Name: name, Identity: info.Identity, Way: e.way()}, nil
}

package registry

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"sakusen/engines/arena"
)

// Program is an engine as this machine has it, for another machine to compare. It shakes
// hands with it. An engine of which no game can be played again is an error.
func (s *Stable) Program(name string) (arena.Program, error) {
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
	case info.Class != Exact:
		return arena.Program{}, fmt.Errorf("engine %s: its games cannot be played again: %s", name, info.Means())
	}
	return arena.Program{Name: name, Identity: info.Identity, Way: e.way()}, nil
}

// way is the lower-case hexadecimal sha256 of what the registry says of how an engine is
// run, as far as its identity does not hold it: two machines that differ in it may judge the
// same games differently. Where its files lie does not count.
func (e *Entry) way() string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %s fresh %t recorded %t memory %d deadlines %v metrics %q setup %q", e.Speaks(), e.Game, e.Fresh, e.Recorded, e.Memory, e.Deadlines, e.Metrics, e.Setup))
	return hex.EncodeToString(sum[:])
}

package random

import (
	"sakusen/engines/battleship"
	"sakusen/engines/param"
)

// Sight says which squares a shooter takes for unknown. The paper leaves open
// in what order a sinking is worked out; docs/experiments.md tells how each
// fits its tables.
type Sight struct {
	Sinking string // at_once, late_walls or late_shortest
}

// Declare binds the parameter.
func (s *Sight) Declare(f *param.Fields) {
	f.Choice(&s.Sinking, "sinking", "at_once", []string{"at_once", "late_walls", "late_shortest"},
		"what a sinking tells about trivially empty squares: all at once; or its place (late_walls) or that the shortest ship may be longer now (late_shortest) from the next miss on only", param.Fixed())
}

// Unknown returns the squares neither shot nor trivially empty.
func (s Sight) Unknown(k *battleship.Knowledge) battleship.Set {
	switch s.Sinking {
	case "late_walls":
		return k.UnknownLateWalls()
	case "late_shortest":
		return k.UnknownLateShortest()
	}
	return k.Unknown()
}

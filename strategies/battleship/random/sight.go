package random

import (
	"sakusen/engines/battleship"
	"sakusen/engines/param"
)

// Sight says which squares a shooter takes for unknown. The paper leaves open
// when the place of a sunk ship, once known, makes squares beside it trivially
// empty; that it does with the next miss fits its tables 1, 4 and 5 best.
type Sight struct {
	Walls string // next_miss or at_once
}

// Declare binds the parameter.
func (s *Sight) Declare(f *param.Fields) {
	f.Choice(&s.Walls, "walls", "next_miss", []string{"next_miss", "at_once"},
		"from when a sunk ship whose place is known makes squares beside it trivially empty: from the next miss on, or at once", param.Fixed())
}

// Unknown returns the squares neither shot nor trivially empty.
func (s Sight) Unknown(k *battleship.Knowledge) battleship.Set {
	if s.Walls == "at_once" {
		return k.Unknown()
	}
	return k.UnknownLate()
}

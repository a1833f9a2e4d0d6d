package random

import (
	"sakusen/engines/battleship"
	"sakusen/engines/param"
)

// Sight says which squares a shooter takes for unknown. The paper leaves open
// in what order a sinking is worked out; docs/battleship.md tells how each
// fits its tables.
type Sight struct {
	Sinking string // at_once or late
}

// Declare binds the parameter.
func (s *Sight) Declare(f *param.Fields, r *battleship.Rules) {
	def := "at_once"
	if r.Fitted() {
		def = "late"
	}
	f.Choice(&s.Sinking, "sinking", def, []string{"at_once", "late"},
		"when the knowledge that a ship has sunk is used: at once, or from the next miss on", param.Fixed())
}

// Unknown returns the squares neither shot nor trivially empty.
func (s Sight) Unknown(k *battleship.Knowledge) battleship.Set {
	if s.Sinking == "late" {
		return k.UnknownLate()
	}
	return k.Unknown()
}

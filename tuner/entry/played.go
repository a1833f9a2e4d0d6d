package entry

import "sakusen/engines/arena"

// Played is the blocks From..To (To exclusive) of a phase under a seed, which an
// entry adds to what is known. It is nil where nothing was played.
type Played struct {
	Phase string `json:"phase"` // see arena.Phase
	Seed  uint64 `json:"seed,string"`
	From  int64  `json:"from"`
	To    int64  `json:"to"`
}

// NewPlayed says which blocks were played.
func NewPlayed(phase arena.Phase, seed uint64, from, to int64) *Played {
	return &Played{phase.String(), seed, from, to}
}

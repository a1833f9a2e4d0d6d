package entry

import "sakusen/tuner/stats"

// Rung is the payload of a rung entry: all of a trial's evidence so far, on
// blocks of phase tune.
type Rung struct {
	Trial    int        `json:"trial"`
	Rung     int        `json:"rung"`   // index of the rung, -1 for more blocks of a trial that was judged before
	Blocks   int64      `json:"blocks"` // in all, against each opponent
	Evidence []Evidence `json:"evidence"`

	Played *Played `json:"played,omitempty"` // the blocks that this entry adds
}

// Compare is the payload of a compare entry: how the trials that a rung left in
// the race differ from the incumbent on the blocks that all of them have met.
// Who is stopped follows from it.
type Compare struct {
	Incumbent int        `json:"incumbent"`
	Rung      int        `json:"rung"`
	Trials    []Compared `json:"trials"`
}

// Compared is one trial's differences from the incumbent, block by block.
type Compared struct {
	Trial int `json:"trial"`
	stats.Paired
}

// Incumbent is the payload of an incumbent entry: the best trial so far.
type Incumbent struct {
	Trial  int     `json:"trial"`
	Blocks int64   `json:"blocks"`
	Value  float64 `json:"value"` // in units of the objective
	Bound  float64 `json:"bound"` // lower confidence bound (upper where minimised)
}

package entry

import "sakusen/engines/param"

// Begun is the payload of a begun entry, the first of a log: what a study takes over
// of the search of an earlier one. It holds all that its sampler is told, so that the
// study does not depend on the earlier one being kept.
type Begun struct {
	Study  string `json:"study"`
	Digest string `json:"digest"` // of the earlier log as it was then
	// Points are the parameter sets that are taken over, Dropped those that this study
	// could not play: they lie outside its ranges, or it fixes another value.
	Points  int   `json:"points"`
	Dropped int   `json:"dropped"`
	Games   int64 `json:"games"`   // of the points that are taken over
	Blocks  int64 `json:"blocks"`  // that the earlier search has met
	Batches int   `json:"batches"` // of the earlier search

	Trials   []BegunTrial `json:"trials"`
	Observed []BegunRow   `json:"observed,omitempty"`
	Duels    []BegunDuel  `json:"duels,omitempty"`
}

// BegunTrial is a parameter set of an earlier study with what its search saw of it.
type BegunTrial struct {
	Params     param.Values `json:"params"`
	Proposed   param.Values `json:"proposed,omitempty"`
	Value      *float64     `json:"value"` // not shrunken; null where it met others in duels
	Error      *float64     `json:"error"`
	Infeasible bool         `json:"infeasible,omitempty"`
	Blocks     int64        `json:"blocks"`
	Games      int64        `json:"games"`
}

// BegunRow is what one batch of the earlier study says of one of its parameter sets.
type BegunRow struct {
	Trial  int      `json:"trial"` // index of Trials
	Batch  int      `json:"batch"`
	Value  *float64 `json:"value"`
	Error  *float64 `json:"error"`
	Blocks int64    `json:"blocks"`
}

// BegunDuel is a pair of parameter sets that met each other in the earlier study.
type BegunDuel struct {
	A      int      `json:"a"` // index of Trials
	B      int      `json:"b"`
	Batch  int      `json:"batch"`
	Score  *float64 `json:"score"` // of A, in [0, 1]
	Error  *float64 `json:"error"`
	Blocks int64    `json:"blocks"`
}

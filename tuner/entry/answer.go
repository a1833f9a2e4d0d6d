package entry

import "sakusen/engines/param"

// Answer is the payload of an answer entry: what the sampler's model takes for
// the best.
type Answer struct {
	Trial    int          `json:"trial"`
	Again    bool         `json:"again,omitempty"` // an earlier trial has these values
	Params   param.Values `json:"params"`
	Proposed param.Values `json:"proposed,omitempty"`
	// Value and Error are the claim, in units of the objective: the model's or, if it has
	// none or the objective has limits, measured.
	Value *float64 `json:"value"`
	Error *float64 `json:"error"`
	// Evidence is what was measured: a rung's blocks on the final's seeds.
	Evidence []Evidence `json:"evidence,omitempty"`

	Played *Played `json:"played,omitempty"`
}

// Final is the payload of a final entry: a finalist's evidence on new seeds.
type Final struct {
	Trial    int        `json:"trial"`
	Evidence []Evidence `json:"evidence"`

	Played *Played `json:"played,omitempty"`
}

package entry

import "sakusen/engines/param"

// Ask is the payload of an ask entry: one transaction for a whole batch.
type Ask struct {
	// Drawn is the number of proposals drawn so far, with those of this batch:
	// more than there are trials where some came twice.
	Drawn  int     `json:"drawn"`
	Trials []Asked `json:"trials"`
}

// Asked is one trial of a batch.
type Asked struct {
	Number int `json:"number"` // from 0, over the whole study
	Draw   int `json:"draw"`   // which proposal it was
	// Params are the active tuned values. Proposed is the proposal for the whole space, if
	// it differs from them.
	Params   param.Values `json:"params"`
	Proposed param.Values `json:"proposed,omitempty"`
	// Again marks a parameter set that an earlier trial has: it adds no trial, but more
	// blocks to that one.
	Again bool `json:"again,omitempty"`
	// Attrs are what the proposer says of it: the role of an individual, its
	// generation, its parents.
	Attrs param.Values `json:"attrs,omitempty"`
}

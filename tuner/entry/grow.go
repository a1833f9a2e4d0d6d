package entry

// Grow says that a finished study goes on: its search with a larger budget, then
// another answer and another attempt at a proof.
type Grow struct {
	From Spent `json:"from"` // the budget with which it ended
	To   Spent `json:"to"`
}

// Spent is a budget.
type Spent struct {
	Trials int   `json:"trials"`
	Games  int64 `json:"games"`
}

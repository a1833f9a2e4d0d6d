package entry

// Standing is what the validation says of a winner and a member of the pool.
type Standing string

// The standings.
const (
	Better   Standing = "better"    // the member is shown to be better than the winner
	NotWorse Standing = "not_worse" // the winner is shown to be no worse, within the margin
	Untold   Standing = "untold"    // neither is shown
)

// Member is the winner's games against a member of the pool on validation blocks.
type Member struct {
	Entrant  string      `json:"entrant"` // canonical
	Standing Standing    `json:"standing"`
	Reason   string      `json:"reason,omitempty"`
	Score    *float64    `json:"score"` // the winner's
	ScoreCI  *[2]float64 `json:"score_ci95"`
	Elo      *float64    `json:"elo"`
	EloCI    *[2]float64 `json:"elo_ci95"`
	Evidence Evidence    `json:"evidence"`
}

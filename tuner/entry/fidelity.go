package entry

import "sakusen/engines/param"

// Fidelity is the payload of a fidelity entry: the search has ended its cheap part, and
// says what the games of the cheap setting are worth for the dear one.
type Fidelity struct {
	Kept   bool   `json:"kept"`   // the search goes on learning from the cheap games
	Reason string `json:"reason"` // Spent or Misleads

	CheapGames int64 `json:"cheap_games"`
	DearGames  int64 `json:"dear_games"` // of the pairs that met at both
	// Pairs met at both settings: whom the cheap games believed best then, and the baseline.
	// The leads are by how much of a point a game the first was ahead, in the mean.
	Pairs          int      `json:"pairs"`
	CheapLead      *float64 `json:"cheap_lead"`
	CheapLeadError *float64 `json:"cheap_lead_standard_error"`
	DearLead       *float64 `json:"dear_lead"`
	DearLeadError  *float64 `json:"dear_lead_standard_error"`
	// Slope is the dear lead over the cheap one, null where the cheap one is not clear.
	Slope   *float64    `json:"slope"`
	SlopeCI *[2]float64 `json:"slope_ci95"`
	// Used is the slope with which cheap games are taken for dear ones; Weight what a block
	// of them counts, Worth how many dear games they count as together. All are 0 where the
	// cheap games are not kept.
	Used   float64 `json:"slope_used"`
	Weight float64 `json:"weight"`
	Worth  int64   `json:"worth_games"`
	// At is where the model of the cheap games has its peak, absent where they are not kept.
	At param.Values `json:"at,omitempty"`
}

// The reasons for which the cheap part of a search ends.
const (
	FidelitySpent    = "spent"    // it has had its share of the games
	FidelityMisleads = "misleads" // what is good there is not good at the dear setting
)

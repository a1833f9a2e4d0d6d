package match

import (
	"sakusen/engines/arena"
	"sakusen/tuner/entry"
	"sakusen/tuner/numeral"
	"sakusen/tuner/stats"
)

// Report is the JSON of the command match.
type Report struct {
	Game   string `json:"game"`
	Blocks int64  `json:"blocks"`
	// Distinct is the number of different blocks: those that repeat others are no
	// further evidence, and all intervals and tests go by it.
	Distinct int64 `json:"distinct_blocks"`
	Games    int64 `json:"games"` // played; a mirror block is one
	// Posted is the number of blocks that were played neither here nor by the daemon, but
	// posted to it by clients.
	Posted int64 `json:"posted_blocks,omitempty"`
	// Replayed is what was played again and was the same; nil where nothing was.
	Replayed *entry.Replayed   `json:"replayed,omitempty"`
	Seed     string            `json:"seed"`
	Entrants []Entrant         `json:"entrants"`
	BySeat   []map[string]Seat `json:"by_seat"` // by seat, then by name
	Penta    *[5]int64         `json:"penta"`   // of the first entrant
	SPRT     *SPRT             `json:"sprt,omitempty"`
	// AllPairs is the first entrant's score from all pairs of lengths, in a game whose
	// players race alone; nil in others, and where a test may have ended the match.
	AllPairs *stats.Pairs `json:"all_pairs,omitempty"`
	Digest   string       `json:"digest"`
	// Interrupted says that the match was ended before its time: what was played is
	// all that there is.
	Interrupted bool `json:"interrupted,omitempty"`
	// Notes say what a reader should know: that the games say nothing about
	// strength, that they repeat.
	Notes []string `json:"notes,omitempty"`

	// MetricList is the game's metrics in the order in which they are shown.
	MetricList []arena.Metric `json:"-"`
}

// Entrant is one entrant's result; undefined numbers are null.
type Entrant struct {
	Name     string            `json:"name"`
	Strategy string            `json:"strategy"`
	Params   map[string]string `json:"params"`
	// Values are Params as numbers and booleans; see [param.Kind.Native]. Entrant is the
	// same as a canonical text.
	Values  map[string]any   `json:"values"`
	Entrant string           `json:"entrant"`
	Score   stats.Number     `json:"score"`
	CI95    stats.Interval   `json:"ci95"`
	Elo     stats.Number     `json:"elo"`
	EloCI95 stats.Interval   `json:"elo_ci95"`
	Wins    int64            `json:"wins"`
	Draws   int64            `json:"draws"`
	Losses  int64            `json:"losses"`
	Metrics map[string]Value `json:"metrics"`
}

// Seat is an entrant's result in one seat.
type Seat struct {
	Games   int64            `json:"games"`
	Score   stats.Number     `json:"score"`
	Metrics map[string]Value `json:"metrics"`
}

// Value is a metric's mean per game, or its ratio over all games.
type Value struct {
	Mean stats.Number   `json:"mean"`
	CI95 stats.Interval `json:"ci95"`
}

// Text is "36.65 +- 0.25", or "36.65" without an interval, or "-".
func (v Value) Text() string {
	if !v.Mean.Defined {
		return "-"
	}
	if !v.CI95.Defined() {
		return numeral.Text(v.Mean.Value)
	}
	return numeral.PlusMinus(v.Mean.Value, (v.CI95.Hi.Value-v.CI95.Lo.Value)/2)
}

// SPRT is how a sequential test ended.
type SPRT struct {
	Elo0    float64       `json:"elo0"`
	Elo1    float64       `json:"elo1"`
	Model   stats.Model   `json:"model"`
	LLR     float64       `json:"llr"`
	Lower   float64       `json:"lower"`
	Upper   float64       `json:"upper"`
	Verdict stats.Verdict `json:"verdict"`
	Reason  string        `json:"reason"`
	// AllPairs tells that the test judged all pairs of games, of a race.
	AllPairs bool `json:"all_pairs,omitempty"`
	// Unbiased allows for the early stop, which the entrants' numbers do not.
	Unbiased Unbiased `json:"unbiased"`
}

// Unbiased is the median-unbiased estimate of the first entrant.
type Unbiased struct {
	Score   stats.Number   `json:"score"`
	CI95    stats.Interval `json:"ci95"`
	Elo     stats.Number   `json:"elo"`
	EloCI95 stats.Interval `json:"elo_ci95"`
}

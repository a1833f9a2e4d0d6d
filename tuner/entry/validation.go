package entry

// Attempt is the payload of the entry that opens a validation.
type Attempt struct {
	Trial   int     `json:"trial"`
	Attempt int     `json:"attempt"`     // from 1, among all on the same game, strategy and baseline
	Alpha   float64 `json:"alpha"`       // this attempt's share
	Seed    uint64  `json:"seed,string"` // of its blocks
}

// Validation is the payload of a validation entry, the verdict on the winner: its games against the frozen
// baseline on seeds that no search has seen.
type Validation struct {
	Trial    int      `json:"trial"`
	Attempt  int      `json:"attempt"`
	Alpha    float64  `json:"alpha"`
	Evidence Evidence `json:"evidence"`
	LLR      *float64 `json:"llr"`
	Verdict  string   `json:"verdict"` // pass, fail, inconclusive
	Reason   string   `json:"reason"`
	// Score and Elo are those of all validation blocks, whose number was fixed
	// before the first, with their 95 % intervals.
	Score   *float64    `json:"score"`
	ScoreCI *[2]float64 `json:"score_ci95"`
	Elo     *float64    `json:"elo"`
	EloCI   *[2]float64 `json:"elo_ci95"`
	// Metric is the verdict's quantity where the objective is a metric.
	Metric *MetricVerdict `json:"metric,omitempty"`

	Version int     `json:"version,omitempty"`
	Played  *Played `json:"played,omitempty"`
}

// MetricVerdict compares the winner's metric with the baseline's on the same
// blocks, both against the same opponents.
type MetricVerdict struct {
	Name     string   `json:"name"`
	Winner   *float64 `json:"winner"`
	Baseline *float64 `json:"baseline"`
	// Gain is the improvement in the direction of the goal, with its two-sided
	// interval at level 1 - 2 alpha.
	Gain   *float64    `json:"gain"`
	GainCI *[2]float64 `json:"gain_ci"`
}

package entry

import "sakusen/tuner/stats"

// Attempt is the payload of the entry that opens a validation.
type Attempt struct {
	Trial   int     `json:"trial"`
	Attempt int     `json:"attempt"`     // from 1, among all at the same question that the database has seen
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
	Verdict  string   `json:"verdict"` // pass, fail, inconclusive
	Reason   string   `json:"reason"`
	// Score and Elo are those of all validation blocks, with their 95 % intervals; if the
	// test could stop early, they allow for that.
	Score   *float64    `json:"score"`
	ScoreCI *[2]float64 `json:"score_ci95"`
	Elo     *float64    `json:"elo"`
	EloCI   *[2]float64 `json:"elo_ci95"`
	// Metric is the verdict's quantity where the objective is a metric.
	Metric *MetricVerdict `json:"metric,omitempty"`
	// Test is the look that decided; absent where nothing was tested, and for a metric.
	Test *Decided `json:"test,omitempty"`
	// Given is the Elo of a pass, corrected for the fact that only passes are looked at.
	Given *float64 `json:"elo_given_pass,omitempty"`
	// About says what the claim is about: which starts.
	About string `json:"about,omitempty"`
	// Pool is how the winner stands against each member of the pool, in order.
	Pool []Member `json:"pool,omitempty"`

	// Pairs is what all pairs of games say, where the verdict is by them; see
	// [stats.Place].
	Pairs *stats.Placed `json:"pairs,omitempty"`
	// GameVariance is the variance of the winner's score of one game; nil where the
	// verdict is not on a score.
	GameVariance *float64 `json:"game_variance,omitempty"`

	Played *Played `json:"played,omitempty"`
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

// Decided is the look at which a validation was decided.
type Decided struct {
	Plan  string  `json:"plan"` // group or fixed
	Looks int     `json:"looks"`
	Most  int64   `json:"max_blocks"`
	Above float64 `json:"above"`      // standard errors above the lower bound
	Needs float64 `json:"needs"`      // of them for a pass
	Below float64 `json:"below"`      // standard errors below the upper bound
	Fails float64 `json:"needs_fail"` // of them for a fail
}

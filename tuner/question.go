package tuner

import (
	"context"

	"sakusen/tuner/stats"
)

// The ways in which attempts at one question share a level.
const (
	// AttemptsAlpha has all attempts ever made spend alpha together: the chance
	// that any of them passes without a gain is at most alpha. It is the default,
	// and written as the empty text in a spec.
	AttemptsAlpha = "alpha"
	// AttemptsFDR has of all attempts that pass at most the share alpha do so
	// without a gain, on average: passes give back of what was spent.
	AttemptsFDR = "fdr"
)

// Question is what a validation asks. Attempts at the same one share a level,
// whatever the studies are called and whether they are still there.
type Question struct {
	Game     string
	Rules    string // Ruleset.Hash: another map is another question
	Strategy string
	Baseline string // canonical
	// Play is the baseline's signature: baselines that play alike are one question,
	// whatever their text. It is empty if there is no baseline.
	Play string
	// Winner is the canonical entrant that the attempt is about. It is not part of the
	// question.
	Winner string
}

// Attempts is what a record knows of the attempts at a question, of which one
// begins now.
type Attempts struct {
	Number int   // from 1
	Passed []int // the earlier ones known to have passed, ascending
}

// Question is what this study's validation asks.
func (s *Setup) Question(ctx context.Context) (Question, error) {
	q := Question{Game: s.Game, Rules: s.Ruleset.Hash(), Strategy: s.Tune.Strategy, Baseline: s.Baseline}
	if s.Baseline == "" {
		return q, nil
	}
	var err error
	q.Play, err = s.Ruleset.Played(ctx, s.BaselineEntrant)
	return q, err
}

// Level returns the alpha of an attempt.
func (v *ValidationSpec) Level(a Attempts) (float64, error) {
	if v.Attempts == AttemptsFDR {
		return stats.DiscoveryAlpha(v.Alpha, a.Number, a.Passed)
	}
	return stats.AttemptAlpha(v.Alpha, a.Number)
}

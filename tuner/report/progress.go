package report

import (
	"fmt"
	"time"

	"sakusen/tuner"
	"sakusen/tuner/numeral"
	"sakusen/tuner/rating"
)

// Progress is how far a study is, on one line.
func Progress(now tuner.Progress) string {
	text := fmt.Sprintf("%s  %d/%d trials  %d blocks  %d games  %.0f games/s", now.Phase, now.Trials, now.MaxTrials, now.Blocks, now.Games, now.PerSecond)
	if now.Incumbent >= 0 {
		text += fmt.Sprintf("  best %s %s", now.Params, numeral.PlusMinus(now.Value, rating.Deviate95*now.Error))
	}
	if now.Left > 0 {
		text += fmt.Sprintf("  at most %s left", now.Left.Round(time.Second))
	}
	return text
}

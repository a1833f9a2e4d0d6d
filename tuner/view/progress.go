package view

import (
	"cmp"
	"fmt"
	"strings"

	"sakusen/tuner"
	"sakusen/tuner/numeral"
	"sakusen/tuner/stats"
)

// Progress is how far a study is, on one line: what matters most first, since a narrow
// terminal cuts it.
func Progress(now tuner.Progress) string {
	parts := []string{fmt.Sprintf("%s: %d/%d sets, %d games", phaseOf(now.Phase), now.Trials, max(now.Trials, now.MaxTrials), now.Games)}
	if left := Left(now); left != "" {
		parts = append(parts, left)
	}
	if now.Incumbent >= 0 {
		parts = append(parts, "best "+numeral.PlusMinus(now.Value, stats.Deviate95*now.Error)+" "+now.Params)
	}
	return strings.Join(append(parts, fmt.Sprintf("%.0f games/s", now.PerSecond)), ", ")
}

// Left is how long a study takes still, at its present pace; empty where that is not
// known.
func Left(now tuner.Progress) string {
	if left := numeral.Left(now.Expected-now.Games, now.PerSecond); left > 0 {
		return "about " + numeral.Span(left) + " left"
	}
	if now.Left > 0 {
		return "at most " + numeral.Span(now.Left) + " left"
	}
	return ""
}

// phaseOf is a study's phase for people.
func phaseOf(phase string) string {
	return cmp.Or(map[string]string{"tune": "search"}[phase], phase)
}

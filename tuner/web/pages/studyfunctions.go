package pages

import (
	"html/template"
	"math"
	"time"

	"sakusen/tuner/numeral"
	"sakusen/tuner/rating"
	"sakusen/tuner/service"
)

// studyFunctions are what the templates of studies call.
var studyFunctions = template.FuncMap{
	"percent": func(s service.Study) int {
		if s.MaxGames == 0 || s.State == "done" {
			return 100
		}
		return int(min(100, 100*played(s)/s.MaxGames))
	},
	"playedGames": played,
	"left": func(s service.Study) string {
		if s.Progress == nil || s.Progress.Left <= 0 {
			return ""
		}
		return "at most " + time.Duration(s.Progress.Left*float64(time.Second)).Round(time.Second).String()
	},
	"best": service.Best,
	"optional": func(x *float64) string {
		if x == nil {
			return "-"
		}
		return numeral.Text(*x)
	},
	// estimate is a value with the half-width of its 95 % interval, from its
	// standard error; rounded is that value alone.
	"estimate": func(x, e *float64) string {
		if x == nil {
			return "-"
		}
		return numeral.Typeset(*x, rating.Deviate95*numeral.OrNaN(e))
	},
	"rounded": func(x, e *float64) string {
		if x == nil {
			return "-"
		}
		return numeral.Rounded(*x, rating.Deviate95*numeral.OrNaN(e))
	},
	// within is a value rounded for the interval that it belongs to.
	"within": func(x *float64, ci *[2]float64) string {
		switch {
		case x == nil:
			return "-"
		case ci == nil:
			return numeral.Text(*x)
		}
		return numeral.Rounded(*x, (ci[1]-ci[0])/2)
	},
	"interval": func(ci *[2]float64) string {
		if ci == nil {
			return "-"
		}
		low, high := numeral.Interval(ci[0], ci[1])
		return low + " to " + high
	},
	"score":    numeral.Text,
	"numberOf": numberText,
	"short": func(commit string) string {
		if len(commit) > 12 {
			return commit[:12]
		}
		return commit
	},
	// level is the confidence of a two-sided interval that an attempt's alpha gives.
	"level": func(alpha float64) string { return numeral.Text(math.Round(1000*(1-2*alpha))/10) + " %" },
}

// played is the number of games that a study has played.
func played(s service.Study) int64 {
	if s.Progress != nil {
		return s.Progress.Games
	}
	return s.Games
}

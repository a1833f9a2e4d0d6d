package pages

import (
	"html/template"
	"net/url"
	"strconv"
	"strings"
	"time"

	"sakusen/tuner/build"
	"sakusen/tuner/numeral"
	"sakusen/tuner/queue/fleet"
	"sakusen/tuner/service"
	"sakusen/tuner/stats"
	"sakusen/tuner/view"
)

// studyFunctions are what the templates of studies call.
var studyFunctions = template.FuncMap{
	"answer":    answerOf,
	"far":       func(s service.Study) string { return view.Far(&s) },
	"share":     func(s service.Study) int { return view.Share(&s) },
	"left":      func(s service.Study) string { return view.Left(&s) },
	"steps":     stepsOf,
	"test":      view.Test,
	"jobPath":   JobPath,
	"count":     numeral.Count,
	"whole":     func(n int) string { return numeral.Count(int64(n)) },
	"persecond": fleet.PerSecond, "percent": fleet.Percent,
	"when":  when,
	"path":  url.PathEscape,
	"term":  term,
	"known": known,
	// phase is a phase of a study as pages call it.
	"phase": func(name string) string {
		return map[string]string{"tune": "search"}[name] + strings.TrimPrefix(name, "tune")
	},
	"optional": func(x *float64) string {
		if x == nil {
			return "-"
		}
		return numeral.Page(numeral.Text(*x))
	},
	// estimate is a value with the half-width of its 95 % interval, from its
	// standard error.
	"estimate": func(x, e *float64) string {
		if x == nil {
			return "-"
		}
		return numeral.Typeset(*x, stats.Deviate95*numeral.OrNaN(e))
	},
	// signed is a gain that an interval belongs to.
	"signed": func(x *float64, ci *[2]float64) string {
		if x == nil {
			return "-"
		}
		return numeral.Signed(*x, halfOf(ci))
	},
	"interval": func(ci *[2]float64) string {
		if ci == nil {
			return "-"
		}
		return numeral.Short(ci[0], halfOf(ci)) + " to " + numeral.Short(ci[1], halfOf(ci))
	},
	// brief is a value of a parameter with the digits that one reads.
	"brief": func(text string) string {
		if x, err := strconv.ParseFloat(text, 64); err == nil && strings.Contains(text, ".") {
			return numeral.Page(numeral.Text(x))
		}
		return text
	},
	"score":    numeral.Text,
	"numberOf": numberText,
	"version":  func() string { return build.Version },
	"short": func(commit string) string {
		if len(commit) > 12 {
			return commit[:12]
		}
		return commit
	},
}

// when is a time for people, which scripts put into words and into local time.
func when(text string) template.HTML {
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return template.HTML(template.HTMLEscapeString(text))
	}
	t = t.UTC()
	return template.HTML(`<time datetime="` + t.Format(time.RFC3339) + `">` + t.Format("2 Jan 2006, 15:04") + ` UTC</time>`)
}

package web

import (
	"embed"
	"fmt"
	"html/template"
	"math"
	"strings"
	"time"

	"sakusen/tuner/numeral"
	"sakusen/tuner/rating"
	"sakusen/tuner/service"
)

//go:embed pages/*.html
var pageFiles embed.FS

//go:embed static
var staticFiles embed.FS

// pages are the parsed templates by name.
type pages map[string]*template.Template

// parsePages reads every page with the layout around it.
func parsePages() (pages, error) {
	out := pages{}
	for _, name := range []string{"studies", "study", "new", "newfile", "bench", "series", "watch", "film", "games", "error",
		"tournaments", "tournament", "newtournament", "experiments", "run"} {
		t, err := template.New("layout.html").Funcs(pageFunctions).Funcs(jobFunctions).ParseFS(pageFiles, "pages/layout.html", "pages/check.html", "pages/job.html", "pages/"+name+".html")
		if err != nil {
			return nil, err
		}
		out[name] = t
	}
	return out, nil
}

var pageFunctions = template.FuncMap{
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
	// within is a value that an interval belongs to.
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
	"score": numeral.Text,
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

// jobFunctions are what the templates of jobs call.
var jobFunctions = template.FuncMap{
	"jobPercent": func(j service.Job) int {
		switch blocks, of := jobBlocks(j); {
		case j.State == "done":
			return 100
		case of == 0:
			return 0
		default:
			return int(min(100, 100*blocks/of))
		}
	},
	"jobFar": func(j service.Job) string {
		blocks, of := jobBlocks(j)
		games := j.Games
		if j.Progress != nil {
			games = j.Progress.Games
		}
		text := fmt.Sprintf("%d blocks", blocks)
		if of > 0 {
			text = fmt.Sprintf("%d of %d blocks", blocks, of)
		}
		return fmt.Sprintf("%s, %d games", text, games)
	},
	"jobLeft": func(j service.Job) string {
		if j.Progress == nil || j.Progress.Left <= 0 {
			return ""
		}
		return time.Duration(j.Progress.Left * float64(time.Second)).Round(time.Second).String()
	},
	"underWay": func(j service.Job) bool { return j.State == "running" || j.State == "queued" },
	"resting":  func(j service.Job) bool { return j.State == "paused" || j.State == "stopped" || j.State == "failed" },
	"day":      func(text string) string { return strings.Replace(strings.TrimSuffix(text, "Z"), "T", " ", 1) },
	"class":    func(verdict string) string { return strings.ReplaceAll(verdict, " ", "-") },
}

func jobBlocks(j service.Job) (blocks, of int64) {
	if j.Progress != nil {
		return j.Progress.Blocks, j.Progress.Of
	}
	return j.Blocks, j.Of
}

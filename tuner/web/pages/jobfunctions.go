package pages

import (
	"html/template"
	"net/url"
	"strings"
	"time"

	"sakusen/bench"
	"sakusen/tuner/numeral"
	"sakusen/tuner/service"
)

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
		text := numeral.Count(blocks) + " blocks"
		if of > 0 && j.State != "done" {
			text = numeral.Count(blocks) + " of " + numeral.Count(of) + " blocks"
		}
		return text + ", " + numeral.Count(games) + " games"
	},
	"jobLeft": func(j service.Job) string {
		if j.Progress == nil || j.Progress.Left <= 0 {
			return ""
		}
		return numeral.About(time.Duration(j.Progress.Left * float64(time.Second)))
	},
	"underWay": func(j service.Job) bool { return j.State == "running" || j.State == "queued" },
	"resting":  func(j service.Job) bool { return j.State == "paused" || j.State == "stopped" || j.State == "failed" },
	"day":      when,
	"commit":   commit,
	"measure":  bench.Measure,
	"next":     func(i int) int { return i + 1 },
	"amount":   bench.Amount,
	// seriesAt is the address of a benchmark's series.
	"seriesAt": func(title, machine, against string) template.URL {
		q := url.Values{}
		for name, value := range map[string]string{"machine": machine, "against": against} {
			if value != "" {
				q.Set(name, value)
			}
		}
		u := url.URL{Path: "/bench/" + title, RawQuery: q.Encode()}
		return template.URL(u.String()) // escaped part by part
	},
	// onPage is a text in which flags of the command line are the fields of a form.
	"onPage": strings.NewReplacer("--games", "games", "--simulations", "simulations", "--seed", "seed", "--rules", "rules").Replace,
	"class":  func(verdict string) string { return strings.ReplaceAll(verdict, " ", "-") },
}

func jobBlocks(j service.Job) (blocks, of int64) {
	if j.Progress != nil {
		return j.Progress.Blocks, j.Progress.Of
	}
	return j.Blocks, j.Of
}

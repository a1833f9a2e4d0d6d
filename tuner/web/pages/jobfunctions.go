package pages

import (
	"fmt"
	"html/template"
	"strings"
	"time"

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

package pages

import (
	"maps"
	"slices"

	"sakusen/tuner/export"
	"sakusen/tuner/service"
)

// Foreign is the page of a study that a program keeps with Goptuna's API.
type Foreign struct {
	Frame
	D       *service.StudyDetail
	A       answer
	Best    []service.Trial // the best one, if there is any
	Trials  []service.Trial
	Columns []string // the parameters of Trials
	Next    int      // number of the first trial of the next page, 0 on the last
	Formats []string
}

// ForeignOf is the page of a foreign study with its best trial and some of its trials.
func ForeignOf(frame Frame, d *service.StudyDetail, best, trials []service.Trial) *Foreign {
	v := &Foreign{Frame: frame, D: d, A: answerOf(d.Study), Best: best, Trials: trials, Formats: append(export.Formats(), service.OptunaFormats()...)}
	columns := map[string]bool{}
	for _, t := range append(slices.Clone(best), trials...) {
		for name := range t.Params {
			columns[name] = true
		}
	}
	v.Columns = slices.Sorted(maps.Keys(columns))
	if len(trials) > 0 && trials[len(trials)-1].Number+1 < d.Trials {
		v.Next = trials[len(trials)-1].Number + 1
	}
	return v
}

package web

import (
	"fmt"
	"html/template"
	"net/http"

	"sakusen/tuner/contest"
	"sakusen/tuner/view"
	"sakusen/tuner/web/chart"
)

// stageView is a stage of a test as its page shows it.
type stageView struct {
	contest.PatchStageReport
	Number   int
	Plot     template.HTML
	Sections []view.Section
}

// test shows a test of a patch, as far as it is.
func (p jobPages) test(r *http.Request) (any, error) {
	d, err := p.detail(r)
	var report *contest.PatchReport
	if err == nil {
		report, err = p.o.Service.Patches().Report(r.Context(), d.ID)
	}
	if err != nil {
		return nil, err
	}
	v := struct {
		jobView
		Report *contest.PatchReport
		A      *view.Answer
		Pace   string // games a second
		Stages []stageView
		Text   string
		File   string
	}{jobView: p.view(d), Report: report, File: fileOf(d)}
	if report == nil {
		return v, nil
	}
	v.A = view.PatchAnswer(report)
	if d.Progress != nil && d.Progress.PerSecond > 0 {
		v.Pace = fmt.Sprintf("%.3g", d.Progress.PerSecond)
	}
	for i := range report.Stages {
		s := stageView{PatchStageReport: report.Stages[i], Number: i + 1}
		var looks [][2]float64
		for _, l := range s.Path {
			looks = append(looks, [2]float64{float64(l.Games), l.LLR})
		}
		s.Plot = chart.LLR(looks, s.Match.SPRT.Lower, s.Match.SPRT.Upper)
		s.Sections = view.PatchStage(report, i)
		v.Stages = append(v.Stages, s)
	}
	v.Text = report.Text + map[bool]string{true: "https://", false: "http://"}[p.o.Secure] + r.Host + p.o.Base + v.Path
	return v, nil
}

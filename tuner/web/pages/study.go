package pages

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html/template"
	"time"

	"sakusen/tuner"
	"sakusen/tuner/export"
	"sakusen/tuner/numeral"
	"sakusen/tuner/service"
	"sakusen/tuner/web/plot"
)

// Study is what the page of a study shows.
type Study struct {
	Frame
	D          *service.StudyDetail
	Doc, Text  string // of the spec; Text is all of it
	Spec       *tuner.Spec
	Race       string
	Objective  string
	Passed     bool
	Formats    []string
	Refused    string // why nothing can be exported; empty if something can
	Validation template.HTML
	Speed      string // of a study that runs
	Plots      template.HTML
	Shows      string // which state of the log the plots show
	Reading    bool   // the log has not been read to its end
	Table      *TrialTable
	Curve      bool   // values of trials can be compared
	Pooled     bool   // generations play themselves
	Live       bool   // the table shows the latest trials
	Query      string // what is asked for, without the part
}

// StudyOf is the page of a study without its plots and its table.
func StudyOf(frame Frame, d *service.StudyDetail) *Study {
	v := &Study{Frame: frame, D: d, Spec: &tuner.Spec{}}
	if spec, err := tuner.ParseSpec(d.Spec); err == nil {
		v.Spec = spec
		v.Doc, v.Race = v.Spec.Doc, v.Spec.Race.String()
		v.Objective = v.Spec.Objective.Name()
		v.Pooled = v.Spec.Evaluate != nil
		v.Curve = !v.Spec.Duels && !v.Pooled
	}
	v.Formats = append(export.Formats(), "optuna")
	if d.Result != nil && d.Result.Front != nil {
		for _, f := range export.FrontFormats() {
			v.Formats = append(v.Formats, "front."+f)
		}
	}
	v.verdict()
	v.speed()
	return v
}

// WriteSpec adds the spec as text.
func (v *Study) WriteSpec() {
	var text bytes.Buffer
	if json.Indent(&text, v.D.Spec, "", "  ") == nil {
		v.Text = text.String()
	}
}

// Source is where a part of the page comes from.
func (v *Study) Source(part string) string {
	out := "/studies/" + v.D.Study.Study + "?part=" + part
	if v.Query != "" {
		out += "&" + v.Query
	}
	return out
}

// verdict says how a study has ended and, if it cannot be exported, why.
func (v *Study) verdict() {
	r := v.D.Result
	switch {
	case r == nil:
		v.Refused = "The study has not ended: there is nothing to export but its trials so far."
		return
	case r.Best == nil:
		v.Refused = "The study found no candidate to export."
		return
	case r.Validation == nil:
		v.Refused = "The answer was not validated: its claim is that of the search, which is too high, as it is the best of many."
		return
	}
	v.Validation = plot.Validation(r, v.Spec)
	v.Passed = r.Validation.Verdict == "pass"
	switch r.Validation.Verdict {
	case "fail":
		v.Refused = "The validation failed: on seeds that no search has seen, the answer is not better than the baseline by what the study asks for."
	case "inconclusive":
		v.Refused = "The validation is inconclusive: its blocks are too few to tell, so nothing is proved."
	}
}

// speed says how fast a study runs, and for how long.
func (v *Study) speed() {
	p := v.D.Progress
	if p == nil {
		return
	}
	v.Speed = "phase " + p.Phase
	if p.PerSecond > 0 {
		v.Speed += fmt.Sprintf(", %s games per second", numeral.Text(p.PerSecond))
	}
	if p.Left > 0 {
		v.Speed += ", at most " + time.Duration(p.Left*float64(time.Second)).Round(time.Second).String() + " left"
	}
}

package web

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html/template"
	"math"
	"net/http"
	"slices"
	"strconv"

	"sakusen/tuner"
	"sakusen/tuner/export"
)

const (
	// plotted bounds the trials that are drawn, the last ones: a page stays small
	// however long a study runs.
	plotted = 400
	// listed bounds the trials in the table.
	listed = 50
)

// slice is the trials by one parameter.
type slice struct {
	Name  string
	Plot  template.HTML
	Share string // of the variance that the parameter explains alone
}

// studyView is what the page of a study shows.
type studyView struct {
	frame
	D                        *StudyDetail
	Doc, Spec                string
	Passed                   bool
	Formats                  []string
	Trials                   bool
	History, Rungs, Parallel template.HTML
	Slices                   []slice
	Last                     []Trial
}

// studyPage shows one study.
func (s *Server) studyPage(w http.ResponseWriter, r *http.Request) {
	n, err := name(r)
	var d *StudyDetail
	if err == nil {
		d, err = s.o.Library.Study(r.Context(), n)
	}
	var trials []Trial
	if err == nil {
		trials, err = s.o.Library.Trials(r.Context(), n, max(0, d.Study.Trials-plotted), plotted)
	}
	if err != nil {
		s.failPage(w, r, err)
		return
	}
	s.progress(&d.Study)
	v := &studyView{frame: s.frame(n, "studies"), D: d, Formats: append(export.Formats(), "optuna"), Trials: len(trials) > 0}
	v.Passed = d.Result != nil && d.Result.Validation != nil && d.Result.Validation.Verdict == "pass"
	var spec tuner.Spec
	if err := json.Unmarshal(d.Spec, &spec); err == nil {
		v.Doc = spec.Doc
	}
	var text bytes.Buffer
	if json.Indent(&text, d.Spec, "", "  ") == nil {
		v.Spec = text.String()
	}
	v.Last = slices.Clone(trials[max(0, len(trials)-listed):])
	slices.Reverse(v.Last)
	if v.Trials {
		v.draw(trials, &spec)
	}
	s.render(w, r, http.StatusOK, "study", v)
}

// value is a trial's value, that of its last rung while it runs, NaN where it
// has none.
func value(t *Trial) float64 {
	if t.Value != nil {
		return *t.Value
	}
	if n := len(t.Rungs); n > 0 {
		return t.Rungs[n-1].Value
	}
	return math.NaN()
}

// margin is half of a trial's 95 % interval, NaN where it is not known.
func margin(t *Trial) float64 {
	e, err := strconv.ParseFloat(t.Attrs["standard_error"], 64)
	if err != nil {
		return math.NaN()
	}
	return 1.96 * e
}

// draw makes the plots.
func (v *studyView) draw(trials []Trial, spec *tuner.Spec) {
	maximize := spec.Objective.Goal != "minimize"
	var ys []float64
	for i := range trials {
		ys = append(ys, value(&trials[i]))
	}
	lo, hi := span(ys)
	first, last := float64(trials[0].Number), float64(trials[len(trials)-1].Number)
	p := newPlot("value by trial", first, last, lo, hi)
	xs, best := make([]float64, len(trials)), make([]float64, len(trials))
	bound := math.NaN()
	for i := range trials {
		t := &trials[i]
		xs[i] = float64(t.Number)
		if m := margin(t); t.State == "complete" && !math.IsNaN(m) {
			p.bar(xs[i], ys[i]-m, ys[i]+m)
			pessimistic := ys[i] - m
			if !maximize {
				pessimistic = ys[i] + m
			}
			if math.IsNaN(bound) || pessimistic > bound == maximize {
				bound = pessimistic
			}
		}
		best[i] = bound
	}
	p.line("best", 1, xs, best)
	for i := range trials {
		if !math.IsNaN(ys[i]) {
			p.dot(xs[i], ys[i], class(&trials[i]), fmt.Sprintf("trial %d: %s", trials[i].Number, show(ys[i])))
		}
	}
	v.History = p.svg()
	v.Rungs = rungsPlot(trials)
	for i := range spec.Tune.Params {
		if s, ok := slicePlot(&spec.Tune.Params[i], trials, ys, lo, hi); ok {
			v.Slices = append(v.Slices, s)
		}
	}
	if len(v.Slices) > 1 {
		v.Parallel = parallelPlot(spec.Tune.Params, trials, ys, maximize)
	}
}

func class(t *Trial) string {
	if t.State == "complete" {
		return "dot"
	}
	return "stopped"
}

// rungsPlot draws the values on the way, by the logarithm of blocks.
func rungsPlot(trials []Trial) template.HTML {
	var all, blocks []float64
	for i := range trials {
		for _, r := range trials[i].Rungs {
			all, blocks = append(all, r.Value), append(blocks, math.Log2(float64(max(1, r.Blocks))))
		}
	}
	if len(all) == 0 {
		return ""
	}
	x0, x1 := span(blocks)
	y0, y1 := span(all)
	p := newPlot("value by blocks played, in powers of two", x0, x1, y0, y1)
	for i := range trials {
		var xs, ys []float64
		for _, r := range trials[i].Rungs {
			xs, ys = append(xs, math.Log2(float64(max(1, r.Blocks)))), append(ys, r.Value)
		}
		opacity := 0.25
		if trials[i].State == "complete" {
			opacity = 0.8
		}
		p.line("path", opacity, xs, ys)
	}
	return p.svg()
}

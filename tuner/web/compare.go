package web

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html/template"
	"maps"
	"math"
	"net/http"
	"slices"
	"strings"

	"sakusen/tuner"
	"sakusen/tuner/numeral"
	"sakusen/tuner/service"
	"sakusen/tuner/store"
	"sakusen/tuner/view"
	"sakusen/tuner/web/chart"
)

// mostCompared are the most studies beside each other.
const mostCompared = 6

// compareView is some studies beside each other.
type compareView struct {
	Studies []comparedStudy
	// Warnings say why numbers cannot be held against each other.
	Warnings []string
	Plot     template.HTML
	// Differences are gains less the first study's, where all have one baseline.
	Differences []settingRow
	Params      []settingRow // the answers, parameter by parameter
	Settings    []settingRow // of the specs, where they differ
	Same        int          // settings that do not
}

// comparedStudy is one of them.
type comparedStudy struct {
	Name  string
	S     service.Study
	A     *view.Answer
	Spent string
	Tries string
}

// settingRow is a line of a table of studies.
type settingRow struct {
	Name   string
	Cells  []string
	Differ bool
}

// compareOf puts studies beside each other.
func compareOf(all []*service.StudyDetail) *compareView {
	v := &compareView{}
	strip := &chart.Forest{Unit: "Elo above each study's baseline", Gains: true}
	specs := make([]*tuner.Spec, len(all))
	for i, d := range all {
		specs[i] = &tuner.Spec{}
		if spec, err := tuner.ParseSpec(d.Spec); err == nil {
			specs[i] = spec
		}
		c := comparedStudy{Name: d.Study.Study, S: d.Study, A: view.AnswerOf(d.Study), Spent: numeral.Count(d.Games) + " games, " + numeral.Count(int64(d.Trials)) + " trials"}
		if r := d.Result; r != nil && r.Validation != nil {
			c.Tries = view.Ordinal(r.Validation.Attempt) + " attempt, " + numeral.Count(r.Validation.Blocks) + " blocks"
		}
		v.Studies = append(v.Studies, c)
		if x, lo, hi, ok := gainOf(d.Study); ok {
			strip.Add(fmt.Sprintf("%d", i+1), blockText(d.Result.Validation.Blocks), x, lo, hi, c.A.Tone)
		}
	}
	if len(strip.Stages) > 0 {
		v.Plot = strip.Draw()
	}
	v.warn(specs)
	v.differences(all, specs)
	v.answers(all, specs)
	v.settings(all)
	return v
}

// warn says what keeps numbers from being held against each other.
func (v *compareView) warn(specs []*tuner.Spec) {
	for _, what := range []struct {
		of  func(*tuner.Spec) string
		say string
	}{
		{func(s *tuner.Spec) string { return s.Game + s.Rules.String() }, "They play different games, or other rules of one: their gains say nothing of each other."},
		{func(s *tuner.Spec) string { return s.Proved().Name() }, "They prove different things: a gain in one is none in the other."},
		{func(s *tuner.Spec) string { return s.Baseline }, "Their baselines differ: each gain is above another opponent. To compare the answers, let them play each other in a tournament."},
		{func(s *tuner.Spec) string { return s.Tune.Strategy }, "They tune different strategies."},
	} {
		if slices.ContainsFunc(specs, func(s *tuner.Spec) bool { return what.of(s) != what.of(specs[0]) }) {
			v.Warnings = append(v.Warnings, what.say)
		}
	}
}

// differences adds gains less the first one's, where they are above one baseline.
func (v *compareView) differences(all []*service.StudyDetail, specs []*tuner.Spec) {
	for _, s := range specs {
		if s.Baseline != specs[0].Baseline || s.Game != specs[0].Game || s.Rules.String() != specs[0].Rules.String() {
			return
		}
	}
	x0, lo0, hi0, ok := gainOf(all[0].Study)
	if !ok || math.IsNaN(lo0) {
		return
	}
	for i, d := range all[1:] {
		x, lo, hi, ok := gainOf(d.Study)
		if !ok || math.IsNaN(lo) {
			continue
		}
		half := math.Hypot((hi-lo)/2, (hi0-lo0)/2)
		gap := x - x0
		say := "cannot be told apart"
		switch {
		case gap-half > 0:
			say = "surely stronger than 1"
		case gap+half < 0:
			say = "surely weaker than 1"
		}
		v.Differences = append(v.Differences, settingRow{Name: fmt.Sprintf("%d less 1", i+2), Cells: []string{
			numeral.Signed(gap, half) + " Elo", numeral.Signed(gap-half, half) + " to " + numeral.Signed(gap+half, half), say}})
	}
}

// answers adds the parameters of the answers, those of all studies.
func (v *compareView) answers(all []*service.StudyDetail, specs []*tuner.Spec) {
	var names []string
	cells := map[string][]string{}
	for i, d := range all {
		if d.Result == nil || d.Result.Best == nil {
			continue
		}
		rows, _ := changes(specs[i], d.Result.Best.Params)
		for _, c := range rows {
			if cells[c.Name] == nil {
				names = append(names, c.Name)
				cells[c.Name] = make([]string, len(all))
			}
			cells[c.Name][i] = c.Before + " → " + c.After
			if !c.Changed {
				cells[c.Name][i] = c.After
			}
		}
	}
	for _, name := range names {
		v.Params = append(v.Params, settingOf(name, cells[name]))
	}
}

// settingOf returns a row that knows whether its cells differ.
func settingOf(name string, cells []string) settingRow {
	r := settingRow{Name: name}
	for _, c := range cells {
		r.Differ = r.Differ || c != cells[0]
		if c == "" {
			c = "-"
		}
		r.Cells = append(r.Cells, c)
	}
	return r
}

// settings adds what differs between the specs.
func (v *compareView) settings(all []*service.StudyDetail) {
	flat := make([]map[string]string, len(all))
	names := map[string]bool{}
	for i, d := range all {
		flat[i] = map[string]string{}
		decoder := json.NewDecoder(bytes.NewReader(d.Spec))
		decoder.UseNumber()
		var tree any
		if decoder.Decode(&tree) == nil {
			flatten("", tree, flat[i])
		}
		for name := range flat[i] {
			names[name] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if name == "name" || name == "version" {
			continue
		}
		cells := make([]string, len(all))
		for i := range flat {
			if cells[i] = flat[i][name]; !strings.HasSuffix(name, "seed") { // a seed is a name, not a number
				cells[i] = numeral.Page(cells[i])
			}
		}
		if r := settingOf(name, cells); r.Differ {
			v.Settings = append(v.Settings, r)
		} else {
			v.Same++
		}
	}
}

// flatten writes a tree of JSON as paths with their values. Lists of plain values are
// one value, and parameters are named.
func flatten(path string, tree any, into map[string]string) {
	switch x := tree.(type) {
	case map[string]any:
		for key, value := range x {
			at := key
			if path != "" {
				at = path + "." + key
			}
			flatten(at, value, into)
		}
	case []any:
		var plain []string
		for i, value := range x {
			m, ok := value.(map[string]any)
			if !ok {
				plain = append(plain, fmt.Sprint(value))
				continue
			}
			name, ok := m["name"].(string)
			if !ok {
				name = fmt.Sprint(i)
			}
			flatten(path+"["+name+"]", value, into)
		}
		if plain != nil {
			into[path] = strings.Join(plain, ", ")
		}
	case nil:
	default:
		into[path] = fmt.Sprint(x)
	}
}

// comparePage shows the studies that the address names beside each other.
func (s studyPages) comparePage(r *http.Request) (any, error) {
	var names []string
	for _, n := range r.URL.Query()["s"] {
		if !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	if len(names) < 2 || len(names) > mostCompared {
		return nil, service.New(service.Invalid, fmt.Sprintf("s: expected two to %d studies to compare, got %d: tick them in the list of studies", mostCompared, len(names)))
	}
	var all []*service.StudyDetail
	for _, n := range names {
		d, err := s.o.Service.Studies().Show(r.Context(), n)
		if err != nil {
			return nil, err
		}
		if d.Foreign {
			return nil, &store.ForeignStudyError{Study: n}
		}
		all = append(all, d)
	}
	return compareOf(all), nil
}

package web

import (
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"slices"

	"sakusen/tuner/service"
	"sakusen/tuner/view"
	"sakusen/tuner/web/chart"
)

// compareView is some studies beside each other.
type compareView struct {
	Studies  []comparedStudy
	Sections []view.Section // see view.Compared
	Plot     template.HTML
	Course   template.HTML // what each search thought best, by games
	Report   string        // the address of all of them as one file
}

// comparedStudy is one of them, with its line of the table.
type comparedStudy struct {
	Name  string
	Less  string // the address without it, empty of two
	A     *view.Answer
	Cells []view.Cell // verdict, gain, tested, spent, baseline
}

// compareOf puts studies beside each other.
func compareOf(all []*service.StudyDetail) *compareView {
	v := &compareView{Sections: view.Compared(all), Plot: gainsOf(all)}
	beside := url.Values{}
	for i, d := range all {
		if i > 0 {
			beside.Add("beside", d.Study.Study)
		}
		v.Studies = append(v.Studies, comparedStudy{Name: d.Study.Study, Less: without(all, i), A: view.AnswerOf(d.Study), Cells: view.Find(v.Sections, "compared").Lines[i].Cells})
	}
	v.Report = "/api/v1/studies/" + url.PathEscape(all[0].Study.Study) + "/report?" + beside.Encode()
	return v
}

// without returns the address of the comparison without one of the studies, empty of two.
func without(all []*service.StudyDetail, one int) string {
	if len(all) <= 2 {
		return ""
	}
	q := url.Values{}
	for i, d := range all {
		if i != one {
			q.Add("s", d.Study.Study)
		}
	}
	return "/compare?" + q.Encode()
}

// Room tells whether another study can be added.
func (v *compareView) Room() bool { return len(v.Studies) < view.MostCompared }

// gainsOf draws the validated gains of studies on one axis, empty where none has any.
func gainsOf(all []*service.StudyDetail) template.HTML {
	strip := &chart.Forest{Unit: "Elo above each study's baseline", Gains: true}
	for i, d := range all {
		if x, lo, hi, ok := gainOf(d.Study); ok {
			a := view.AnswerOf(d.Study)
			strip.Stages = append(strip.Stages, chart.Stage{Name: fmt.Sprint(i + 1), Blocks: blockText(d.Result.Validation.Blocks), Value: x, Lo: lo, Hi: hi, Text: elo(a.Gain), Class: a.Tone})
		}
	}
	if len(strip.Stages) == 0 {
		return ""
	}
	return strip.Draw()
}

// comparePage shows the studies that the address names beside each other.
func (s studyPages) comparePage(r *http.Request) (any, error) {
	var names []string
	for _, n := range r.URL.Query()["s"] {
		if !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	if len(names) < 2 || len(names) > view.MostCompared {
		return nil, service.New(service.Invalid, fmt.Sprintf("s: expected two to %d studies to compare, got %d: tick them in the list of studies", view.MostCompared, len(names)))
	}
	all, err := s.o.Service.Studies().Several(r.Context(), names)
	if err != nil {
		return nil, err
	}
	v := compareOf(all)
	var searches []chart.Search
	for _, d := range all {
		if d.Foreign {
			continue
		}
		c, err := s.chronicles.of(r.Context(), d)
		if err == nil {
			err = s.chronicles.read(r.Context(), c, d.Entries, chronicleWait)
		}
		if err != nil {
			return nil, err
		}
		c.mu.Lock()
		searches = append(searches, chart.SearchOf(d.Study.Study, c.log, d.Result))
		c.mu.Unlock()
	}
	v.Course = chart.BestSoFar(searches)
	return v, nil
}

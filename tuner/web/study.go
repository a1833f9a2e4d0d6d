package web

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"html/template"
	"maps"
	"math"
	"net/url"
	"slices"
	"strings"
	"time"

	"sakusen/tuner"
	"sakusen/tuner/export"
	"sakusen/tuner/insight"
	"sakusen/tuner/numeral"
	"sakusen/tuner/service"
	"sakusen/tuner/view"
)

// studyView is what the page of a study shows.
type studyView struct {
	D         *service.StudyDetail
	Doc, Text string // of the spec; Text is all of it
	Spec      *tuner.Spec
	Race      string
	Objective string
	Limits    []string
	Proof     string
	Passed    bool
	Validated bool
	Formats   []string
	Tries     string // a point such as it may be given to try; empty where it takes none
	Refused   string // why nothing is exported, empty where it is

	A         *view.Answer
	Warned    []view.Line // what a reader has to know before using the answer
	Said      []view.Line // how it was tested, and what else is to be said
	Told      []view.Line // what its games tell
	Evidence  template.HTML
	Opponents template.HTML // of a study with a pool
	Changes   []view.Change
	Same      bool // the baseline plays the tuned strategy
	BestTrial *int
	Front     []tuner.FrontPoint
	Measured  []string // what its metrics are, with their units
	Excluded  string   // what the limits keep from being the answer

	Tab     string
	Tabs    []tab
	Plots   template.HTML
	Shows   string // which state of the log the plots show
	Reading bool   // the log has not been read to its end
	Table   *trialTable
	Games   *gamesView // of the answer, on its tab
	Curve   bool       // values of trials can be compared
	Pooled  bool       // generations play themselves
	Live    bool       // the table shows the latest trials
	Query   string     // what is asked for, without the part
	Refusal string     // what was wrong with a form of the page
	given   url.Values
}

// Refuse shows what was wrong with one of the page's forms, in which these values stand.
func (v *studyView) Refuse(text string, given url.Values) { v.Refusal, v.given = text, given }

// Typed returns what was typed into a field of a refused form, else what it shows.
func (v *studyView) Typed(field, shown string) string {
	if v.Has(field) {
		return v.given.Get(field)
	}
	return shown
}

// Has reports whether a refused form has a field.
func (v *studyView) Has(field string) bool { return v.given.Has(field) }

// tab is a part of a study's page with an address of its own.
type tab struct{ Key, Name string }

// tabKeys returns the tabs of a study.
func tabKeys() []string {
	return []string{"summary", "trials", "parameters", "race", "games", "spec"}
}

// formats returns the names of the formats of a finished study's page.
func formats() []string {
	return slices.DeleteFunc(export.FormatNames(), func(name string) bool { return name == export.AsStudy })
}

// studyOf returns the page of a study without its plots and its table.
func studyOf(d *service.StudyDetail) *studyView {
	v := &studyView{D: d, Spec: &tuner.Spec{}, Tab: "summary"}
	if spec, err := tuner.ParseSpec(d.Spec); err == nil {
		v.Spec = spec
		v.Doc, v.Race = v.Spec.Doc, v.Spec.Race.String()
		v.Objective = v.Spec.Objective.Name()
		v.Pooled = v.Spec.Evaluate != nil
		v.Curve = !v.Spec.Duels && !v.Pooled
	}
	v.Formats = formats()
	if d.Result != nil && d.Result.Front != nil {
		for _, f := range export.FrontFormats() {
			v.Formats = append(v.Formats, "front."+f)
		}
	}
	v.Tries = triesOf(v.Spec, d.State, d.Takes)
	v.Tabs = []tab{{"summary", "Summary"}, {"trials", "Trials " + numeral.Count(int64(trialsOf(d.Study)))}}
	if !v.Pooled { // its games tell nothing of a parameter
		v.Tabs = append(v.Tabs, tab{"parameters", "Parameters"})
	}
	if !v.Spec.Duels {
		v.Tabs = append(v.Tabs, tab{"race", map[bool]string{false: "Race", true: "Final"}[v.Pooled]})
	}
	v.Tabs = append(v.Tabs, tab{"games", "Games"}, tab{"spec", "Spec and provenance"})
	v.terms()
	v.verdict()
	v.answer()
	return v
}

// trialsOf returns the number of trials by now.
func trialsOf(s service.Study) int {
	if p := s.Progress; p != nil {
		return max(s.Trials, p.Trials)
	}
	return s.Trials
}

// terms returns what the spec asks for.
func (v *studyView) terms() {
	for i := range v.Spec.Objective.Limits {
		v.Limits = append(v.Limits, numeral.Page(v.Spec.Objective.Limits[i].String()))
	}
	p := &v.Spec.Validation
	tail := fmt.Sprintf(", at most %s blocks, chance of a false pass %s over all attempts", numeral.Count(p.MaxBlocks), numeral.Text(p.Alpha))
	v.Proof = fmt.Sprintf("a gain of %s Elo rather than of %s", numeral.Page(numeral.Text(p.Elo[1])), numeral.Page(numeral.Text(p.Elo[0]))) + tail
	if v.Spec.Proved().Of == "metric" {
		v.Proof = "any gain in " + v.Spec.Proved().Name() + tail
	}
}

// answer returns what was found, and what changes with it.
func (v *studyView) answer() {
	v.A = view.AnswerOf(v.D.Study)
	r := v.D.Result
	if r != nil {
		all := view.Study(v.Spec, r)
		for _, l := range slices.Concat(view.Find(all, "proof").Lines, view.Find(all, "search").Lines, view.Find(all, "end").Lines) {
			switch l.Label {
			case "Next":
				if !v.Unproved() && r.Validation != nil && r.Validation.Verdict != "pass" { // what commands do, buttons do here
					if _, again, ok := strings.Cut(l.Text(), "A study under a new name"); ok {
						v.A.Next += " A study under a new name" + again
					} else {
						v.A.Next = l.Text()
					}
				}
			case "How sure", "Pool", "Checked", "Cost", "Begun":
				v.Said = append(v.Said, l)
			case "Defaults", "Limit", "Games", "Faults":
				v.Warned = append(v.Warned, l)
			}
		}
		v.Told = view.Find(all, "games").Lines
	}
	switch {
	case r != nil && r.Best != nil:
		v.BestTrial = &r.Best.Trial
		v.Changes, v.Same = view.Changes(v.Spec, r.Best.Params)
		if len(r.Front) > 0 {
			v.Front, v.Changes = r.Front, nil
		}
	case v.D.Progress != nil && v.D.Progress.Answer != nil:
		v.Changes, v.Same = view.Changes(v.Spec, v.D.Progress.Answer)
	case v.D.Progress != nil && v.D.Progress.Incumbent != nil:
		v.BestTrial = v.D.Progress.Incumbent
		if params := paramsOf(v.D.Progress.Params); len(params) > 0 {
			v.Changes, v.Same = view.Changes(v.Spec, params)
		}
	case v.D.Best != nil:
		v.BestTrial = &v.D.Best.Trial
	}
}

// thinks shows what the search of a running study thinks best, of one that names no trial before
// its end.
func (v *studyView) thinks(t *insight.Thought) {
	p := v.D.Progress
	p.Elo, p.EloCI = &t.Gain[0], &[2]float64{t.Gain[1], t.Gain[2]}
	v.D.Best = &service.StudyBest{What: "incumbent", Value: p.Elo}
	v.A = view.AnswerOf(v.D.Study)
	v.Changes, v.Same = view.Changes(v.Spec, t.Params)
}

// Left returns how long it takes still, with how fast it plays.
func (v *studyView) Left() string {
	text := view.Left(&v.D.Study)
	if p := v.D.Progress; p != nil && p.PerSecond > 0 {
		text = strings.TrimPrefix(text+", "+numeral.Page(numeral.Text(p.PerSecond))+" games per second", ", ")
	}
	return text
}

// Ends returns when search and proof end, by the clock; empty where that is not known.
func (v *studyView) Ends() template.HTML {
	if v.D.State != "running" {
		return ""
	}
	search, proof := view.Until(v.D.Progress, time.Now())
	by := clock(proof) + ", or before, as soon as its test decides."
	switch {
	case proof.IsZero():
		return ""
	case v.D.Progress.Passed():
		return "It ends at about " + clock(proof) + "."
	case search.IsZero():
		return "The proof ends by " + by
	}
	return "The search ends at about " + clock(search) + ", the proof by " + by
}

// indented returns a JSON document for people; empty where it is none.
func indented(document json.RawMessage) string {
	var text bytes.Buffer
	if json.Indent(&text, document, "", "  ") != nil {
		return ""
	}
	return text.String()
}

// Source returns where a part of the page comes from.
func (v *studyView) Source(part string) string {
	out := "/studies/" + v.D.Study.Study + "?part=" + part
	if v.Query != "" {
		out += "&" + v.Query
	}
	return out
}

// verdict explains why a study is not exported where it is not.
func (v *studyView) verdict() {
	r := v.D.Result
	switch {
	case r == nil:
		v.Refused = "The study has not ended: there is nothing to export but its trials so far."
		return
	case r.Best == nil:
		v.Refused = "The study found no candidate to export."
		return
	case r.Validation == nil:
		v.Refused = "The answer was not validated: its gain is the search's estimate, which is too high, because the answer is the best of many."
		return
	}
	v.Validated = true
	v.Passed = r.Validation.Verdict == "pass"
	v.Refused = map[string]string{"fail": "The validation failed: on seeds that no search has seen, the answer is not better than the baseline by what the study asks for.",
		"inconclusive": map[bool]string{true: "The validation is undecided: its blocks are too few to tell, so nothing is proved.",
			false: "The validation is undecided: no number of these games can tell, so nothing is proved."}[v.Unproved()]}[r.Validation.Verdict]
}

// Answered reports whether a trial is the answer, or the best so far.
func (v *studyView) Answered(trial int) bool { return v.BestTrial != nil && *v.BestTrial == trial }

// By returns the address of the table of trials in an order or, where it has that, in the contrary one.
func (v *studyView) By(order string) string {
	contrary := map[string]string{"first": "latest", "best": "first"}
	if v.Table.Order == order {
		order = cmp.Or(contrary[order], "-"+order)
	}
	return "/studies/" + v.D.Study.Study + "?tab=trials&order=" + url.QueryEscape(order) + "&show=" + v.Table.Show + string(v.Table.Ranges()) + "#trials"
}

// Still reports whether the study does not run and has no verdict, so that its budget may grow.
func (v *studyView) Still() bool {
	return slices.Contains([]string{"queued", "paused", "stopped", "failed"}, v.D.State)
}

// Bounds returns what is shaded between the bounds of the test, empty where nothing is.
func (v *studyView) Bounds() string {
	e := v.Spec.Validation.Elo
	if v.Evidence == "" || v.Front != nil || e[0] == e[1] || v.Spec.Proved().Of != "score" {
		return ""
	}
	return fmt.Sprintf("Shaded: between the bounds of the test, %s and %s Elo. A pass rules out the smaller gain.", numeral.Signed(e[0], math.NaN()), numeral.Signed(e[1], math.NaN()))
}

// Unproved reports whether the validation of an answer could not tell, so that it can be
// proved further.
func (v *studyView) Unproved() bool { return service.Provable(v.D.Result) }

// mostAgainst is the length up to which a baseline is named whole beside the title.
const mostAgainst = 40

// Against names the baseline.
func (v *studyView) Against() string {
	text := v.D.Baseline
	if r := v.D.Result; r != nil {
		text = cmp.Or(r.Baseline, text)
	}
	switch {
	case text == "":
		return "its defaults"
	case len(text) > mostAgainst:
		text, _, _ = strings.Cut(text, "(")
		return text + "(…)"
	}
	return text
}

// triesOf returns a point such as a study takes to try, empty where it takes none.
func triesOf(spec *tuner.Spec, state string, takes bool) string {
	if !takes || spec.Evaluate != nil || !slices.Contains([]string{"queued", "running", "paused", "failed"}, state) {
		return ""
	}
	for i := range spec.Tune.Params {
		if d := &spec.Tune.Params[i]; d.Points() != 1 {
			return d.Name + "=" + d.Default
		}
	}
	return ""
}

// foreignView is the page of a study that a program keeps with Goptuna's API.
type foreignView struct {
	D       *service.StudyDetail
	A       *view.Answer
	Best    []service.Trial // the best one, if there is any
	Trials  []service.Trial
	Columns []string // the parameters of Trials
	Next    int      // number of the first trial of the next page, 0 on the last
	Formats []string
}

// foreignOf returns the page of a foreign study with its best trial and some of its trials.
func foreignOf(d *service.StudyDetail, best, trials []service.Trial) *foreignView {
	v := &foreignView{D: d, A: view.AnswerOf(d.Study), Best: best, Trials: trials, Formats: formats()}
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

package web

import (
	"fmt"
	"html/template"
	"maps"
	"math"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"sakusen/tuner"
	"sakusen/tuner/numeral"
	"sakusen/tuner/service"
	"sakusen/tuner/service/daemon"
	"sakusen/tuner/store"
	"sakusen/tuner/view"
	"sakusen/tuner/web/chart"
)

// studyList is the list of studies.
type studyList struct {
	F         store.Filter
	Rows      []studyLine
	Chips     []chip
	All       int // found in every outcome
	GameNames []string
	Scale     string // of the drawn intervals
	Found     int    // of the outcome that is shown
	Mistake   string // in what was to be done with some of them
}

// studyLine is a study of a list with what it found, in words.
type studyLine struct {
	S        service.Study
	A        *view.Answer
	Found    string // the answer's parameters, or what goes on
	Why      string // what somebody is needed for
	Gain     string // what was validated, or what the search thinks by now
	Interval string // of it, or that nothing is proved
	Mini     template.HTML
	Tags     []string // words of its note with # before them
}

// chip is an outcome with how many studies came to it.
type chip struct {
	Key, Name string
	Count     int
}

// outcomeNames are the outcomes in words.
var outcomeNames = map[string]string{"worse": "not better"}

// studyListOf returns the list of the studies that were found.
func studyListOf(f store.Filter, found *service.Found, turns service.Turns) *studyList {
	v := &studyList{F: f, GameNames: slices.Sorted(maps.Keys(found.Games))}
	for _, key := range store.Outcomes() {
		n := found.Outcomes[key]
		v.All += n
		if name := key; n > 0 || key == f.Outcome {
			if other := outcomeNames[key]; other != "" {
				name = other
			}
			v.Chips = append(v.Chips, chip{key, name, n})
		}
	}
	if v.Found = v.All; f.Outcome != "" {
		v.Found = found.Outcomes[f.Outcome]
	}
	low, high := scaleOf(found.Studies, -10, 10)
	for _, s := range found.Studies {
		row := studyLine{S: s, A: view.AnswerOf(s), Tags: tag.FindAllString(found.Notes[s.ID], mostTags)}
		if row.Gain = row.A.Big(); row.Gain != "" && s.State != "done" {
			row.Interval = "not proved"
			if s.About.Pooled { // among its own generation, which is no gain
				row.Gain, row.Interval = "", ""
			}
		}
		row.Found = inWords(s, row.A)
		if s.State == "queued" {
			row.Found = waits(turns, s)
		}
		if x, lo, hi, ok := gainOf(s); ok {
			v.Scale = scaleText(low, high)
			row.Mini = chart.Mini(x, lo, hi, low, high, row.A.Tone)
		}
		if i := row.A.Gain.Interval; i != nil && s.State == "done" {
			row.Interval = view.Typeset(i.Ends())
			if i.Level != "95" {
				row.Interval += " (" + i.Level + " %)"
			}
		}
		v.Rows = append(v.Rows, row)
	}
	return v
}

// waits says what a study waits for that is queued.
func waits(turns service.Turns, s service.Study) string {
	place := turns.Places[s.Study]
	if place == 0 {
		return "It begins when its turn comes."
	}
	text := "It is next in line"
	if place > 1 {
		text = fmt.Sprintf("%s in line", view.Ordinal(place))
		text = strings.ToUpper(text[:1]) + text[1:]
	}
	text += fmt.Sprintf(": %d run, at most %d at once.", turns.Running, turns.AtOnce)
	if s.Priority != 0 {
		text += fmt.Sprintf(" Its priority is %d.", s.Priority)
	}
	return text
}

// mostScale bounds the axis of a list's intervals, Elo; what lies beyond is an arrow.
const mostScale = 800

// scaleText names the ends of an axis.
func scaleText(low, high float64) string {
	return numeral.Signed(low, math.NaN()) + " to " + numeral.Signed(high, math.NaN()) + " Elo"
}

// scaleOf returns an axis that has room for the given ends and for what was gained.
func scaleOf(all []service.Study, low, high float64) (from, to float64) {
	for _, s := range all {
		if _, lo, hi, ok := gainOf(s); ok {
			low, high = min(low, lo), max(high, hi)
		}
	}
	unit := 10.0
	if high-low > 200 {
		unit = 50
	}
	return math.Floor(max(low, -mostScale)/unit) * unit, math.Ceil(min(high, mostScale)/unit) * unit
}

// gainOf returns the gain to quote in Elo with its interval.
func gainOf(s service.Study) (x, lo, hi float64, ok bool) {
	if s.State != "done" || s.About.Result == nil || s.About.Result.Validation == nil {
		return 0, 0, 0, false
	}
	_, elo, ci := s.About.Result.Validation.Quoted()
	if elo == nil {
		return 0, 0, 0, false
	}
	if ci == nil {
		return *elo, math.NaN(), math.NaN(), true
	}
	return *elo, ci[0], ci[1], true
}

// mostNamed is the number of parameters that a line of the list names.
const mostNamed = 4

// inWords returns what was found: parameters, or what goes on.
func inWords(s service.Study, a *view.Answer) string {
	r := s.About.Result
	if p := s.Progress; s.State == "running" && p != nil && p.Phase == "tune" && p.Params != "" {
		return "Best so far: " + named(paramsOf(p.Params))
	}
	if s.State != "done" || r == nil || r.Best == nil {
		return view.Typeset(a.Text)
	}
	text := named(r.Best.Params)
	switch {
	case s.About.Pooled:
		text = "Of its generations the strongest: " + text
	case s.About.Objective.Of == "pareto":
		text = "A point of the front: " + text
	case len(s.About.Objective.Limits) > 0:
		text += ", within its limits"
	}
	if r.Class == tuner.ClassRecorded {
		text += "; recorded games, which cannot be played again"
	}
	return text
}

// named returns the first few of some parameters.
func named(params map[string]string) string {
	names := slices.Sorted(maps.Keys(params))
	var parts []string
	for _, name := range names {
		if len(parts) == mostNamed {
			parts = append(parts, "and "+strconv.Itoa(len(names)-mostNamed)+" more")
			break
		}
		text := params[name]
		if x, err := strconv.ParseFloat(text, 64); err == nil && len(text) > 6 {
			text = strconv.FormatFloat(x, 'g', 3, 64)
		}
		parts = append(parts, name+" = "+numeral.Page(text))
	}
	return strings.Join(parts, ", ")
}

// paramsOf returns the parameters that a progress names.
func paramsOf(text string) map[string]string {
	out := map[string]string{}
	for _, part := range strings.Fields(strings.ReplaceAll(text, ",", " ")) {
		if name, value, ok := strings.Cut(part, "="); ok {
			out[name] = value
		}
	}
	return out
}

// mostTags is the number of tags of a study that a list shows.
const mostTags = 4

// tag matches the tags in a note.
var tag = regexp.MustCompile(`#[\pL\d_-]{1,40}`)

// heading is a column of the list by which one can sort.
type heading struct {
	Key, Name, Order string // Order is what assistive programs are told, empty where another is the one
	Class            string
}

// Headings returns the columns of the list behind the ticks.
func (v *studyList) Headings() []heading {
	out := []heading{{"name", "Question", "ascending", "q"}, {"state", "Verdict", "other", "v"}, {"gain", "Gain", "descending", "g"}, {"-", "95 %", "", "i"}, {"-", v.Scale, "", "m"}, {"-", "Found", "", "f"}, {"games", "Games", "descending", "s"}, {"ended", "Changed", "descending", "c"}}
	for i := range out {
		if out[i].Key != v.F.Sort {
			out[i].Order = ""
		}
	}
	return out
}

// Sorted returns the address of the list in another order, that of the heading that is in use:
// without one.
func (v *studyList) Sorted(by string) string {
	f := v.F
	if f.Skip = 0; f.Sort == by {
		by = ""
	}
	f.Sort = by
	return address(f)
}

// Away returns the address of the list of what was archived, or back.
func (v *studyList) Away() string {
	f := v.F
	f.Archived, f.Skip, f.Outcome = !f.Archived, 0, ""
	return address(f)
}

// Tagged returns the address of the list of a tag.
func (v *studyList) Tagged(tag string) string {
	return address(store.Filter{Text: tag, Archived: v.F.Archived})
}

// From and To are the numbers of the first and the last study of the page; Before and Next the
// studies before the pages beside it, Next 0 on the last.
func (v *studyList) From() int   { return min(v.Found, v.F.Skip+1) }
func (v *studyList) To() int     { return v.F.Skip + len(v.Rows) }
func (v *studyList) Before() int { return max(0, v.F.Skip-v.F.Limit) }
func (v *studyList) Next() int {
	if v.To() < v.Found && len(v.Rows) > 0 {
		return v.F.Skip + v.F.Limit
	}
	return 0
}

// Chip returns the address of the list of an outcome.
func (v *studyList) Chip(outcome string) string {
	f := v.F
	f.Outcome, f.Skip = outcome, 0
	return address(f)
}

// Page returns the address of the list behind so many studies.
func (v *studyList) Page(skip int) string {
	f := v.F
	f.Skip = skip
	return address(f)
}

func address(f store.Filter) string {
	return listAddress("/studies", map[string]string{"state": f.Outcome, "q": f.Text, "game": f.Game, "sort": f.Sort, "archived": map[bool]string{true: "yes"}[f.Archived]}, f.Skip)
}

// listAddress returns the address of a list at a path, with what is asked of it and how many
// of its lines are skipped.
func listAddress(path string, asked map[string]string, skip int) string {
	q := url.Values{}
	for key, text := range asked {
		if text != "" {
			q.Set(key, text)
		}
	}
	if skip > 0 {
		q.Set("skip", strconv.Itoa(skip))
	}
	if len(q) == 0 {
		return path
	}
	return path + "?" + q.Encode()
}

// listedStudies is the number of studies on a page.
const listedStudies = 50

// mostSkip bounds how far one can turn the pages.
const mostSkip = 1 << 30

// list lists the studies that are looked for.
func (s studyPages) list(r *http.Request) (any, error) {
	q := r.URL.Query()
	f := store.Filter{Outcome: q.Get("state"), Text: q.Get("q"), Game: q.Get("game"), Sort: q.Get("sort"), Limit: listedStudies, Archived: q.Get("archived") == "yes"}
	var err error
	if f.Skip, err = query(r, "skip", 0, 0, mostSkip); err != nil {
		return nil, err
	}
	if f.Outcome != "" && !slices.Contains(store.Outcomes(), f.Outcome) {
		return nil, problem(http.StatusBadRequest, fmt.Sprintf("state: expected %s, got %.40q", strings.Join(store.Outcomes(), ", "), f.Outcome))
	}
	if !store.Sorted(f.Sort) {
		return nil, problem(http.StatusBadRequest, fmt.Sprintf("sort: expected newest, ended, gain, games, state or name, got %.40q", f.Sort))
	}
	if len(f.Text) > 200 {
		return nil, problem(http.StatusBadRequest, "q: expected at most 200 bytes")
	}
	found, err := s.o.Service.Studies().Find(r.Context(), f)
	if err != nil {
		return nil, err
	}
	turns, err := s.o.Service.Studies().Turns(r.Context())
	if err != nil {
		return nil, err
	}
	return studyListOf(f, found, turns), nil
}

// mostTogether is the most studies with which something is done at once.
const mostTogether = 1000

// together pauses, resumes or stops the ticked studies, or puts them away or back. What cannot be
// done with one is said above the list; with the others it is done.
func (s studyPages) together(r *http.Request) (any, error) {
	if err := r.ParseForm(); err != nil {
		return nil, service.New(service.Invalid, "the form cannot be read")
	}
	studies, queue, do := s.o.Service.Studies(), s.o.Service.Queue(), r.PostForm.Get("do")
	act, ok := map[string]func(string) error{
		"pause":   func(n string) error { _, err := queue.Pause(r.Context(), daemon.StudyKey(n)); return err },
		"resume":  func(n string) error { _, err := queue.Resume(r.Context(), daemon.StudyKey(n)); return err },
		"stop":    func(n string) error { _, err := queue.Stop(r.Context(), daemon.StudyKey(n)); return err },
		"archive": func(n string) error { return studies.Archive(r.Context(), n, true) },
		"restore": func(n string) error { return studies.Archive(r.Context(), n, false) },
	}[do]
	names := r.PostForm["s"]
	if !ok || len(names) == 0 || len(names) > mostTogether {
		return nil, service.New(service.Invalid, fmt.Sprintf("expected pause, resume, stop, archive or restore and 1 to %d ticked studies, got %.40q and %d", mostTogether, do, len(names)))
	}
	var wrong []string
	for _, n := range names {
		if err := act(n); err != nil {
			p, told := asProblem(err)
			if !told {
				return nil, err
			}
			wrong = append(wrong, p.Text)
		}
	}
	if len(wrong) == 0 {
		return redirect("/studies" + map[bool]string{true: "?archived=yes"}[do == "restore"]), nil
	}
	v, err := s.list(r)
	if list, ok := v.(*studyList); ok {
		if len(wrong) > 5 {
			wrong = append(wrong[:5], fmt.Sprintf("and %d more", len(wrong)-5))
		}
		list.Mistake = strings.Join(wrong, "; ")
		return instead{status: http.StatusConflict, data: list}, nil
	}
	return nil, err
}

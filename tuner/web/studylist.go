package web

import (
	"fmt"
	"html/template"
	"maps"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"sakusen/tuner"
	"sakusen/tuner/numeral"
	"sakusen/tuner/service"
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
	Next      int    // studies before the next page, 0 on the last
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
	if len(found.Studies) == f.Limit {
		v.Next = f.Skip + f.Limit
	}
	low, high := scaleOf(found.Studies, -10, 10)
	for _, s := range found.Studies {
		row := studyLine{S: s, A: view.AnswerOf(s)}
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

// Sorts returns the ways to sort.
func (*studyList) Sorts() []chip {
	return []chip{{Key: "newest", Name: "newest first"}, {Key: "ended", Name: "last changed"}, {Key: "gain", Name: "largest gain"}, {Key: "name", Name: "name"}}
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
	return listAddress("/studies", map[string]string{"state": f.Outcome, "q": f.Text, "game": f.Game, "sort": f.Sort}, f.Skip)
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
	f := store.Filter{Outcome: q.Get("state"), Text: q.Get("q"), Game: q.Get("game"), Sort: q.Get("sort"), Limit: listedStudies}
	var err error
	if f.Skip, err = query(r, "skip", 0, 0, mostSkip); err != nil {
		return nil, err
	}
	if f.Outcome != "" && !slices.Contains(store.Outcomes(), f.Outcome) {
		return nil, problem(http.StatusBadRequest, fmt.Sprintf("state: expected %s, got %.40q", strings.Join(store.Outcomes(), ", "), f.Outcome))
	}
	if !store.Sorted(f.Sort) {
		return nil, problem(http.StatusBadRequest, fmt.Sprintf("sort: expected newest, ended, gain or name, got %.40q", f.Sort))
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

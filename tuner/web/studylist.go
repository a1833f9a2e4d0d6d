package web

import (
	"cmp"
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

// list is a list of studies, tournaments, tests or runs as its page shows it, a line each.
type list struct {
	*listKind
	F         store.Filter
	Rows      []listRow
	Chips     []chip
	All       int      // found in every outcome
	Found     int      // of the outcome that is shown
	Any       bool     // there is something of this kind at all
	GameNames []string // of studies
	Scale     string   // of the drawn intervals
	Mistake   string   // in what was to be done with some of them
	Lacking   string   // said where nothing is ticked
}

// listKind is a kind of work that has a list.
type listKind struct {
	Title, Noun, Home string
	New               string // the page that makes one, empty for none
	Act               string // where it is said what is to be done with those that are ticked
	Compared          bool   // they can stand beside each other
	columns           []heading
	outcomes          []string
	sorted            func(by string) bool
}

// heading is a column of a list, by which one can sort unless its key is "-".
type heading struct {
	Key, Name, Order string // Order is what assistive programs are told, empty where another is the one
	Class            string // q, v, g, i, m, f, s or c: what it shows of a line
}

// lists are the kinds of work that have a list.
var lists = struct{ studies, tournaments, tests, runs listKind }{
	listKind{"Studies", "study", "/studies", "/new", "/studies", true, []heading{{"name", "Question", "ascending", "q"},
		{"state", "Verdict", "other", "v"}, {"gain", "Gain", "descending", "g"}, {"-", "95 %", "", "i"}, {"-", "", "", "m"}, {"-", "Found", "", "f"},
		{"games", "Games", "descending", "s"}, {"ended", "Changed", "descending", "c"}}, store.Outcomes(), store.Sorted},
	listKind{"Tournaments", "tournament", "/tournaments", "/new/tournament", "/tournaments", false, jobColumns("Tournament"), store.JobOutcomes(), store.JobsSorted},
	listKind{"Tests of patches", "test", "/tests", "/new/test", "/tests", false, jobColumns("Test"), append(store.JobOutcomes(), "passed", "not passed", "undecided"), store.JobsSorted},
	listKind{"Runs", "run", "/experiments", "", "/experiments/runs", false, jobColumns("Run"), store.JobOutcomes(), store.JobsSorted},
}

// jobColumns returns the columns of a list of jobs.
func jobColumns(title string) []heading {
	return []heading{{"name", title, "ascending", "q"}, {"state", "State", "other", "v"}, {"-", "Found", "", "f"}, {"games", "Games", "descending", "s"}, {"ended", "Changed", "descending", "c"}}
}

// listRow is a line of a list, in words.
type listRow struct {
	Key, At     string // what a tick sends, and the page
	ID          string // of the line
	Head, Below string
	Tags        []string // words of its note with # before them
	Tone, Sign  string
	Word, State string
	Gain        string // what was validated, or what the search thinks by now
	Interval    string // of it, or that nothing is proved
	Mini        template.HTML
	Found       string // the answer's parameters, or what goes on
	Share       int    // of what is to be played, percent; -1 where there is nothing left to play
	Games, Far  string
	Changed     any
}

// studyLine is a study of the front page with what it found, in words.
type studyLine struct {
	S     service.Study
	A     *view.Answer
	Found string // the answer's parameters, or what goes on
	Why   string // why a person is needed
	Mini  template.HTML
}

// chip is an outcome with how many came to it.
type chip struct {
	Key, Name string
	Count     int
}

// outcomeNames are the outcomes in words, where those are others.
var outcomeNames = map[string]string{"failed": "failed with an error", "in doubt": "passed, in doubt", "not passed": "failed"}

// listOf returns a list of a kind without its lines.
func listOf(kind *listKind, f store.Filter, outcomes map[string]int) *list {
	v := &list{listKind: kind, F: f}
	for _, key := range kind.outcomes {
		n := outcomes[key]
		v.All += n
		if n > 0 || key == f.Outcome {
			v.Chips = append(v.Chips, chip{key, cmp.Or(outcomeNames[key], key), n})
		}
	}
	if v.Found = v.All; f.Outcome != "" {
		v.Found = outcomes[f.Outcome]
	}
	v.Any = v.All > 0 || f.Text != "" || f.Game != "" || f.Archived
	return v
}

// studyListOf returns the list of the studies that were found.
func studyListOf(f store.Filter, found *service.Found, turns service.Turns) *list {
	v := listOf(&lists.studies, f, found.Outcomes)
	v.GameNames = slices.Sorted(maps.Keys(found.Games))
	v.Any = v.Any || len(v.GameNames) > 0
	low, high := scaleOf(found.Studies, -10, 10)
	for _, s := range found.Studies {
		a := view.AnswerOf(s)
		row := listRow{Key: s.Study, At: "/studies/" + url.PathEscape(s.Study), ID: "study-" + s.Study, Head: cmp.Or(s.About.Doc, s.Study), Below: s.Game + ", " + s.Strategy,
			Tags: tag.FindAllString(found.Notes[s.ID], mostTags), Tone: a.Tone, Sign: a.Sign, Word: a.Word, State: s.State, Gain: a.Big(), Found: inWords(s, a),
			Share: -1, Games: numeral.Count(s.Games), Changed: s.Updated}
		if s.Foreign {
			row.Key, row.Below, row.Games = "", "a Goptuna study", numeral.Counted(int64(s.Trials), "trial")
		} else if s.State != "done" {
			row.Share, row.Games, row.Far = view.Share(&s), view.Left(&s), view.Far(&s)
		}
		if s.About.Doc != "" {
			row.Below = s.Study + " · " + row.Below
		}
		if row.Gain != "" && s.State != "done" {
			row.Interval = "not proved"
			if s.About.Pooled { // among its own generation, which is no gain
				row.Gain, row.Interval = "", ""
			}
		}
		if s.State == "queued" {
			row.Found = waits(turns, s)
		}
		if x, lo, hi, ok := gainOf(s); ok {
			v.Scale = scaleText(low, high)
			row.Mini = chart.Mini(x, lo, hi, low, high, a.Tone)
		}
		if i := a.Gain.Interval; i != nil && s.State == "done" {
			row.Interval = view.Typeset(i.Ends())
			if i.Level != "95" {
				row.Interval += " (" + i.Level + " %)"
			}
		}
		v.Rows = append(v.Rows, row)
	}
	return v
}

// waits returns what a study waits for that is queued.
func waits(turns service.Turns, s service.Study) string {
	place := turns.Places[s.Study]
	if place == 0 {
		return view.AnswerOf(s).Text
	}
	text := "It is next in line"
	if place > 1 {
		text = "It is " + view.Ordinal(place) + " in line"
	}
	text += fmt.Sprintf(": %d running, at most %d at once.", turns.Running, turns.AtOnce)
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

// gainOf returns the gain in Elo that answers what a study asks, with its interval.
func gainOf(s service.Study) (x, lo, hi float64, ok bool) {
	if r := s.About.Result; s.State == "done" && r != nil && r.Validation != nil {
		if elo, ci := r.Validation.Asked(&s.About.Objective); elo != nil && ci != nil {
			return *elo, ci[0], ci[1], true
		} else if elo != nil {
			return *elo, math.NaN(), math.NaN(), true
		}
	}
	return 0, 0, 0, false
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
		text = "The strongest of its generations: " + text
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
	for part := range strings.FieldsSeq(strings.ReplaceAll(text, ",", " ")) {
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

// Headings returns the columns of the list behind the ticks.
func (v *list) Headings() []heading {
	out := slices.DeleteFunc(slices.Clone(v.columns), func(h heading) bool { return h.Class == "m" && v.Scale == "" }) // nothing is drawn
	for i := range out {
		if out[i].Class == "m" {
			out[i].Name = v.Scale
		}
		if v.F.Sort == "-"+out[i].Key {
			out[i].Order = map[string]string{"ascending": "descending", "descending": "ascending"}[out[i].Order]
		} else if out[i].Key != v.F.Sort {
			out[i].Order = ""
		}
	}
	return out
}

// Sorted returns the address of the list in another order, of the one in use in the contrary.
func (v *list) Sorted(by string) string {
	f := v.F
	f.Skip, f.Sort = 0, map[bool]string{true: "-"}[f.Sort == by]+by
	return v.address(f)
}

// Away returns the address of the list of what was archived, or back.
func (v *list) Away() string {
	f := v.F
	f.Archived, f.Skip, f.Outcome = !f.Archived, 0, ""
	return v.address(f)
}

// Tagged returns the address of the list of a tag.
func (v *list) Tagged(tag string) string {
	return v.address(store.Filter{Text: tag, Archived: v.F.Archived})
}

// From and To are the numbers of the first and the last study of the page; Before and Next the
// studies before the pages beside it, Next 0 on the last.
func (v *list) From() int   { return min(v.Found, v.F.Skip+1) }
func (v *list) To() int     { return v.F.Skip + len(v.Rows) }
func (v *list) Before() int { return max(0, v.F.Skip-v.F.Limit) }
func (v *list) Next() int {
	if v.To() < v.Found && len(v.Rows) > 0 {
		return v.F.Skip + v.F.Limit
	}
	return 0
}

// Chip returns the address of the list of an outcome.
func (v *list) Chip(outcome string) string {
	f := v.F
	f.Outcome, f.Skip = outcome, 0
	return v.address(f)
}

// Page returns the address of the list behind so many studies.
func (v *list) Page(skip int) string {
	f := v.F
	f.Skip = skip
	return v.address(f)
}

func (v *list) address(f store.Filter) string {
	return listAddress(v.Home, map[string]string{"state": f.Outcome, "q": f.Text, "game": f.Game, "sort": f.Sort, "archived": map[bool]string{true: "yes"}[f.Archived]}, f.Skip)
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
	return strings.TrimSuffix(path+"?"+q.Encode(), "?")
}

// listedStudies is the number of lines on a page.
const listedStudies = 50

// mostSkip bounds how far one can turn the pages.
const mostSkip = 1 << 30

// filter reads what a list is asked for.
func (k *listKind) filter(r *http.Request) (store.Filter, error) {
	q := r.URL.Query()
	f := store.Filter{Outcome: q.Get("state"), Text: q.Get("q"), Game: q.Get("game"), Sort: q.Get("sort"), Limit: listedStudies, Archived: q.Get("archived") == "yes"}
	var err error
	f.Skip, err = query(r, "skip", 0, 0, mostSkip)
	switch {
	case err != nil:
	case f.Outcome != "" && !slices.Contains(k.outcomes, f.Outcome):
		err = problem(http.StatusBadRequest, fmt.Sprintf("state: expected %s, got %.40q", strings.Join(k.outcomes, ", "), f.Outcome))
	case !k.sorted(f.Sort):
		err = problem(http.StatusBadRequest, fmt.Sprintf("sort: expected newest, ended, games, state, name or, of studies, gain, got %.40q", f.Sort))
	case len(f.Text) > 200:
		err = problem(http.StatusBadRequest, "q: expected at most 200 bytes")
	}
	return f, err
}

// list lists the studies that are looked for.
func (s studyPages) list(r *http.Request) (any, error) { return s.found(r) }
func (s studyPages) found(r *http.Request) (*list, error) {
	f, err := lists.studies.filter(r)
	if err != nil {
		return nil, err
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

// mostTogether is the most studies or jobs with which something is done at once.
const mostTogether = 1000

// each has the actions on ticked rows, by the form's words.
type each map[string]func(ticked string) error

// held returns what the queue can do with keys, and what puts away or back.
func (s *Server) held(r *http.Request, key func(string) daemon.Key, archive func(ticked string, away bool) error) each {
	q := s.o.Service.Queue()
	act := func(do hold) func(string) error {
		return func(one string) error { _, err := do(q, r.Context(), key(one)); return err }
	}
	return each{"pause": act(service.Queue.Pause), "resume": act(service.Queue.Resume), "stop": act(service.Queue.Stop),
		"archive": func(one string) error { return archive(one, true) }, "restore": func(one string) error { return archive(one, false) }}
}

// together runs an action on all ticked rows. A failure with one is shown above the list;
// with the others it is done.
func (do each) together(r *http.Request, kind *listKind, again func(*http.Request) (*list, error)) (any, error) {
	if err := r.ParseForm(); err != nil {
		return nil, service.New(service.Invalid, "the form cannot be read")
	}
	act, ok := do[r.PostForm.Get("do")]
	ticked := r.PostForm["s"]
	if !ok || len(ticked) > mostTogether {
		return nil, service.New(service.Invalid, fmt.Sprintf("expected pause, resume, stop, archive or restore, and 1 to %d ticked rows, got %.40q and %d", mostTogether, r.PostForm.Get("do"), len(ticked)))
	}
	var wrong []string
	for _, one := range ticked {
		if err := act(one); err != nil {
			p, told := asProblem(err)
			if !told {
				return nil, err
			}
			wrong = append(wrong, p.Text)
		}
	}
	if len(wrong) == 0 && len(ticked) > 0 {
		return redirect(strings.TrimSuffix(kind.Home+"?"+r.URL.RawQuery, "?")), nil
	}
	v, err := again(r)
	if err != nil {
		return nil, err
	}
	if len(wrong) > 5 {
		wrong = append(wrong[:5], fmt.Sprintf("and %d more", len(wrong)-5))
	}
	if v.Mistake = strings.Join(wrong, "; "); len(ticked) == 0 {
		return v.lacks(kind.Noun, 1), nil
	}
	return instead{status: http.StatusConflict, data: v}, nil
}

// lacks returns the list with a line that too few of its rows are ticked.
func (v *list) lacks(noun string, least int) instead {
	v.Lacking = fmt.Sprintf("Nothing was done: tick at least %s first.", numeral.Counted(int64(least), "row"))
	return instead{status: http.StatusBadRequest, template: map[string]string{"study": "studies"}[noun], data: v}
}

// Doing returns where it is said what is to be done with ticked rows, after which the list is shown again.
func (v *list) Doing() string { return v.Act + strings.TrimPrefix(v.address(v.F), v.Home) }

// together does something with the ticked studies.
func (s studyPages) together(r *http.Request) (any, error) {
	studies := s.o.Service.Studies()
	return s.held(r, daemon.StudyKey, func(n string, away bool) error { return studies.Archive(r.Context(), n, away) }).together(r, &lists.studies, s.found)
}

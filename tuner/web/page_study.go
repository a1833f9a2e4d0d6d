package web

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"sakusen/tuner/numeral"
	"sakusen/tuner/service"
	"sakusen/tuner/service/daemon"
	"sakusen/tuner/store"
	"sakusen/tuner/studyfile"
	"sakusen/tuner/view"
	"sakusen/tuner/web/api"
	"sakusen/tuner/web/chart"
)

// studyPages are the pages of studies.
type studyPages struct{ *Server }

// studyPage shows one study or, with part, one changing part of its page: its state, head,
// tabs, plots, trials or provenance.
func (s studyPages) studyPage(r *http.Request) (any, error) {
	if n := r.URL.Query().Get("trial"); n != "" { // typed into the table of trials
		return redirect("/studies/" + url.PathEscape(r.PathValue("study")) + "/trials/" + url.PathEscape(strings.TrimSpace(n))), nil
	}
	v, err := s.studyView(r)
	if _, foreign := errors.AsType[*store.ForeignStudyError](err); foreign {
		return s.foreignPage(r)
	}
	if err != nil {
		return nil, err
	}
	shown := instead{part: r.URL.Query().Get("part"), data: v}
	if shown.part == "" && v.Refusal != "" {
		shown.status = http.StatusBadRequest
	}
	if shown.part == "plots" && r.URL.Query().Get("seen") == v.Shows && !v.Reading {
		shown.status = http.StatusNoContent // who asks has it
	}
	return shown, nil
}

// partOf returns the part of a study's page that is asked for, empty for the whole.
func partOf(r *http.Request) (string, error) {
	part := r.URL.Query().Get("part")
	switch part {
	case "", "state", "head", "tabs", "plots", "trials", "watching", "provenance":
		return part, nil
	}
	return "", service.New(service.Invalid, fmt.Sprintf("part: expected state, head, tabs, plots, trials, watching or provenance, got %.40q", part))
}

// studyView returns what the requested part of a study's page shows.
func (s studyPages) studyView(r *http.Request) (*studyView, error) {
	n, err := name(r)
	if err != nil {
		return nil, err
	}
	part, err := partOf(r)
	if err != nil {
		return nil, err
	}
	d, err := s.o.Service.Studies().Show(r.Context(), n)
	if err != nil {
		return nil, err
	}
	if d.Foreign {
		return nil, &store.ForeignStudyError{Study: n}
	}
	v := studyOf(d)
	if d.State == "queued" && !v.Spec.Elsewhere() {
		turns, err := s.o.Service.Studies().Turns(r.Context())
		if err != nil {
			return nil, err
		}
		v.A.Text = waits(turns, d.Study)
		v.A.Next = "With a higher priority it begins earlier: choose Reschedule."
	}
	q := r.URL.Query()
	if v.Tab, err = tabOf(q); err != nil {
		return nil, err
	}
	q.Del("part")
	q.Del("seen")
	v.Query = q.Encode()
	switch part {
	case "state", "tabs":
		return v, nil
	case "provenance":
		v.Text = indented(v.D.Spec)
		return v, nil
	}
	return v, s.addPlots(r, v, part)
}

// tabOf returns the tab that is open: the one that is asked for, or the one that has
// what is asked for.
func tabOf(q url.Values) (string, error) {
	tab := q.Get("tab")
	switch {
	case tab != "":
		if !slices.Contains(tabKeys(), tab) {
			return "", service.New(service.Invalid, fmt.Sprintf("tab: expected %s, got %.40q", strings.Join(tabKeys(), ", "), tab))
		}
		return tab, nil
	case q.Has("order") || q.Has("show") || q.Has("after"):
		return "trials", nil
	case q.Has("x") || q.Has("y"):
		return "parameters", nil
	}
	return "summary", nil
}

// addPlots adds the plots, the table and what the log says of the answer.
func (s studyPages) addPlots(r *http.Request, v *studyView, part string) error {
	q := r.URL.Query()
	want := chart.Wanted{Tab: v.Tab, X: q.Get("x"), Y: q.Get("y")}
	var err error
	if want.From, err = query(r, "from", 0, 0, mostKey); err != nil {
		return err
	}
	if want.To, err = query(r, "to", 0, 0, mostKey); err != nil {
		return err
	}
	if want.Only, err = numbersOf(q.Get("only")); err != nil {
		return err
	}
	in, err := api.V1.ListTrials.Decode(r)
	var order ranking
	if err == nil {
		order, err = orderOf(in)
	}
	if err != nil {
		if err = s.misread(v, r, part, err); err != nil {
			return err
		}
		order, _ = orderOf(&api.TrialsPage{})
	}
	c, err := s.studyLogs.of(r.Context(), v.D)
	if err == nil {
		err = s.studyLogs.read(r.Context(), c, v.D.Entries, logWait)
	}
	if err != nil {
		return err
	}
	c.mu.Lock()
	v.Evidence, v.Opponents = evidence(v.D.Result, v.Spec, c.log), opponents(v.D.Result)
	if v.D.State == "running" {
		v.Evidence = underway(v.D.Progress, v.Spec, c.log)
	}
	v.Excluded, v.Measured = excluded(c.log), c.log.Scale().Measured()
	v.Reading = c.log.Entries < v.D.Entries && c.busy != nil
	known := map[string]bool{"": true}
	for i := range c.log.Spec.Tune.Params {
		known[c.log.Spec.Tune.Params[i].Name] = true
	}
	c.mu.Unlock()
	if !known[want.X] || !known[want.Y] {
		return service.New(service.Invalid, "x and y: expected parameters that the study tunes")
	}
	if part == "plots" || part == "" && (v.Tab == "summary" || v.Tab == "race" || v.Tab == "parameters") {
		d, err := s.studyLogs.draw(c, v.D, want)
		if err != nil {
			return err
		}
		v.Plots, v.Shows = d.html, d.version
	}
	if p := v.D.Progress; (part == "" || part == "head") && v.D.State == "running" && p != nil && p.Incumbent == nil {
		d, err := s.studyLogs.draw(c, v.D, chart.Wanted{Tab: "summary"})
		if err != nil {
			return err
		}
		if t := d.sofar; t != nil && p.Phase == "tune" {
			v.thinks(t)
			c.mu.Lock()
			v.Evidence = underway(p, v.Spec, c.log)
			c.mu.Unlock()
		}
	}
	if part == "trials" || part == "" && v.Tab == "trials" {
		v.Live = order.After < 0
		v.Table, err = s.studyLogs.table(r.Context(), c, order)
	}
	if v.Tab == "spec" {
		v.Text = indented(v.D.Spec)
	}
	if v.Tab == "games" && (part == "" || part == "watching") && err == nil {
		err = filmAPI(s).answerGames(r, v)
	}
	if b := v.D.Best; err == nil && b != nil && v.D.Result == nil && v.Changes == nil {
		var best []service.Trial
		if best, err = s.o.Service.Studies().Logs.TrialsAt(r.Context(), v.D.Study.Study, []int{b.Trial}); err == nil && len(best) == 1 {
			v.Changes, v.Same = view.Changes(v.Spec, best[0].Params)
		}
	}
	return err
}

// mostOnly is the length up to which trials are named in an address.
const mostOnly = 16000

// numbersOf reads the trials that alone are to be drawn, with commas between, nil for all.
func numbersOf(text string) (map[int]bool, error) {
	if text == "" {
		return nil, nil
	}
	out := map[int]bool{}
	for one := range strings.SplitSeq(text, ",") {
		n, err := strconv.Atoi(one)
		if err != nil || n < 0 || len(text) > mostOnly {
			return nil, service.New(service.Invalid, fmt.Sprintf("only: expected numbers of trials with commas between, at most %d bytes, got %.40q", mostOnly, text))
		}
		out[n] = true
	}
	return out, nil
}

// refuse shows a study's page again with what was wrong with one of its forms, which has
// what was typed. What is no mistake of the form is left to the caller.
func (s studyPages) refuse(r *http.Request, err error) (any, error) {
	p, ok := asProblem(err)
	if !ok || p.Status != http.StatusBadRequest && p.Status != http.StatusConflict {
		return nil, err
	}
	v, failed := s.studyView(r)
	if failed != nil {
		return nil, err
	}
	v.Refuse(p.Text, r.Form)
	return instead{status: p.Status, template: "study", data: v}, nil
}

// misread returns the page with a note that a part of its address is invalid, and with what
// was typed.
func (s studyPages) misread(v *studyView, r *http.Request, part string, err error) error {
	p, ok := asProblem(err)
	if !ok || part != "" {
		return err
	}
	v.Refuse(p.Text, r.URL.Query())
	return nil
}

// trial returns what the page of a trial shows.
func (s studyPages) trial(r *http.Request) (*trialView, error) {
	n, err := name(r)
	if err != nil {
		return nil, err
	}
	number, err := strconv.Atoi(r.PathValue("number"))
	if err != nil || number < 0 || number > mostKey {
		return nil, service.New(service.NotFound, fmt.Sprintf("no trial %.40q", r.PathValue("number")))
	}
	d, c, err := s.whole(r.Context(), n)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	count := len(c.log.Trials)
	c.mu.Unlock()
	if number >= count {
		return nil, service.New(service.NotFound, fmt.Sprintf("there is no trial %d: the study has %d, numbered from 0", number, count))
	}
	rows, params, err := s.studyLogs.rows(r.Context(), c, []int{number})
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return trialOf(d, c.log, rows[0], params[0]), nil
}

// listedTrials is the number of trials on a page of a foreign study.
const listedTrials = 100

// foreignPage shows a study that a program keeps with Goptuna's API.
func (s studyPages) foreignPage(r *http.Request) (any, error) {
	n, err := name(r)
	if err != nil {
		return nil, err
	}
	from, err := query(r, "from", 0, 0, mostKey)
	if err != nil {
		return nil, err
	}
	studies := s.o.Service.Studies()
	d, err := studies.Show(r.Context(), n)
	if err != nil {
		return nil, err
	}
	var best []service.Trial
	trials, err := studies.Logs.Trials(r.Context(), n, from, listedTrials)
	if err == nil && d.Best != nil {
		best, err = studies.Logs.TrialsAt(r.Context(), n, []int{d.Best.Trial})
	}
	return instead{template: "foreign", data: foreignOf(d, best, trials)}, err
}

// provePage returns what proving a study's answer further takes and costs.
func (s studyPages) provePage(r *http.Request) (any, error) {
	return s.further(r, r.URL.Query().Get("blocks"))
}

// further shows the page for a number of blocks as it was typed, empty for the usual one.
// What is wrong with it is said on the page; a study whose answer cannot be proved further
// says so on its own.
func (s studyPages) further(r *http.Request, typed string) (any, error) {
	n, err := name(r)
	if err != nil {
		return nil, err
	}
	blocks, mistake := wholeNumber("blocks", typed)
	p, err := s.o.Service.Studies().Files.Prove(r.Context(), n, blocks, true)
	if err != nil && mistake != "" {
		err = service.New(service.Invalid, mistake)
	}
	if err != nil {
		return s.refuse(r, err)
	}
	v := struct {
		Study   string
		P       *service.FurtherProof
		Lines   []string
		Often   string
		Seen    string
		Typed   string
		Refusal string
	}{Study: n, P: p, Lines: p.Forecast.Sentences(), Typed: strconv.FormatInt(p.Blocks, 10)}
	if p.Chance != nil {
		v.Seen = numeral.Page(numeral.Elo(*p.Seen))
		v.Often = strconv.Itoa(int(math.Round(100 * *p.Chance)))
	}
	status := http.StatusOK
	if mistake != "" {
		status, v.Typed, v.Refusal = http.StatusBadRequest, typed, mistake
	}
	return instead{status: status, template: "prove", data: v}, nil
}

// proveFurther queues the proof and shows it.
func (s studyPages) proveFurther(r *http.Request) (any, error) {
	n, err := name(r)
	if err != nil {
		return nil, err
	}
	typed := r.PostFormValue("blocks")
	blocks, mistake := wholeNumber("blocks", typed)
	if blocks == 0 || mistake != "" {
		return s.further(r, cmp.Or(typed, "none"))
	}
	p, err := s.o.Service.Studies().Files.Prove(r.Context(), n, blocks, false)
	if err != nil {
		return s.refuse(r, err)
	}
	return redirect("/studies/" + p.Study), nil
}

// actPage runs an action on a study and shows its page again.
func (s studyPages) actPage(do func(r *http.Request, studies *service.Studies, study string) error) load {
	return func(r *http.Request) (any, error) {
		n, err := name(r)
		if err == nil {
			err = do(r, s.o.Service.Studies(), n)
		}
		if err != nil {
			return s.refuse(r, err)
		}
		return redirect("/studies/" + n), nil
	}
}

// holdPage does what actPage does, for a change of a study's state, which the page reads itself.
func (s studyPages) holdPage(do hold) load {
	return s.actPage(func(r *http.Request, _ *service.Studies, study string) error {
		_, err := do(s.o.Service.Queue(), r.Context(), daemon.StudyKey(study))
		return err
	})
}

// prioritise sets how urgent a study is.
func (s studyPages) prioritise(r *http.Request, _ *service.Studies, study string) error {
	var wrong []string
	priority := formPriority(r, &wrong)
	if len(wrong) > 0 {
		return service.New(service.Invalid, wrong[0])
	}
	return s.o.Service.Queue().Prioritise(r.Context(), daemon.StudyKey(study), priority)
}

// extend raises the budget of a study that is not running.
func extend(r *http.Request, studies *service.Studies, study string) error {
	var wrong []string
	games, trials := formNumber(r, "games", &wrong), formNumber(r, "trials", &wrong)
	if len(wrong) > 0 {
		return service.New(service.Invalid, strings.Join(wrong, "; "))
	}
	return studies.Extend(r.Context(), study, games, int(min(trials, math.MaxInt32)))
}

// tryPoint adds a typed point to a study's next batch.
func tryPoint(r *http.Request, studies *service.Studies, study string) error {
	_, err := studies.Try(r.Context(), study, studyfile.ParsePoint(r.PostFormValue("point")))
	return err
}

// setNote stores a user's note on a study.
func setNote(r *http.Request, studies *service.Studies, study string) error {
	return studies.SetNote(r.Context(), study, r.PostFormValue("note"))
}

// deletePage deletes a study and shows those that are left.
func (s studyPages) deletePage(r *http.Request) (any, error) {
	n, err := name(r)
	if err == nil {
		err = s.o.Service.Queue().Delete(r.Context(), daemon.StudyKey(n))
	}
	return redirect("/studies"), err
}

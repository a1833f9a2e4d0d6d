package web

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"sakusen/engines/param"
	"sakusen/tuner/contest"
	"sakusen/tuner/service"
	"sakusen/tuner/service/daemon"
	"sakusen/tuner/studyfile"
	"sakusen/tuner/web/api"
)

// studyForms are the forms that make a study.
type studyForms struct{ *Server }

// newForm reads the form, or its defaults.
func (s studyForms) newForm(r *http.Request) (*newStudy, error) {
	if err := r.ParseForm(); err != nil {
		return nil, service.New(service.Invalid, "the form cannot be read")
	}
	v := &newStudy{Form: r.Form}
	games, err := s.o.Service.Games()
	if err != nil || len(games) == 0 {
		return v, err
	}
	game := &games[0]
	for i := range games {
		v.Games = append(v.Games, games[i].Name)
		if games[i].Name == r.Form.Get("game") {
			game = &games[i]
		}
	}
	v.Game, v.Samplers = *game, s.o.Service.Samplers()
	v.Strategies, err = s.o.Service.Strategies(game.Name)
	at := slices.IndexFunc(v.Strategies, func(x service.StrategyInfo) bool { return x.Name == r.Form.Get("strategy") })
	if at < 0 { // the one with the most to tune
		at = 0
		for i := range v.Strategies {
			if tunable(&v.Strategies[i]) > tunable(&v.Strategies[at]) {
				at = i
			}
		}
	}
	if at < len(v.Strategies) {
		v.Strategy = v.Strategies[at]
	}
	v.Changed = r.Form.Has("show") || r.Form.Has("shown") && r.Form.Get("shown") != v.Shown()
	if take := r.Form.Get("take"); take != "" { // of the free names
		r.Form.Set("name", take)
	}
	if name := v.typed("name"); name == "" || v.Changed && proposed(name, r.Form.Get("shown")) {
		r.Form.Set("name", strings.Join(s.free(r, proposal(v.Shown()), 1), ""))
	}
	return v, err
}

// tunable returns the number of a strategy's parameters that are worth tuning; 0 for a
// strategy that plays at random.
func tunable(x *service.StrategyInfo) (n int) {
	if x.Name == "random" {
		return 0
	}
	for _, p := range x.Params {
		if p.Tuned {
			n++
		}
	}
	return n
}

// newPage shows the form.
func (s studyForms) newPage(r *http.Request) (any, error) { return s.newForm(r) }

// checkNew returns what is wrong with the form as it stands.
func (s studyForms) checkNew(r *http.Request) (any, error) {
	v, err := s.forecastNew(r)
	return instead{part: "check", data: v}, err
}

// forecastNew shows the form again with what is wrong with it or, where nothing is,
// what it would take.
func (s studyForms) forecastNew(r *http.Request) (any, error) {
	v, err := s.newForm(r)
	if err == nil && !v.Changed {
		err = s.try(r, v, true)
	}
	return v, err
}

// createNew queues the study of the form, or shows what is wrong with it.
func (s studyForms) createNew(r *http.Request) (any, error) {
	v, err := s.newForm(r)
	if err == nil && !v.Changed {
		err = s.try(r, v, false)
	}
	switch {
	case err != nil || v.Changed: // the fields of this game have not been seen yet
		return v, err
	case len(v.Errors) > 0:
		return mistaken(v), nil
	}
	return redirect("/studies/" + v.Form.Get("name")), nil
}

// try checks or queues the form's study. Mistakes are shown in the form.
func (s studyForms) try(r *http.Request, v *newStudy, check bool) error {
	var err error
	if v.YAML, err = v.File(); err != nil {
		return err
	}
	if v.Check = check; v.unused() {
		return nil
	}
	given := service.Submission{Spec: v.YAML, Name: "form.yaml", Check: check}
	if given.Priority, err = daemon.ParsePriority(v.Form.Get("priority")); err != nil {
		v.Wrong("priority: " + err.Error())
		return nil
	}
	_, err = s.o.Service.Studies().Files.Submit(r.Context(), given)
	if err == nil && check {
		v.Forecast = s.forecastOf(r, given)
	}
	wrong, err := mistakes(err)
	for _, text := range wrong {
		if strings.Contains(text, "exists with another spec") {
			free := s.free(r, v.typed("name"), 3)
			v.Errors = append(v.Errors, mistake{Field: "name", Text: "this name is taken; free: " + strings.Join(free, ", "), Free: free})
		} else {
			v.Wrong(text)
		}
	}
	return err
}

// proposal returns the name that the form proposes for a study of a game and a strategy.
func proposal(shown string) string {
	return strings.Trim(notOfNames.ReplaceAllString(strings.ToLower(shown), "-"), "-._")
}

// notOfNames matches what no name of a study has.
var notOfNames = regexp.MustCompile(`[^a-z0-9._-]+`)

// proposed reports whether a name is one that the form proposes.
func proposed(name, shown string) bool {
	rest, ok := strings.CutPrefix(name, proposal(shown))
	return ok && strings.Trim(rest, "-0123456789") == ""
}

// free returns unused names for a study, similar to a given one: itself, then those with a number.
func (s studyForms) free(r *http.Request, name string, most int) (out []string) {
	stem := strings.TrimRight(name, "0123456789")
	if stem == name {
		stem += "-"
	}
	for i, next := 1, name; i < 1<<20 && len(out) < most; next = stem + strconv.Itoa(i) {
		if _, err := s.o.Service.Studies().Show(r.Context(), next); err != nil && service.ErrorOf(err).Code == service.NotFound {
			out = append(out, next)
		}
		if i++; i > 10 && len(out) == 0 { // all of these are taken
			i *= 2
		}
	}
	return out
}

// forecastOf returns the forecast of a study file without mistakes, in sentences; nothing
// where none can be made, and for those that may not have games played.
func (s studyForms) forecastOf(r *http.Request, given service.Submission) []string {
	if s.gate.role(r) < api.Submit {
		return nil
	}
	f, err := s.o.Service.Studies().Files.Forecast(r.Context(), given)
	if err != nil {
		return nil
	}
	return f.Sentences()
}

// fileForm is the form that submits a study, a tournament or a test as the text of its file, which
// may be written from a few fields.
type fileForm struct {
	Examples      []service.Example
	Example, File string
	From          string // the study that it is a copy of
	Form          url.Values
	Games         []string // from which one is chosen
	Players       []string // of that game
	Fields        bool     // the file is written from fields
	Path          string   // of the form
	Errors        []mistake
	Forecast      []string
}

// Good reports that the form was checked and has no mistake.
func (f *fileForm) Good() bool { return f.File != "" && len(f.Errors) == 0 }

// Value returns what a field holds.
func (f *fileForm) Value(name string) string { return strings.TrimSpace(f.Form.Get(name)) }

// Field returns a field as the form asks for it.
func (f *fileForm) Field(name string) formKey {
	return formKey{Field: name, Value: f.Value(name), Wrong: told(f.Errors, name)}
}

// Open reports whether something was typed, or is wrong, in one of some fields.
func (f *fileForm) Open(fields ...string) bool {
	return slices.ContainsFunc(fields, func(name string) bool { return f.Value(name) != "" || f.Field(name).Wrong != "" })
}

// wrong adds mistakes, in a form of fields each at its own.
func (f *fileForm) wrong(all ...string) {
	for _, text := range all {
		m := mistake{Text: text}
		if f.Fields {
			m = placed(text, fieldOfFile)
		}
		f.Errors = append(f.Errors, m)
	}
}

// fieldOfFile returns the form's field of a key of a test's or a tournament's file, empty where it has
// none.
func fieldOfFile(key string) string {
	for _, k := range []struct{ key, field string }{{"test.new", "new"}, {"test.base", "base"}, {"stages[0].limit", "short"}, {"stages[1].limit", "long"}, {"stages[0].max_games", "max_games"},
		{"stages[0]", "bounds"}, {"bounds", "bounds"}, {"entrants", "entrants"}, {"game", "game"}, {"name", "name"}, {"rules", "rules"}, {"blocks", "blocks"}, {"seed", "seed"}, {"priority", "priority"}, {"max_games", "max_games"}} {
		if strings.HasPrefix(key, k.key) {
			return k.field
		}
	}
	return ""
}

// fileForms are what such a form does.
type fileForms struct {
	*Server
	examples func() ([]service.Example, error)
	// submit queues what the form has, or only checks it, and returns its page.
	submit func(r *http.Request, f *fileForm, priority int, check bool) (at string, err error)
	write  func(r *http.Request, f *fileForm, wrong *[]string) // the file from fields; nil where it has none
	game   string                                              // that is chosen where none is
	filled url.Values                                          // what its fields begin with
	path   string
}

// studyFiles returns the form of studies.
func (s studyForms) studyFiles() fileForms {
	return fileForms{Server: s.Server, examples: s.o.Service.Studies().Files.Examples, submit: func(r *http.Request, f *fileForm, priority int, check bool) (string, error) {
		given := service.Submission{Spec: f.File, Name: "form.yaml", Priority: priority, Check: check}
		study, err := s.o.Service.Studies().Files.Submit(r.Context(), given)
		if err == nil && check && len(f.Errors) == 0 {
			f.Forecast = s.forecastOf(r, given)
		}
		return "/studies/" + study, err
	}, path: "/new/file"}
}

// tournamentFiles returns the form of tournaments.
func (s studyForms) tournamentFiles() fileForms {
	all := s.o.Service.Tournaments()
	return fileForms{s.Server, all.Examples, func(r *http.Request, f *fileForm, priority int, check bool) (string, error) {
		var wrong []string
		given := service.TournamentRequest{File: f.File, FileName: "form.yaml", Seed: formSeed(r, &wrong)}
		if !f.Fields { // which are in the file
			given.Blocks = formNumber(r, "blocks", &wrong)
		}
		f.wrong(wrong...)
		id, _, err := all.Submit(r.Context(), given, priority, check || len(f.Errors) > 0)
		if err == nil && check && len(f.Errors) == 0 {
			f.Forecast, err = all.Forecast(r.Context(), given, s.gate.role(r) >= api.Submit)
		}
		return "/tournaments/" + strconv.Itoa(id), err
	}, writeTournament, "", url.Values{"blocks": {"100"}}, "/new/tournament"}
}

// patchFiles returns the form of tests of patches.
func (s studyForms) patchFiles() fileForms {
	return fileForms{s.Server, func() ([]service.Example, error) { return nil, nil }, func(r *http.Request, f *fileForm, priority int, check bool) (string, error) {
		given := service.PatchRequest{File: f.File, FileName: "form.yaml"}
		id, _, err := s.o.Service.Patches().Submit(r.Context(), given, priority, check || len(f.Errors) > 0)
		if err == nil && check && len(f.Errors) == 0 {
			f.Forecast, err = s.o.Service.Patches().Forecast(r.Context(), given, s.gate.role(r) >= api.Submit)
		}
		return "/tests/" + strconv.Itoa(id), err
	}, writePatch, "chess", nil, "/new/test"}
}

// Choices returns the bounds that the form of a test offers.
func (f *fileForm) Choices() []string { return append(contest.PatchBounds(), "free") }

// writeTournament writes a tournament's file from the fields.
func writeTournament(_ *http.Request, f *fileForm, wrong *[]string) {
	e := studyfile.NewEdit()
	e.Set("name", cmp.Or(f.Value("name"), f.Value("game")+"-cup"))
	e.Set("game", f.Value("game"))
	e.Values("rules", f.rules(wrong))
	for i, one := range lines(f.Value("entrants")) {
		e.Set(fmt.Sprintf("entrants[%d]", i), one)
	}
	e.Set("blocks", strings.Join(strings.Fields(f.Value("blocks")), ""))
	f.File, _ = e.Text() // of plain texts, which are all written
}

// writePatch writes the file of a test of a patch from the fields. Without a base it is the player
// itself as it is now.
func writePatch(r *http.Request, f *fileForm, wrong *[]string) {
	itself, _, _ := strings.Cut(f.Value("new"), "(")
	asked := contest.PatchAsked{Name: f.Value("name"), Game: f.Value("game"), New: f.Value("new"), Base: cmp.Or(f.Value("base"), itself), Bounds: []string{f.Value("bounds")}, Seed: formSeed(r, wrong), Rules: f.rules(wrong), MaxGames: formNumber(r, "max_games", wrong)}
	for _, limit := range []string{cmp.Or(f.Value("short"), map[string]string{"chess": "clock:8+0.08"}[f.Value("game")]), f.Value("long")} {
		if limit != "" {
			asked.Limits = append(asked.Limits, limit)
		}
	}
	if f.Value("bounds") == "free" {
		asked.Bounds = []string{f.Value("elo0") + "," + f.Value("elo1")}
	}
	if book := f.Value("book"); book != "" {
		asked.Rules = append(asked.Rules, param.Value{Name: "book", Text: book})
	}
	var err error
	if f.File, err = asked.File(); err != nil {
		*wrong = append(*wrong, "bounds: "+err.Error())
	}
}

// rules returns those that were typed, NAME=VALUE each.
func (f *fileForm) rules(wrong *[]string) (out param.Values) {
	for rule := range strings.FieldsSeq(f.Value("rules")) {
		name, value, ok := strings.Cut(rule, "=")
		if !ok {
			*wrong = append(*wrong, fmt.Sprintf("rules: expected NAME=VALUE, got %.40q", rule))
		}
		out = append(out, param.Value{Name: name, Text: value})
	}
	return out
}

func (s fileForms) form(r *http.Request) (*fileForm, error) {
	if err := r.ParseForm(); err != nil {
		return nil, service.New(service.Invalid, "the form cannot be read")
	}
	examples, err := s.examples()
	f := &fileForm{Examples: examples, Example: r.Form.Get("example"), Form: r.Form, File: r.PostForm.Get("file"), Path: s.path, Fields: s.write != nil && !r.PostForm.Has("file") && !r.Form.Has("example")}
	if games, bad := s.o.Service.Games(); s.write != nil && bad == nil {
		for _, g := range games {
			f.Games = append(f.Games, g.Name)
		}
		if f.Value("game") == "" && f.Fields && len(f.Games) > 0 {
			f.Form.Set("game", f.Games[max(0, slices.Index(f.Games, s.game))])
		}
		if list, err := s.o.Service.Strategies(f.Value("game")); err == nil {
			for _, one := range list {
				f.Players = append(f.Players, one.Name)
			}
		}
	}
	return f, err
}

// shown returns the form, filled in with an example or with the file of a study that is run again.
func (s fileForms) shown(r *http.Request) (any, error) {
	f, err := s.form(r)
	if err != nil {
		return nil, err
	}
	for field, values := range s.filled {
		if f.Fields && !f.Form.Has(field) { // a file has its own
			f.Form[field] = values
		}
	}
	if f.From = r.URL.Query().Get("from"); f.From != "" {
		if !studyName.MatchString(f.From) {
			return nil, problem(http.StatusNotFound, "no study of that name")
		}
		f.File, err = s.o.Service.Studies().Files.Again(r.Context(), f.From)
		return f, err
	}
	for i, e := range f.Examples {
		if i == 0 || e.Name == r.Form.Get("example") {
			f.Example, f.File = e.Name, e.File
		}
	}
	return f, nil
}

// try checks or queues what the form has. Mistakes are shown in the form.
func (s fileForms) try(r *http.Request, check bool) (f *fileForm, at string, err error) {
	if f, err = s.form(r); err != nil {
		return nil, "", err
	}
	var wrong []string
	if f.Fields {
		s.write(r, f, &wrong)
	}
	priority := formPriority(r, &wrong)
	f.wrong(wrong...)
	at, err = s.submit(r, f, priority, check || len(f.Errors) > 0)
	said, err := mistakes(err)
	f.wrong(said...)
	return f, at, err
}

// checked returns what is wrong with the form as it stands.
func (s fileForms) checked(r *http.Request) (any, error) {
	f, _, err := s.try(r, true)
	return instead{part: "filecheck", data: f}, err
}

// edited shows the filled-in form as a file.
func (s fileForms) edited(r *http.Request) (any, error) {
	f, _, err := s.try(r, true)
	if err == nil {
		f.Fields = false
		f.Form.Del("blocks") // it is in the file
	}
	return f, err
}

// created queues what the form has, or shows what is wrong with it; where only a check is asked for, the
// forecast.
func (s fileForms) created(r *http.Request) (any, error) {
	check := r.PostFormValue("check") != ""
	f, at, err := s.try(r, check)
	if err != nil || check && len(f.Errors) == 0 {
		return f, err
	}
	if len(f.Errors) > 0 {
		return mistaken(f), nil
	}
	return redirect(at), nil
}

// editFile shows another page's filled-in form as a file.
func (s studyForms) editFile(r *http.Request) (any, error) {
	v, err := s.newForm(r)
	if err != nil {
		return nil, err
	}
	f, err := s.studyFiles().form(r)
	if err == nil {
		f.File, err = v.File()
	}
	return f, err
}

// mostNumber bounds the whole numbers of forms: no setting allows more.
const mostNumber = int64(1) << 40

// formNumber returns the whole number in a form's field, 0 where it is empty. Thousands may stand
// apart.
func formNumber(r *http.Request, name string, wrong *[]string) int64 {
	n, mistake := wholeNumber(name, r.PostFormValue(name))
	if mistake != "" {
		*wrong = append(*wrong, mistake)
	}
	return n
}

// wholeNumber reads a whole number as people type it, 0 where there is none.
func wholeNumber(name, typed string) (n int64, mistake string) {
	text := strings.Join(strings.Fields(typed), "")
	if text == "" {
		return 0, ""
	}
	n, err := strconv.ParseInt(text, 10, 64)
	switch {
	case err != nil || n < 1:
		return 0, fmt.Sprintf("%s: expected a whole number from 1 on, got %.40q", name, typed)
	case n > mostNumber:
		return 0, fmt.Sprintf("%s: expected at most %d", name, mostNumber)
	}
	return n, ""
}

// formSeed returns the seed of a form, nil where it is left to the file.
func formSeed(r *http.Request, wrong *[]string) *param.Seed {
	text := strings.TrimSpace(r.PostFormValue("seed"))
	if text == "" {
		return nil
	}
	seed, err := param.ParseSeed(text)
	if err != nil {
		*wrong = append(*wrong, "seed: "+err.Error())
	}
	return &seed
}

// formPriority returns the priority of what a form submits.
func formPriority(r *http.Request, wrong *[]string) int {
	n, err := daemon.ParsePriority(strings.TrimSpace(r.PostFormValue("priority")))
	if err != nil {
		*wrong = append(*wrong, "priority: "+err.Error())
	}
	return n
}

package web

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
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
		if !f.Fields && (i == 0 || e.Name == r.Form.Get("example")) {
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

package web

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"sakusen/engines/param"
	"sakusen/tuner/service"
	"sakusen/tuner/service/daemon"
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
	return v, err
}

// tunable returns the number of a strategy's parameters that are worth tuning, none of one that
// plays by chance alone.
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

// checkNew says what is wrong with the form as it stands.
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
	for i, text := range wrong {
		if strings.Contains(text, "exists with another spec") {
			wrong[i] = "name: this name is taken" + s.free(r, v.Form.Get("name"))
		}
	}
	v.Wrong(wrong...)
	return err
}

// free names the next names like one that is taken which are free.
func (s studyForms) free(r *http.Request, name string) string {
	stem := strings.TrimRight(name, "0123456789")
	if stem == name {
		stem += "-"
	}
	var out []string
	for i := 2; i < 100 && len(out) < 3; i++ {
		next := stem + strconv.Itoa(i)
		if _, err := s.o.Service.Studies().Show(r.Context(), next); err != nil && service.ErrorOf(err).Code == service.NotFound {
			out = append(out, next)
		}
	}
	if len(out) == 0 {
		return ""
	}
	return "; free: " + strings.Join(out, ", ")
}

// forecastOf is the forecast of a study file without mistakes, in sentences; nothing
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

// fileForm is the form that submits a study or a tournament as the text of its file.
type fileForm struct {
	Examples               []service.Example
	Example, File          string
	From                   string // the study that it is a copy of
	Blocks, Seed, Priority string // of a tournament the first two
	Errors                 []string
	Forecast               []string
}

// Good tells that the form was checked and has no mistake.
func (f *fileForm) Good() bool { return f.File != "" && len(f.Errors) == 0 }

// fileForms are what such a form does.
type fileForms struct {
	*Server
	examples func() ([]service.Example, error)
	// submit queues what the form has, or only checks it, and returns its page.
	submit func(r *http.Request, f *fileForm, priority int, check bool) (at string, err error)
}

// studyFiles is the form of studies.
func (s studyForms) studyFiles() fileForms {
	return fileForms{s.Server, s.o.Service.Studies().Files.Examples, func(r *http.Request, f *fileForm, priority int, check bool) (string, error) {
		given := service.Submission{Spec: f.File, Name: "form.yaml", Priority: priority, Check: check}
		study, err := s.o.Service.Studies().Files.Submit(r.Context(), given)
		if err == nil && check && len(f.Errors) == 0 {
			f.Forecast = s.forecastOf(r, given)
		}
		return "/studies/" + study, err
	}}
}

// tournamentFiles is the form of tournaments.
func (s studyForms) tournamentFiles() fileForms {
	return fileForms{s.Server, s.o.Service.Tournaments().Examples, func(r *http.Request, f *fileForm, priority int, check bool) (string, error) {
		given := service.TournamentRequest{File: f.File, FileName: "form.yaml", Blocks: formNumber(r, "blocks", &f.Errors), Seed: formSeed(r, &f.Errors)}
		id, _, err := s.o.Service.Tournaments().Submit(r.Context(), given, priority, check || len(f.Errors) > 0)
		return "/tournaments/" + strconv.Itoa(id), err
	}}
}

func (s fileForms) form(r *http.Request) (*fileForm, error) {
	if err := r.ParseForm(); err != nil {
		return nil, service.New(service.Invalid, "the form cannot be read")
	}
	examples, err := s.examples()
	return &fileForm{Examples: examples, Example: r.Form.Get("example"), File: r.PostForm.Get("file"),
		Blocks: r.PostForm.Get("blocks"), Seed: r.PostForm.Get("seed"), Priority: r.PostForm.Get("priority")}, err
}

// shown is the form with an example in it, or with the file of a study that is run again.
func (s fileForms) shown(r *http.Request) (any, error) {
	f, err := s.form(r)
	if err != nil {
		return nil, err
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
	priority := formPriority(r, &f.Errors)
	at, err = s.submit(r, f, priority, check || len(f.Errors) > 0)
	said, err := mistakes(err)
	f.Errors = append(f.Errors, said...)
	return f, at, err
}

// checked says what is wrong with the form as it stands.
func (s fileForms) checked(r *http.Request) (any, error) {
	f, _, err := s.try(r, true)
	return instead{part: "filecheck", data: f}, err
}

// created queues what the form has, or shows what is wrong with it.
func (s fileForms) created(r *http.Request) (any, error) {
	f, at, err := s.try(r, false)
	if err != nil || len(f.Errors) > 0 {
		return mistaken(f), err
	}
	return redirect(at), nil
}

// editFile shows what was filled in elsewhere as a file.
func (s studyForms) editFile(r *http.Request) (any, error) {
	v, err := s.newForm(r)
	if err != nil {
		return nil, err
	}
	f, err := s.studyFiles().form(r)
	if err == nil {
		f.Example = ""
		f.File, err = v.File()
	}
	return f, err
}

// mostNumber bounds the whole numbers of forms: nothing takes more.
const mostNumber = int64(1) << 40

// formNumber is the whole number in a form's field, 0 where it is empty. Thousands may stand
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

// formSeed is the seed of a form, nil where it is left to the file.
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

// formPriority is how urgent what a form submits is.
func formPriority(r *http.Request, wrong *[]string) int {
	n, err := daemon.ParsePriority(strings.TrimSpace(r.PostFormValue("priority")))
	if err != nil {
		*wrong = append(*wrong, "priority: "+err.Error())
	}
	return n
}

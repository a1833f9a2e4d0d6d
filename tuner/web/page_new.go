package web

import (
	"net/http"
	"slices"

	"sakusen/tuner/service"
	"sakusen/tuner/service/daemon"
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
	if at < 0 { // the first that has something to tune
		at = max(0, slices.IndexFunc(v.Strategies, func(x service.StrategyInfo) bool {
			return slices.ContainsFunc(x.Params, func(p service.ParamInfo) bool { return p.Tuned })
		}))
	}
	if at < len(v.Strategies) {
		v.Strategy = v.Strategies[at]
	}
	v.Changed = r.Form.Has("show") || r.Form.Has("shown") && r.Form.Get("shown") != v.Shown()
	return v, err
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
	return elsewhere("/studies/" + v.Form.Get("name")), nil
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
	v.Wrong(wrong...)
	return err
}

// forecastOf is the forecast of a study file without mistakes, in sentences; nothing
// where none can be made.
func (s studyForms) forecastOf(r *http.Request, given service.Submission) []string {
	f, err := s.o.Service.Studies().Files.Forecast(r.Context(), given)
	if err != nil {
		return nil
	}
	return f.Sentences()
}

// studyForm is the form that submits a study as the text of its file.
type studyForm struct {
	Examples       []service.Example
	Example, File  string
	From           string // the study that it is a copy of
	Priority, Name string
	Errors         []string
	Forecast       []string
}

// Good tells that the form was checked and has no mistake.
func (f *studyForm) Good() bool { return f.File != "" && len(f.Errors) == 0 }

func (s studyForms) studyForm(r *http.Request) (*studyForm, error) {
	if err := r.ParseForm(); err != nil {
		return nil, service.New(service.Invalid, "the form cannot be read")
	}
	examples, err := s.o.Service.Studies().Files.Examples()
	f := &studyForm{Examples: examples, Example: r.Form.Get("example")}
	f.File, f.Priority = r.PostForm.Get("file"), r.PostForm.Get("priority")
	return f, err
}

// newFile shows the form with an embedded study in it.
func (s studyForms) newFile(r *http.Request) (any, error) {
	f, err := s.studyForm(r)
	if err != nil {
		return nil, err
	}
	if from := r.URL.Query().Get("from"); from != "" {
		if f.From = from; !studyName.MatchString(from) {
			return nil, problem(http.StatusNotFound, "no study of that name")
		}
		f.File, err = s.o.Service.Studies().Files.Again(r.Context(), from)
		return f, err
	}
	for i, e := range f.Examples {
		if i == 0 && f.Example == "" || e.Name == f.Example {
			f.Example, f.File = e.Name, e.File
		}
	}
	return f, nil
}

// editFile shows what was filled in elsewhere as a file.
func (s studyForms) editFile(r *http.Request) (any, error) {
	v, err := s.newForm(r)
	var f *studyForm
	if err == nil {
		f, err = s.studyForm(r)
	}
	if err != nil {
		return nil, err
	}
	f.Example = ""
	f.File, err = v.File()
	return f, err
}

// tryFile checks or queues the form's study. Mistakes are shown in the form.
func (s studyForms) tryFile(r *http.Request, f *studyForm, check bool) error {
	var wrong []string
	priority := formPriority(r, &wrong)
	given := service.Submission{Spec: f.File, Name: "form.yaml", Priority: priority, Check: check || len(wrong) > 0}
	study, err := s.o.Service.Studies().Files.Submit(r.Context(), given)
	if err == nil && check && len(wrong) == 0 {
		f.Forecast = s.forecastOf(r, given)
	}
	said, err := mistakes(err)
	f.Name, f.Errors = study, append(wrong, said...)
	return err
}

// checkFile says what is wrong with the form as it stands.
func (s studyForms) checkFile(r *http.Request) (any, error) {
	f, err := s.studyForm(r)
	if err == nil {
		err = s.tryFile(r, f, true)
	}
	return instead{part: "specfile", data: f}, err
}

// createFile queues the form's study, or shows what is wrong with it.
func (s studyForms) createFile(r *http.Request) (any, error) {
	f, err := s.studyForm(r)
	if err == nil {
		err = s.tryFile(r, f, false)
	}
	if err != nil || len(f.Errors) > 0 {
		return mistaken(f), err
	}
	return elsewhere("/studies/" + f.Name), nil
}

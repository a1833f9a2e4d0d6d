package web

import (
	"net/http"
	"slices"

	"sakusen/tuner/service"
	"sakusen/tuner/service/daemon"
	"sakusen/tuner/web/pages"
)

// studyForms are the forms that make a study.
type studyForms struct{ *Server }

// newForm reads the form, or its defaults.
func (s studyForms) newForm(r *http.Request) (*pages.NewStudy, error) {
	if err := r.ParseForm(); err != nil {
		return nil, service.New(service.Invalid, "the form cannot be read")
	}
	v := &pages.NewStudy{Frame: s.frame("New study", "new"), Form: r.Form}
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
func (s studyForms) newPage(w http.ResponseWriter, r *http.Request) error {
	v, err := s.newForm(r)
	if err != nil {
		return err
	}
	s.render(w, r, http.StatusOK, "new", v)
	return nil
}

// checkNew says what is wrong with the form as it stands.
func (s studyForms) checkNew(w http.ResponseWriter, r *http.Request) error {
	v, err := s.newForm(r)
	if err == nil && !v.Changed {
		err = s.try(r, v, true)
	}
	if err != nil {
		return err
	}
	return s.part(w, r, "new", "check", v)
}

// forecastNew shows the form again with what is wrong with it or, where nothing is,
// what it would take.
func (s studyForms) forecastNew(w http.ResponseWriter, r *http.Request) error {
	v, err := s.newForm(r)
	if err == nil && !v.Changed {
		err = s.try(r, v, true)
	}
	if err != nil {
		return err
	}
	s.render(w, r, http.StatusOK, "new", v)
	return nil
}

// createNew queues the study of the form, or shows what is wrong with it.
func (s studyForms) createNew(w http.ResponseWriter, r *http.Request) error {
	v, err := s.newForm(r)
	if err == nil && !v.Changed {
		err = s.try(r, v, false)
	}
	switch {
	case err != nil:
		return err
	case v.Changed: // nobody has seen the fields of this game yet
		s.render(w, r, http.StatusOK, "new", v)
	case len(v.Errors) > 0:
		s.render(w, r, http.StatusBadRequest, "new", v)
	default:
		http.Redirect(w, r, "/studies/"+v.Form.Get("name"), http.StatusSeeOther)
	}
	return nil
}

// try checks or queues the form's study. Mistakes are shown in the form.
func (s studyForms) try(r *http.Request, v *pages.NewStudy, check bool) error {
	var err error
	if v.YAML, err = v.File(); err != nil {
		return err
	}
	if v.Check = check; v.Unused() {
		return nil
	}
	given := service.Submission{Spec: v.YAML, Name: "form.yaml", Check: check}
	if given.Priority, err = daemon.ParsePriority(v.Form.Get("priority")); err != nil {
		v.Wrong("priority: " + err.Error())
		return nil
	}
	_, err = s.o.Service.Studies().Submit(r.Context(), given)
	p, ok := asProblem(err)
	if !ok {
		if err == nil && check {
			v.Forecast = s.forecastOf(r, given)
		}
		return err
	}
	if v.Wrong(p.Errors...); len(p.Errors) == 0 {
		v.Wrong(p.Text)
	}
	return nil
}

// forecastOf is the forecast of a study file without mistakes, in sentences; nothing
// where none can be made.
func (s studyForms) forecastOf(r *http.Request, given service.Submission) []string {
	f, err := s.o.Service.Studies().Forecast(r.Context(), given)
	if err != nil {
		return nil
	}
	return f.Sentences()
}

// studyForm is the form that submits a study as the text of its file.
type studyForm struct {
	pages.Frame
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
	examples, err := s.o.Service.Studies().Files()
	return &studyForm{
		Frame: s.frame("New study from a file", "new"), Examples: examples, Example: r.Form.Get("example"),
		File: r.PostForm.Get("file"), Priority: r.PostForm.Get("priority"),
	}, err
}

// newFile shows the form with an embedded study in it.
func (s studyForms) newFile(w http.ResponseWriter, r *http.Request) error {
	f, err := s.studyForm(r)
	if err != nil {
		return err
	}
	if from := r.URL.Query().Get("from"); from != "" {
		if f.From = from; !studyName.MatchString(from) {
			return problem(http.StatusNotFound, "no study of that name")
		}
		if f.File, err = s.o.Service.Studies().Again(r.Context(), from); err != nil {
			return err
		}
		s.render(w, r, http.StatusOK, "newfile", f)
		return nil
	}
	for i, e := range f.Examples {
		if i == 0 && f.Example == "" || e.Name == f.Example {
			f.Example, f.File = e.Name, e.File
		}
	}
	s.render(w, r, http.StatusOK, "newfile", f)
	return nil
}

// editFile shows what was filled in elsewhere as a file.
func (s studyForms) editFile(w http.ResponseWriter, r *http.Request) error {
	v, err := s.newForm(r)
	var f *studyForm
	if err == nil {
		f, err = s.studyForm(r)
	}
	if err != nil {
		return err
	}
	f.Example = ""
	if f.File, err = v.File(); err != nil {
		return err
	}
	s.render(w, r, http.StatusOK, "newfile", f)
	return nil
}

// tryFile checks or queues the form's study. Mistakes are shown in the form.
func (s studyForms) tryFile(r *http.Request, f *studyForm, check bool) error {
	var wrong []string
	priority := formPriority(r, &wrong)
	given := service.Submission{Spec: f.File, Name: "form.yaml", Priority: priority, Check: check || len(wrong) > 0}
	study, err := s.o.Service.Studies().Submit(r.Context(), given)
	if err == nil && check && len(wrong) == 0 {
		f.Forecast = s.forecastOf(r, given)
	}
	if bad, ok := asProblem(err); ok {
		if err = nil; len(bad.Errors) == 0 {
			bad.Errors = []string{bad.Text}
		}
		wrong = append(wrong, bad.Errors...)
	}
	f.Name, f.Errors = study, wrong
	return err
}

// checkFile says what is wrong with the form as it stands.
func (s studyForms) checkFile(w http.ResponseWriter, r *http.Request) error {
	f, err := s.studyForm(r)
	if err == nil {
		err = s.tryFile(r, f, true)
	}
	if err != nil {
		return err
	}
	return s.part(w, r, "newfile", "specfile", f)
}

// createFile queues the form's study, or shows what is wrong with it.
func (s studyForms) createFile(w http.ResponseWriter, r *http.Request) error {
	f, err := s.studyForm(r)
	if err == nil {
		err = s.tryFile(r, f, false)
	}
	switch {
	case err != nil:
		return err
	case len(f.Errors) > 0:
		s.render(w, r, http.StatusBadRequest, "newfile", f)
	default:
		http.Redirect(w, r, "/studies/"+f.Name, http.StatusSeeOther)
	}
	return nil
}

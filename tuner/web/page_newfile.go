package web

import (
	"net/http"

	"sakusen/tuner/service"
	"sakusen/tuner/web/pages"
)

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

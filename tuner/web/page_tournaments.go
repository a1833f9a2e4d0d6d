package web

import (
	"net/http"
	"strconv"

	"sakusen/tuner/service"
	"sakusen/tuner/view"
	"sakusen/tuner/web/pages"
)

// tournaments lists them.
func (p jobPages) tournaments(w http.ResponseWriter, r *http.Request) error {
	list, next, err := p.page(r)
	if err != nil {
		return err
	}
	found := map[int]string{}
	for _, j := range list {
		if j.State != "done" {
			continue
		}
		if t, err := p.o.Service.Tournaments().Played(r.Context(), j.ID); err == nil && t != nil { // else its own page says why
			found[j.ID] = view.Podium(t.Report, t.Whole)
		}
	}
	p.render(w, r, http.StatusOK, "tournaments", struct {
		pages.Frame
		Jobs  []service.Job
		Found map[int]string
		Next  *int
	}{p.frame("Tournaments", "tournaments"), list, found, next})
	return nil
}

// tournament shows one: its crosstable, that so far while it is played.
func (p jobPages) tournament(w http.ResponseWriter, r *http.Request) error {
	d, err := p.detail(r)
	var t *service.PlayedTournament
	if err == nil {
		t, err = p.o.Service.Tournaments().Played(r.Context(), d.ID)
	}
	if err != nil {
		return err
	}
	v := struct {
		jobView
		Table    *service.PlayedTournament
		Sections []view.Section
		File     string
	}{jobView: p.view(d, d.Name, "tournaments"), Table: t, File: fileOf(d)}
	if t != nil {
		v.Sections = view.Tournament(t.Report)
		view.Watched(v.Sections, t.Report, t.Rules)
	}
	p.render(w, r, http.StatusOK, "tournament", v)
	return nil
}

// tournamentForm is the form that submits a tournament.
type tournamentForm struct {
	pages.Frame
	Examples               []service.Example
	Example, File          string
	Blocks, Seed, Priority string
	Errors                 []string
}

// Good tells that the form was checked and has no mistake.
func (f *tournamentForm) Good() bool { return f.File != "" && len(f.Errors) == 0 }

func (p jobPages) form(r *http.Request) (*tournamentForm, error) {
	if err := r.ParseForm(); err != nil {
		return nil, service.New(service.Invalid, "the form cannot be read")
	}
	examples, err := p.o.Service.Tournaments().Examples()
	f := &tournamentForm{
		Frame: p.frame("New tournament", "tournaments"), Examples: examples, Example: r.Form.Get("example"),
		File: r.PostForm.Get("file"), Blocks: r.PostForm.Get("blocks"), Seed: r.PostForm.Get("seed"), Priority: r.PostForm.Get("priority"),
	}
	return f, err
}

// newTournament shows the form with an example in it.
func (p jobPages) newTournament(w http.ResponseWriter, r *http.Request) error {
	f, err := p.form(r)
	if err != nil {
		return err
	}
	for i, e := range f.Examples {
		if i == 0 || e.Name == f.Example {
			f.File = e.File
		}
	}
	p.render(w, r, http.StatusOK, "newtournament", f)
	return nil
}

// try checks or queues the form's tournament. Mistakes are shown in the form.
func (p jobPages) try(r *http.Request, f *tournamentForm, check bool) (id int, err error) {
	var wrong []string
	request := service.TournamentRequest{File: f.File, FileName: "form.yaml", Blocks: formNumber(r, "blocks", &wrong), Seed: formSeed(r, &wrong)}
	priority := formPriority(r, &wrong)
	if request.Blocks > mostBlocks {
		wrong = append(wrong, "blocks: expected at most "+strconv.FormatInt(mostBlocks, 10))
	}
	id, _, err = p.o.Service.Tournaments().Submit(r.Context(), request, priority, check || len(wrong) > 0)
	if bad, ok := asProblem(err); ok {
		if err = nil; len(bad.Errors) == 0 {
			bad.Errors = []string{bad.Text}
		}
		wrong = append(wrong, bad.Errors...)
	}
	f.Errors = wrong
	return id, err
}

// checkTournament says what is wrong with the form as it stands.
func (p jobPages) checkTournament(w http.ResponseWriter, r *http.Request) error {
	f, err := p.form(r)
	if err == nil {
		_, err = p.try(r, f, true)
	}
	if err != nil {
		return err
	}
	return p.part(w, r, "newtournament", "filecheck", f)
}

// createTournament queues the form's tournament, or shows what is wrong with it.
func (p jobPages) createTournament(w http.ResponseWriter, r *http.Request) error {
	f, err := p.form(r)
	id := 0
	if err == nil {
		id, err = p.try(r, f, false)
	}
	switch {
	case err != nil:
		return err
	case len(f.Errors) > 0:
		p.render(w, r, http.StatusBadRequest, "newtournament", f)
	default:
		http.Redirect(w, r, p.path+strconv.Itoa(id), http.StatusSeeOther)
	}
	return nil
}

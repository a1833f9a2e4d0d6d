package web

import (
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

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

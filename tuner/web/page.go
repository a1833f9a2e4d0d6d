package web

import (
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"net/http"
	"slices"
	"strings"

	"sakusen/engines/param"
	"sakusen/tuner/service"
	"sakusen/tuner/web/api"
)

// handler answers a request, or returns why it cannot. It returns an error only if it has
// not written anything yet.
type handler func(w http.ResponseWriter, r *http.Request) error

// load returns the data of a page's template or, for a form, a redirect or an instead.
type load func(r *http.Request) (any, error)

// redirect is the address of the page that a browser is sent to.
type redirect string

// instead is shown in place of a page.
type instead struct {
	status   int    // 200 where it is 0
	template string // the page's own where it is empty
	part     string // of the template, empty for the whole
	data     any
}

// mistaken returns a form that is shown again with what is wrong with it.
func mistaken(form any) instead { return instead{status: http.StatusBadRequest, data: form} }

// route is one path: its handler, and the role that it needs.
type route struct {
	method, pattern string
	role            api.Role // that it takes, the highest where it is NoRole
	handle          handler  // nil where a page is loaded
	template        string   // of a page
	load            load
}

// page declares a page for the role read.
func page(pattern, template string, load load) route {
	return route{http.MethodGet, pattern, api.Read, nil, template, load}
}

// post declares what a form does; template shows the form with mistakes.
func post(role api.Role, pattern, template string, load load) route {
	return route{http.MethodPost, pattern, role, nil, template, load}
}

// routes returns all that the server answers: pages, what machines read of it, and the operations
// that package api declares.
func (s *Server) routes() []route {
	shown, forms, login := studyPages{s}, studyForms{s}, loginPages{s}
	return slices.Concat([]route{
		{method: "GET", pattern: "/healthz", role: api.Read, handle: s.healthz},
		{method: "GET", pattern: "/readyz", role: api.Read, handle: s.readyz},
		{method: "GET", pattern: "/metrics", role: api.Read, handle: s.metrics},
		{method: "GET", pattern: "/login", role: api.Read, template: "login", handle: login.loginPage},
		{method: "POST", pattern: "/login", role: api.Read, handle: login.login},
		{method: "POST", pattern: "/logout", role: api.Read, handle: login.logout},
		{method: "GET", pattern: "/{$}", role: api.Read, template: "now", handle: shown.front},
		page("/workers", "workers", shown.workersPage),
		page("/studies", "studies", shown.list),
		post(api.Administer, "/studies", "studies", shown.together),
		page("/compare", "compare", shown.comparePage),
		page("/studies/{study}", "study", shown.studyPage),
		page("/studies/{study}/trials/{number}", "trial", func(r *http.Request) (any, error) { return shown.trial(r) }),
		post(api.Administer, "/studies/{study}/pause", "study", shown.holdPage(service.Queue.Pause)),
		post(api.Administer, "/studies/{study}/resume", "study", shown.holdPage(service.Queue.Resume)),
		post(api.Administer, "/studies/{study}/stop", "study", shown.holdPage(service.Queue.Stop)),
		post(api.Administer, "/studies/{study}/priority", "study", shown.actPage(shown.prioritise)),
		post(api.Administer, "/studies/{study}/budget", "study", shown.actPage(extend)),
		page("/studies/{study}/prove", "prove", shown.provePage),
		post(api.Submit, "/studies/{study}/prove", "prove", shown.proveFurther),
		post(api.Administer, "/studies/{study}/points", "study", shown.actPage(tryPoint)),
		post(api.Administer, "/studies/{study}/note", "study", shown.actPage(setNote)),
		post(api.Administer, "/studies/{study}/delete", "study", shown.deletePage),
		page("/new/file", "newfile", forms.studyFiles().shown),
		post(api.Submit, "/new/file", "newfile", forms.studyFiles().created),
		post(api.Read, "/new/file/check", "newfile", forms.studyFiles().checked),
		post(api.Read, "/new/file/edit", "newfile", forms.editFile),
		page("/new", "new", forms.newPage),
		post(api.Submit, "/new", "new", forms.createNew),
		post(api.Read, "/new/check", "new", forms.checkNew),
		post(api.Submit, "/new/forecast", "new", forms.forecastNew),
		page("/bench", "bench", benchPages{s}.list),
		page("/bench/{series...}", "series", benchPages{s}.series),
		post(api.Administer, "/benchmarks/accept", "series", benchPages{s}.accept),
	}, filmAPI{s}.routes(), s.jobPageRoutes(), operations{s}.routes(), studyAPI{s}.routes(), s.jobLists(), benchmarkAPI{s}.routes())
}

// Pages returns what people look at, as patterns of paths such as /studies/{study}: all that
// GET answers with a template.
func (s *Server) Pages() []string {
	var out []string
	for _, r := range s.routes() {
		if r.method == http.MethodGet && r.template != "" {
			out = append(out, r.pattern)
		}
	}
	return out
}

// jobPageRoutes returns the pages of tournaments, experiments and tests of patches.
func (s *Server) jobPageRoutes() []route {
	t := jobPages{jobAPI{s, s.o.Service.Tournaments().Jobs}, &api.V1.Tournaments, "/tournaments/", &lists.tournaments}
	e := jobPages{jobAPI{s, s.o.Service.Experiments().Jobs}, &api.V1.Runs, "/experiments/runs/", &lists.runs}
	p := jobPages{jobAPI{s, s.o.Service.Patches().Jobs}, &api.V1.Tests, "/tests/", &lists.tests}
	files, patch := studyForms{s}.tournamentFiles(), studyForms{s}.patchFiles()
	routes := []route{
		page("/tournaments", "tournaments", t.listed),
		page("/new/tournament", "newtournament", files.shown),
		post(api.Submit, "/new/tournament", "newtournament", files.created),
		post(api.Read, "/new/tournament/check", "newtournament", files.checked),
		post(api.Read, "/new/tournament/edit", "newtournament", files.edited),
		page("/tournaments/{id}", "tournament", t.tournament),
		page("/experiments", "experiments", e.experimentsPage),
		post(api.Submit, "/experiments", "experiments", e.createRun),
		page("/experiments/runs/{id}", "run", e.run),
		page("/tests", "tests", p.listed),
		page("/new/test", "newtest", patch.shown),
		post(api.Submit, "/new/test", "newtest", patch.created),
		post(api.Read, "/new/test/check", "newtest", patch.checked),
		post(api.Read, "/new/test/edit", "newtest", patch.edited),
		page("/tests/{id}", "test", p.test),
	}
	for _, p := range []jobPages{t, e, p} {
		routes = append(routes,
			post(api.Administer, p.path+"{id}/pause", "", p.hold(service.Queue.Pause)),
			post(api.Administer, p.path+"{id}/resume", "", p.hold(service.Queue.Resume)),
			post(api.Administer, p.path+"{id}/stop", "", p.hold(service.Queue.Stop)),
			post(api.Administer, p.path+"{id}/delete", "", p.forget),
			post(api.Administer, p.path+"{id}/note", "", p.note),
			post(api.Administer, p.kind.Act, p.kind.Home[1:], p.together),
		)
	}
	return routes
}

// serve answers with a handler's error where it returns one: as JSON under /api/,
// and else as a page.
func (s *Server) serve(to route) http.HandlerFunc {
	fail := s.failPage
	if strings.HasPrefix(to.pattern, "/api/") {
		fail = s.fail
	}
	handle := to.handle
	if to.load != nil {
		handle = s.show(to)
	}
	return func(w http.ResponseWriter, r *http.Request) {
		if err := handle(w, r); err != nil {
			fail(w, r, err)
		}
	}
}

// show answers with a page.
func (s *Server) show(to route) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		data, err := to.load(r)
		if err != nil {
			return err
		}
		if at, ok := data.(redirect); ok {
			http.Redirect(w, r, string(at), http.StatusSeeOther)
			return nil
		}
		shown, ok := data.(instead)
		if !ok {
			shown.data = data
		}
		template := cmp.Or(shown.template, to.template)
		if shown.status == http.StatusNoContent {
			w.WriteHeader(shown.status)
			return nil
		}
		if shown.part != "" {
			return s.part(w, r, template, shown.part, shown.data)
		}
		s.render(w, r, cmp.Or(shown.status, http.StatusOK), template, shown.data)
		return nil
	}
}

// render answers with a page, whole or not at all.
func (s *Server) render(w http.ResponseWriter, r *http.Request, status int, name string, data any) {
	outside := name == "login"
	html, err := s.pages.part(s.gate.role(r), name, "layout.html", frame{Content: data, At: menu[name], Commit: s.o.Commit, Locked: s.Guarded() && !outside, Outside: outside})
	if err != nil {
		s.o.Log.Error("a page cannot be drawn", "page", name, "path", r.URL.Path, "error", err)
		http.Error(w, "the server failed; its log says why", http.StatusInternalServerError)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	compressed(w, r, status, html)
}

// compressed answers with a text, packed where the asker can unpack it. Compression by length
// reveals no secret to pages of other sites: the API and its cookies are closed to other sites.
func compressed(w http.ResponseWriter, r *http.Request, status int, text []byte) {
	w.Header().Add("Vary", "Accept-Encoding")
	if len(text) < 1400 || r == nil || !strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		w.WriteHeader(status)
		w.Write(text)
		return
	}
	w.Header().Set("Content-Encoding", "gzip")
	w.WriteHeader(status)
	z := gzip.NewWriter(w)
	z.Write(text)
	z.Close() // a client that has left is not our error
}

// part answers with a part of a page.
func (s *Server) part(w http.ResponseWriter, r *http.Request, page, part string, data any) error {
	html, err := s.pages.part(s.gate.role(r), page, part, data)
	if err != nil {
		return err
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	compressed(w, r, http.StatusOK, html)
	return nil
}

// failPage answers with an error as a page.
func (s *Server) failPage(w http.ResponseWriter, r *http.Request, err error) {
	p := s.answerTo(r, err)
	home, name := homeOf(r.URL.Path)
	s.render(w, r, p.Status, "error", struct {
		Title, Text    string
		Errors         []string
		Home, HomeName string
		Near           string
	}{errorTitle(p.Status), p.Text, p.Errors, home, name, s.near(r, p.Status)})
}

// near returns the name of a study that is similar to one that does not exist.
func (s *Server) near(r *http.Request, status int) string {
	name := r.PathValue("study")
	if status != http.StatusNotFound || name == "" {
		return ""
	}
	var names []string
	for l, err := range s.o.Service.Store().Studies.All(r.Context()) {
		if err != nil {
			return ""
		}
		names = append(names, l.Name)
	}
	near, _ := param.Nearest(name, slices.DeleteFunc(names, func(n string) bool { return n == name }))
	return near
}

// errorTitle returns a status in words.
func errorTitle(status int) string {
	switch status {
	case http.StatusNotFound:
		return "No such page"
	case http.StatusBadRequest:
		return "The request is malformed"
	case http.StatusConflict:
		return "This cannot be done now"
	case http.StatusServiceUnavailable, http.StatusTooManyRequests:
		return "Try again in a moment"
	}
	return http.StatusText(status)
}

// homeOf returns the page of the list to which a path belongs.
func homeOf(path string) (address, name string) {
	switch {
	case strings.HasPrefix(path, "/tournaments"):
		return "/tournaments", "All tournaments"
	case strings.HasPrefix(path, "/tests"):
		return "/tests", "All tests"
	case strings.HasPrefix(path, "/experiments"):
		return "/experiments", "All experiments"
	case strings.HasPrefix(path, "/bench"):
		return "/bench", "All benchmarks"
	case strings.HasPrefix(path, "/watch"):
		return "/watch", "Watch a game"
	}
	return "/studies", "All studies"
}

// static serves the embedded scripts and styles.
func (s *Server) static() http.Handler {
	files := staticFiles()
	sum := sha256.New() // of all: they belong together
	names, _ := fs.Glob(files, "*")
	for _, name := range names {
		text, _ := fs.ReadFile(files, name) // embedded
		sum.Write(text)
	}
	tag := fmt.Sprintf(`"%x"`, sum.Sum(nil)[:8])
	serve := http.StripPrefix("/static/", http.FileServerFS(files))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := strings.TrimPrefix(r.URL.Path, "/static/")
		if info, err := fs.Stat(files, name); err != nil || info.IsDir() { // also of names that are none
			s.fail(w, r, problem(http.StatusNotFound, "there is nothing at this path"))
			return
		}
		w.Header().Set("Cache-Control", "no-cache") // asked for again each time, and sent again only after an update
		w.Header().Set("Etag", tag)
		if r.Header.Get("If-None-Match") == tag {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		if text, err := fs.ReadFile(files, name); err == nil && (strings.HasSuffix(name, ".js") || strings.HasSuffix(name, ".css")) && r.Method == http.MethodGet && r.Header.Get("Range") == "" {
			w.Header().Set("Content-Type", map[bool]string{true: "text/javascript; charset=utf-8", false: "text/css; charset=utf-8"}[strings.HasSuffix(name, ".js")])
			compressed(w, r, http.StatusOK, text)
			return
		}
		serve.ServeHTTP(w, r)
	})
}

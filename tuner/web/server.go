package web

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"net/netip"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"sakusen/tuner/queue/fleet"
	"sakusen/tuner/service"
	"sakusen/tuner/web/api"
	"sakusen/tuner/web/pages"
)

// Options are what a server serves, and to whom.
type Options struct {
	Service *service.Service
	// Studio, unless nil, shows games.
	Studio Studio
	// Tokens are what programs send as bearer tokens and people type at the login page. If
	// there is none, everybody who can reach the server may do everything.
	Tokens api.Tokens
	// Hosts are the names of the server, without ports. Requests for any other host are
	// refused, so that another site cannot point its own name at this server (DNS
	// rebinding).
	Hosts []string
	// Secure says that browsers reach the server over TLS: cookies are marked so.
	Secure bool
	// Proxied says that every request comes through a proxy, which names the client in
	// X-Forwarded-For; otherwise that header is ignored.
	Proxied bool
	// Proxies are the peers whose word about clients counts where the server is Proxied.
	Proxies []netip.Prefix
	Log     *slog.Logger
	Commit  string // of the build
}

// Access is who may come in; it can be changed while the server runs.
type Access struct {
	Tokens api.Tokens
	Hosts  []string
}

// Server is the handler of everything.
type Server struct {
	failures
	Hub        *Hub
	o          Options
	gate       *gate
	handler    http.Handler
	pages      pages.Set
	started    time.Time
	films      *projector
	records    *records
	counts     counts
	chronicles *chronicles
	elsewhere  atomic.Pointer[func() fleet.Fleet]
	measured   http.Handler // what Prometheus reads
}

// Close ends what goes on for those who watch: streams of events and films.
func (s *Server) Close() {
	s.Hub.Close()
	s.films.close()
}

// SetAccess changes who may come in, from the next request on. Another token ends
// the streams of events that the former one opened: who has the new one comes back.
func (s *Server) SetAccess(a Access) {
	if old := s.gate.access.Swap(&a); old != nil && !old.Tokens.Same(a.Tokens) {
		s.Hub.Close()
	}
}

// New makes a server.
func New(o Options) (*Server, error) {
	if len(o.Hosts) == 0 {
		return nil, errors.New("web: expected at least one host name")
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	s := &Server{
		failures: failures{o.Log, o.Service}, o: o, Hub: NewHub(sinceEpoch(time.Now())), started: time.Now(), films: newProjector(), records: newRecords(),
	}
	s.gate = newGate(&s.o, s.failures, &s.counts)
	m := newMeters(s)
	s.measured, s.gate.timed = m.handler, m.timed
	var err error
	if s.pages, err = pages.Parse(); err != nil {
		return nil, err
	}
	s.chronicles = newChronicles(s.failures, s.pages, &s.counts)
	s.SetAccess(Access{o.Tokens, o.Hosts})
	mux := http.NewServeMux()
	mux.Handle("GET /static/", s.static())
	methods := map[string][]string{}
	for _, r := range s.routes() {
		mux.HandleFunc(r.method+" "+r.pattern, s.serve(r))
		if _, ok := s.gate.needs[r.method+" "+r.pattern]; !ok {
			s.gate.needs[r.method+" "+r.pattern] = r.needs()
		}
		methods[r.pattern] = append(methods[r.pattern], r.method)
	}
	for pattern, allowed := range methods {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Allow", strings.Join(allowed, ", "))
			s.fail(w, r, problem(http.StatusMethodNotAllowed, "expected "+strings.Join(allowed, " or ")))
		})
	}
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		nothing := problem(http.StatusNotFound, "there is nothing at this path")
		if wantsPage(r) {
			s.failPage(w, r, nothing)
			return
		}
		s.fail(w, r, nothing)
	})
	s.handler = s.gate.guard(mux)
	return s, nil
}

// serve answers with a handler's error where it returns one: as JSON under /api/,
// and else as a page.
func (s *Server) serve(to route) http.HandlerFunc {
	fail := s.failPage
	if strings.HasPrefix(to.pattern, "/api/") {
		fail = s.fail
	}
	return func(w http.ResponseWriter, r *http.Request) {
		if err := to.handle(w, r); err != nil {
			fail(w, r, err)
		}
	}
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	defer func() {
		if v := recover(); v != nil && v != http.ErrAbortHandler {
			s.o.Log.Error("panic", "path", r.URL.Path, "value", v, "stack", string(debug.Stack()))
			write(w, http.StatusInternalServerError, problem(0, "the server failed; its log says why"))
		}
	}()
	s.handler.ServeHTTP(w, r)
}

// handler answers a request, or returns why it cannot. It returns an error only if it has
// not written anything yet.
type handler func(w http.ResponseWriter, r *http.Request) error

// route is one operation.
type route struct {
	method, pattern string
	handle          handler
}

// Guarded reports whether a server asks for a token.
func (s *Server) Guarded() bool { return len(s.gate.access.Load().Tokens) > 0 }

// healthz says that the process lives.
func (s *Server) healthz(w http.ResponseWriter, _ *http.Request) error {
	write(w, http.StatusOK, map[string]string{"status": "ok"})
	return nil
}

// readyz says whether the server can serve: whether its database answers.
func (s *Server) readyz(w http.ResponseWriter, r *http.Request) error {
	if err := s.o.Service.Ready(r.Context()); err != nil {
		s.o.Log.Warn("not ready", "error", err)
		write(w, http.StatusServiceUnavailable, map[string]string{"status": "not ready"})
		return nil
	}
	write(w, http.StatusOK, map[string]string{"status": "ready"})
	return nil
}

// metrics is what Prometheus reads.
func (s *Server) metrics(w http.ResponseWriter, r *http.Request) error {
	s.measured.ServeHTTP(w, r)
	return nil
}

// routes are all that the server answers: pages, what machines read of it, and the operations
// that package api declares.
func (s *Server) routes() []route {
	shown, forms, login := studyPages{s}, studyForms{s}, loginPages{s}
	return slices.Concat([]route{
		{"GET", "/healthz", s.healthz},
		{"GET", "/readyz", s.readyz},
		{"GET", "/metrics", s.metrics},
		{"GET", "/login", login.loginPage},
		{"GET", "/role.css", s.roleStyle},
		{"POST", "/login", login.login},
		{"POST", "/logout", login.logout},
		{"GET", "/{$}", shown.front},
		{"GET", "/workers", shown.workersPage},
		{"GET", "/studies", shown.list},
		{"GET", "/compare", shown.comparePage},
		{"GET", "/studies/{study}", shown.studyPage},
		{"GET", "/studies/{study}/trials/{number}", shown.trialPage},
		{"POST", "/studies/{study}/pause", shown.holdPage((*service.Studies).Pause)},
		{"POST", "/studies/{study}/resume", shown.holdPage((*service.Studies).Resume)},
		{"POST", "/studies/{study}/stop", shown.holdPage((*service.Studies).Stop)},
		{"POST", "/studies/{study}/priority", shown.priorityPage},
		{"POST", "/studies/{study}/budget", shown.budgetPage},
		{"GET", "/studies/{study}/prove", shown.provePage},
		{"POST", "/studies/{study}/prove", shown.proveFurther},
		{"POST", "/studies/{study}/points", shown.tryPage},
		{"POST", "/studies/{study}/note", shown.notePage},
		{"POST", "/studies/{study}/delete", shown.deletePage},
		{"GET", "/new/file", forms.newFile},
		{"POST", "/new/file", forms.createFile},
		{"POST", "/new/file/check", forms.checkFile},
		{"POST", "/new/file/edit", forms.editFile},
		{"GET", "/new", forms.newPage},
		{"POST", "/new", forms.createNew},
		{"POST", "/new/check", forms.checkNew},
		{"POST", "/new/forecast", forms.forecastNew},
		{"GET", "/bench", benchPages{s}.list},
		{"GET", "/bench/{series...}", benchPages{s}.series},
		{"POST", "/benchmarks/accept", benchPages{s}.accept},
	}, filmAPI{s}.routes(), s.jobPageRoutes(), operations{s}.routes(), studyAPI{s}.routes(), s.jobLists(), benchmarkAPI{s}.routes())
}

// Pages are what people look at, as patterns of paths such as /studies/{study}: all that
// GET answers but the API, files, and what machines read.
func (s *Server) Pages() []string {
	var out []string
	for _, r := range s.routes() {
		if r.method == "GET" && !strings.HasPrefix(r.pattern, "/api/") && !slices.Contains([]string{"/healthz", "/readyz", "/metrics", "/role.css"}, r.pattern) {
			out = append(out, r.pattern)
		}
	}
	return out
}

// jobPageRoutes are the pages of tournaments and experiments.
func (s *Server) jobPageRoutes() []route {
	t := jobPages{jobAPI{s, s.o.Service.Tournaments().Jobs}, &api.V1.Tournaments, "/tournaments/", "/tournaments"}
	e := jobPages{jobAPI{s, s.o.Service.Experiments().Jobs}, &api.V1.Runs, "/experiments/runs/", "/experiments"}
	routes := []route{
		{"GET", "/tournaments", t.tournaments},
		{"GET", "/new/tournament", t.newTournament},
		{"POST", "/new/tournament", t.createTournament},
		{"POST", "/new/tournament/check", t.checkTournament},
		{"GET", "/tournaments/{id}", t.tournament},
		{"GET", "/experiments", e.experimentsPage},
		{"POST", "/experiments", e.createRun},
		{"GET", "/experiments/runs/{id}", e.run},
	}
	for _, p := range []jobPages{t, e} {
		routes = append(routes,
			route{"POST", p.path + "{id}/pause", p.hold(p.Pause)},
			route{"POST", p.path + "{id}/resume", p.hold(p.Resume)},
			route{"POST", p.path + "{id}/stop", p.hold(p.Stop)},
			route{"POST", p.path + "{id}/delete", p.forget},
		)
	}
	return routes
}

// reads are the writes of pages that change nothing in the database: films, checks of
// forms, a replay file to be watched, logging in and out.
var reads = []string{
	"/watch/record", "/new/check", "/new/forecast", "/new/file/check", "/new/file/edit", "/new/tournament/check", "/login", "/logout",
}

// adds are the pages that add something and change nothing that is there, or that
// have games played to say what would be.
var adds = []string{"/studies/{study}/prove", "/new", "/new/file", "/new/tournament", "/experiments"}

// needs is the role that the route of a page takes. What is not listed takes the highest;
// operations of the API declare theirs.
func (r *route) needs() api.Role {
	switch {
	case r.method == http.MethodGet:
		return api.Read
	case r.method == http.MethodPost && slices.Contains(reads, r.pattern):
		return api.Read
	case r.method == http.MethodPost && slices.Contains(adds, r.pattern):
		return api.Submit
	}
	return api.Administer
}

// frame is what every page has.
func (s *Server) frame(title, at string) pages.Frame {
	return pages.Frame{Title: title, At: at, Commit: s.o.Commit, Locked: len(s.gate.access.Load().Tokens) > 0}
}

// render answers with a page, whole or not at all.
func (s *Server) render(w http.ResponseWriter, r *http.Request, status int, name string, data any) {
	html, err := s.pages.Page(name, data)
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

// compressed answers with a text, packed where the asker can unpack it. A text
// holds no secret that a page elsewhere could guess by its length: the API and its
// cookies are closed to other sites.
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
	z.Close() // a reader that is gone is no error of ours
}

// part answers with a part of a page.
func (s *Server) part(w http.ResponseWriter, r *http.Request, page, part string, data any) error {
	html, err := s.pages.Part(page, part, data)
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
	title := errorTitle(p.Status)
	s.render(w, r, p.Status, "error", struct {
		pages.Frame
		Text           string
		Errors         []string
		Home, HomeName string
	}{s.frame(title, ""), p.Text, p.Errors, home, name})
}

// errorTitle is a status in words.
func errorTitle(status int) string {
	switch status {
	case http.StatusNotFound:
		return "There is no such page"
	case http.StatusBadRequest:
		return "That cannot be understood"
	case http.StatusConflict:
		return "That cannot be done now"
	case http.StatusServiceUnavailable, http.StatusTooManyRequests:
		return "Try again in a moment"
	}
	return http.StatusText(status)
}

// homeOf is the list to which a path belongs.
func homeOf(path string) (address, name string) {
	switch {
	case strings.HasPrefix(path, "/tournaments"):
		return "/tournaments", "All tournaments"
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
	files := pages.Static()
	serve := http.StripPrefix("/static/", http.FileServerFS(files))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := strings.TrimPrefix(r.URL.Path, "/static/")
		if info, err := fs.Stat(files, name); err != nil || info.IsDir() { // also of names that are none
			s.fail(w, r, problem(http.StatusNotFound, "there is nothing at this path"))
			return
		}
		w.Header().Set("Cache-Control", "max-age=3600")
		if text, err := fs.ReadFile(files, name); err == nil && (strings.HasSuffix(name, ".js") || strings.HasSuffix(name, ".css")) && r.Method == http.MethodGet && r.Header.Get("Range") == "" {
			w.Header().Set("Content-Type", map[bool]string{true: "text/javascript; charset=utf-8", false: "text/css; charset=utf-8"}[strings.HasSuffix(name, ".js")])
			compressed(w, r, http.StatusOK, text)
			return
		}
		serve.ServeHTTP(w, r)
	})
}

// roleStyle hides from a page the forms that the token cannot use. It is for the eye
// alone: what is hidden is refused as well.
func (s *Server) roleStyle(w http.ResponseWriter, r *http.Request) error {
	var hidden []string
	have := s.gate.role(r)
	if have < api.Submit {
		hidden = append(hidden, `nav a[href="/new"]`, `a[href^="/new"]`, `form[method=post][action="/experiments"]`, `form[method=post][action^="/new"]`)
	}
	if have < api.Administer {
		for _, does := range []string{"pause", "resume", "stop", "priority", "delete", "note", "points", "accept"} {
			hidden = append(hidden, fmt.Sprintf(`form[method=post][action$="/%s"]`, does))
		}
	}
	w.Header().Set("Content-Type", "text/css; charset=utf-8")
	if len(hidden) > 0 {
		fmt.Fprintf(w, "%s { display: none; }\n", strings.Join(hidden, ",\n"))
	}
	return nil
}

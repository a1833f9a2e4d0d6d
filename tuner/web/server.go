package web

import (
	"errors"
	"log/slog"
	"net/http"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"
	"time"
)

// Options are what a server serves, and to whom.
type Options struct {
	Library Library
	Control Control
	// Writer, unless nil, is what commands write through the server.
	Writer Writer
	// Theatre, unless nil, shows games.
	Theatre Theatre
	// Token is what programs send as a bearer token and people type at the login
	// page; empty lets everybody in who reaches the server.
	Token string
	// Hosts are the names under which the server may be reached, without ports:
	// any other is refused, so that a page elsewhere cannot rebind a name to it.
	Hosts []string
	// Secure says that browsers reach the server over TLS: cookies are marked so.
	Secure bool
	// Proxied says that every request comes through a proxy, which names the
	// client in X-Forwarded-For; without one that header is not looked at.
	Proxied bool
	// Failed, unless nil, hears of every error for which the server is to blame.
	Failed func(error)
	// Writable, unless nil, says why nothing can be written, nil where it can.
	Writable func() error
	// Metrics, unless nil, adds lines to /metrics.
	Metrics func() []Metric
	Log     *slog.Logger
	Version string
}

// Access is who may come in; it can be changed while the server runs.
type Access struct {
	Token string
	Hosts []string
}

// Server is the handler of everything.
type Server struct {
	o       Options
	access  atomic.Pointer[Access]
	Hub     *Hub
	handler http.Handler
	pages   pages
	started time.Time
	writes  *buckets // by address
	logins  *buckets
	guesses *buckets // wrong tokens of programs
	films   *projector
	places  chan struct{} // of large requests
	records *records
	counts  counts

	chronicles *chronicles
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
		o: o, Hub: NewHub(sinceEpoch(time.Now())), started: time.Now(),
		writes: newBuckets(20, 100), logins: newBuckets(0.2, 10), guesses: newBuckets(1, 30),
		films: newProjector(), places: make(chan struct{}, heavyPlaces), records: newRecords(), chronicles: newChronicles(),
	}
	var err error
	if s.pages, err = parsePages(); err != nil {
		return nil, err
	}
	s.SetAccess(Access{o.Token, o.Hosts})
	mux := http.NewServeMux()
	mux.Handle("GET /static/", s.static())
	methods := map[string][]string{}
	for _, r := range s.routes() {
		mux.HandleFunc(r.method+" "+r.pattern, r.handle)
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
	s.handler = s.guard(mux)
	return s, nil
}

// Close ends what goes on for those who watch: streams of events and films.
func (s *Server) Close() {
	s.Hub.Close()
	s.films.close()
}

// SetAccess changes who may come in, from the next request on. Another token ends
// the streams of events that the former one opened: who has the new one comes back.
func (s *Server) SetAccess(a Access) {
	if old := s.access.Swap(&a); old != nil && old.Token != a.Token {
		s.Hub.Close()
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

// route is one operation.
type route struct {
	method, pattern string
	handle          http.HandlerFunc
}

// routes are all operations; openapi.json describes those under /api/.
func (s *Server) routes() []route {
	return append([]route{
		{"GET", "/healthz", s.healthz},
		{"GET", "/readyz", s.readyz},
		{"GET", "/metrics", s.metrics},
		{"GET", "/login", s.loginPage},
		{"POST", "/login", s.login},
		{"POST", "/logout", s.logout},
		{"GET", "/{$}", s.home},
		{"GET", "/studies/{study}", s.studyPage},
		{"POST", "/studies/{study}/pause", s.actPage(Control.Pause)},
		{"POST", "/studies/{study}/resume", s.actPage(Control.Resume)},
		{"POST", "/studies/{study}/stop", s.actPage(Control.Stop)},
		{"POST", "/studies/{study}/priority", s.priorityPage},
		{"POST", "/studies/{study}/delete", s.deletePage},
		{"GET", "/new/file", s.newFile},
		{"POST", "/new/file", s.createFile},
		{"POST", "/new/file/check", s.checkFile},
		{"POST", "/new/file/edit", s.editFile},
		{"GET", "/new", s.newPage},
		{"POST", "/new", s.createNew},
		{"POST", "/new/check", s.checkNew},
		{"GET", "/bench", s.benchPage},
		{"GET", "/bench/{series...}", s.seriesPage},
		{"GET", "/api/v1", s.about},
		{"GET", "/api/v1/openapi.json", s.openapi},
		{"GET", "/api/v1/events", s.events},
		{"GET", "/api/v1/games", s.games},
		{"GET", "/api/v1/games/{game}/strategies", s.strategies},
		{"GET", "/api/v1/studies", s.studies},
		{"POST", "/api/v1/studies", s.submit},
		{"GET", "/api/v1/studies/{study}", s.study},
		{"DELETE", "/api/v1/studies/{study}", s.remove},
		{"GET", "/api/v1/studies/{study}/trials", s.trials},
		{"GET", "/api/v1/studies/{study}/history", s.trialHistory},
		{"GET", "/api/v1/studies/{study}/log", s.entries},
		{"GET", "/api/v1/studies/{study}/export", s.export},
		{"POST", "/api/v1/studies/{study}/pause", s.act(Control.Pause)},
		{"POST", "/api/v1/studies/{study}/resume", s.act(Control.Resume)},
		{"POST", "/api/v1/studies/{study}/stop", s.act(Control.Stop)},
		{"POST", "/api/v1/studies/{study}/priority", s.priority},
		{"POST", "/api/v1/prune", s.prune},
		{"GET", "/api/v1/bench/series", s.series},
		{"GET", "/api/v1/bench/series/{series...}", s.history},
	}, slices.Concat(s.theatreRoutes(), s.jobRoutes(), s.jobPageRoutes(), s.writerRoutes())...)
}

// Operations are the operations of the API, as "METHOD /path".
func (s *Server) Operations() []string {
	var out []string
	for _, r := range s.routes() {
		if strings.HasPrefix(r.pattern, "/api/") {
			out = append(out, r.method+" "+r.pattern)
		}
	}
	return out
}

package web

import (
	"cmp"
	"errors"
	"log/slog"
	"net/http"
	"net/netip"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"time"

	"sakusen/tuner/queue/fleet"
	"sakusen/tuner/service"
	"sakusen/tuner/web/api"
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
	pages      pageSet
	started    time.Time
	films      *projector
	records    *shared[string, string] // by a digest of their text
	counts     *counts
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
		failures: failures{o.Log, o.Service}, o: o, Hub: newHub(sinceEpoch(time.Now())), started: time.Now(), films: newProjector(), records: newShared[string, string](recordsKept), counts: newCounts(),
	}
	s.gate = newGate(&s.o, s.failures, s.counts)
	m := newMeters(s)
	s.measured, s.gate.timed = m.handler, m.timed
	var err error
	if s.pages, err = parse(); err != nil {
		return nil, err
	}
	s.chronicles = newChronicles(s.failures, s.pages, s.counts)
	s.SetAccess(Access{o.Tokens, o.Hosts})
	mux := http.NewServeMux()
	mux.Handle("GET /static/", s.static())
	methods := map[string][]string{}
	for _, r := range s.routes() {
		mux.HandleFunc(r.method+" "+r.pattern, s.serve(r))
		s.gate.needs[r.method+" "+r.pattern] = cmp.Or(r.role, api.Administer)
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

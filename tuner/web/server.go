package web

import (
	"log/slog"
	"net/http"
	"net/netip"
	"runtime/debug"
	"sync/atomic"
	"time"

	"sakusen/tuner/queue/fleet"
	"sakusen/tuner/serve/role"
	"sakusen/tuner/service"
	"sakusen/tuner/web/pages"
)

// Options are what a server serves, and to whom.
type Options struct {
	Service *service.Service
	// Theatre, unless nil, shows games.
	Theatre Theatre
	// Tokens are what programs send as bearer tokens and people type at the login page. If
	// there is none, everybody who can reach the server may do everything.
	Tokens role.Tokens
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
	Tokens role.Tokens
	Hosts  []string
}

// Server is the handler of everything.
type Server struct {
	o       Options
	access  atomic.Pointer[Access]
	Hub     *Hub
	handler http.Handler
	pages   pages.Set
	started time.Time
	writes  *buckets // by address
	logins  *buckets
	ended   *ended   // logins
	guesses *buckets // wrong tokens of programs
	films   *projector
	places  chan struct{}        // of large requests
	bodies  *bodies              // that are being read
	needs   map[string]role.Role // by the pattern of a route
	records *records
	counts  counts

	elsewhere atomic.Pointer[func() fleet.Fleet]
	measured  http.Handler // what Prometheus reads
	timed     func(r *http.Request, since time.Time)

	chronicles *chronicles
}

// Close ends what goes on for those who watch: streams of events and films.
func (s *Server) Close() {
	s.Hub.Close()
	s.films.close()
}

// SetAccess changes who may come in, from the next request on. Another token ends
// the streams of events that the former one opened: who has the new one comes back.
func (s *Server) SetAccess(a Access) {
	if old := s.access.Swap(&a); old != nil && !old.Tokens.Same(a.Tokens) {
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

// handler answers a request, or returns why it cannot. It returns an error only if it has
// not written anything yet.
type handler func(w http.ResponseWriter, r *http.Request) error

// route is one operation.
type route struct {
	method, pattern string
	handle          handler
}

// Guarded tells whether a server asks for a token.
func Guarded(s *Server) bool { return len(s.access.Load().Tokens) > 0 }

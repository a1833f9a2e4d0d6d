package web

import (
	"log/slog"
	"net/http"
	"runtime/debug"
	"sync/atomic"
	"time"

	"sakusen/tuner/service"
	"sakusen/tuner/web/pages"
)

// Options are what a server serves, and to whom.
type Options struct {
	Service *service.Service
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
	pages   pages.Set
	started time.Time
	writes  *buckets // by address
	logins  *buckets
	ended   *ended   // logins
	guesses *buckets // wrong tokens of programs
	films   *projector
	places  chan struct{} // of large requests
	records *records
	counts  counts

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

// handler answers a request, or returns why it cannot. An error comes before
// anything is written: whoever has begun to answer returns nil.
type handler func(w http.ResponseWriter, r *http.Request) error

// route is one operation.
type route struct {
	method, pattern string
	handle          handler
}

// Guarded tells whether a server asks for a token.
func Guarded(s *Server) bool { return s.access.Load().Token != "" }

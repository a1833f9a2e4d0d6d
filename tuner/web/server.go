package web

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"regexp"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"sakusen/tuner/queue/fleet"
	"sakusen/tuner/service"
	"sakusen/tuner/web/api"
)

// Options are a server's service, tokens, host names and proxies.
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
	// Base is the path of a proxy below which browsers see the server, such as /sakusen.
	Base   string
	Log    *slog.Logger
	Commit string // of the build
}

// Access says which requests are accepted; it can be changed while the server runs.
type Access struct {
	Tokens api.Tokens
	Hosts  []string
}

// Server is the handler of everything.
type Server struct {
	failures
	Hub       *Hub
	o         Options
	gate      *gate
	handler   http.Handler
	pages     pageSet
	started   time.Time
	films     *projector
	records   *shared[string, string] // by a digest of their text
	counts    *counts
	studyLogs *studyLogs
	fleet     atomic.Pointer[func() fleet.Fleet]
	measured  http.Handler // what Prometheus reads
}

// Close ends all streams of events and films.
func (s *Server) Close() {
	s.Hub.Close()
	s.films.close()
}

// SetAccess changes which requests are accepted, from the next one on. If the tokens
// change, all streams of events end; clients with a valid token connect again.
func (s *Server) SetAccess(a Access) {
	if old := s.gate.access.Swap(&a); old != nil && !old.Tokens.Same(a.Tokens) {
		s.Hub.Close()
	}
}

// New makes a server.
func New(o Options) (*Server, error) {
	if len(o.Hosts) == 0 {
		return nil, errors.New("web: expected at least one host name, got none")
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	s := &Server{
		failures: failures{o.Log, o.Service}, o: o, Hub: newHub(sinceEpoch(time.Now())), started: time.Now(), films: newProjector(), records: newShared[string, string](recordsKept), counts: newCounts(),
	}
	s.gate = newGate(&s.o, s.failures, s.counts)
	m := newMeters(s)
	s.measured, s.gate.timed = m, m.timed
	s.pages = pageSet{s.gate.may, new(sync.Map), base(o.Base)}
	s.studyLogs = newStudyLogs(s.failures, pageSet{s.gate.may, s.pages.theirs, ""}, s.counts) // what they draw is a part of a page
	s.SetAccess(Access{o.Tokens, o.Hosts})
	if err := base(o.Base).check(s.routes()); err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	s.gate.mux = mux
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
		if at := strings.TrimRight(r.URL.Path, "/"); wantsPage(r) && at != "" && at != r.URL.Path { // a page's address with a slash behind it
			w.Header().Set("Location", (&url.URL{Path: at, RawQuery: r.URL.RawQuery}).String())
			w.WriteHeader(http.StatusMovedPermanently)
			return
		}
		if wantsPage(r) {
			s.failPage(w, r, nothing)
			return
		}
		s.fail(w, r, nothing)
	})
	s.handler = base(o.Base).handler(s.gate.guard(mux))
	return s, nil
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	defer func() {
		if v := recover(); v != nil && v != http.ErrAbortHandler {
			s.o.Log.Error("panic", "path", r.URL.Path, "value", v, "stack", string(debug.Stack()))
			if p := problem(http.StatusInternalServerError, "the server failed; its log says why"); wantsPage(r) {
				s.failPage(w, r, p)
			} else {
				write(w, http.StatusInternalServerError, p)
			}
		}
	}()
	s.handler.ServeHTTP(w, r)
}

// Guarded reports whether a server asks for a token.
func (s *Server) Guarded() bool { return len(s.gate.access.Load().Tokens) > 0 }

// healthz answers that the process runs.
func (s *Server) healthz(w http.ResponseWriter, _ *http.Request) error {
	write(w, http.StatusOK, map[string]string{"status": "ok"})
	return nil
}

// readyz answers whether the server can work: whether its database responds.
func (s *Server) readyz(w http.ResponseWriter, r *http.Request) error {
	if err := s.o.Service.Ready(r.Context()); err != nil {
		s.o.Log.Warn("not ready", "error", err)
		write(w, http.StatusServiceUnavailable, map[string]string{"status": "not ready"})
		return nil
	}
	write(w, http.StatusOK, map[string]string{"status": "ready"})
	return nil
}

// metrics returns what Prometheus reads.
func (s *Server) metrics(w http.ResponseWriter, r *http.Request) error {
	s.measured.ServeHTTP(w, r)
	return nil
}

// Problem is the answer of the API to a request that it cannot fulfil. Errors of the
// service become one in [problemOf]; what HTTP itself forbids, such as a method that a path
// does not have, is one from the start.
type Problem struct {
	Status int      `json:"-"`
	Text   string   `json:"error"`
	Errors []string `json:"errors,omitempty"` // all of them, where there are several
	// RetryAfter, unless 0, is the number of seconds after which asking again may
	// help.
	RetryAfter int `json:"-"`
}

func (p *Problem) Error() string { return p.Text }

// problem makes a Problem.
func problem(status int, text string, all ...string) *Problem {
	return &Problem{Status: status, Text: text, Errors: all}
}

// statusOf returns the HTTP status of an error of the service.
//
//	invalid                400
//	notfound               404, 410 where there is nothing to do it with
//	conflict, refused      409
//	unavailable            503, 507 where the disk is full
//	internal               500
func statusOf(e *service.Error) int {
	switch e.Code {
	case service.Invalid:
		return http.StatusBadRequest
	case service.NotFound:
		if e.Reason == service.Nothing {
			return http.StatusGone
		}
		return http.StatusNotFound
	case service.Conflict, service.Refused:
		return http.StatusConflict
	case service.Unavailable:
		if e.Reason == service.Full {
			return http.StatusInsufficientStorage
		}
		return http.StatusServiceUnavailable
	}
	return http.StatusInternalServerError
}

// problemOf returns the part of an error that the client may see; ours says that the fault is
// the server's and not the client's.
func problemOf(err error) (p *Problem, ours bool) {
	if errors.As(err, &p) {
		return p, false
	}
	if large, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return problem(http.StatusRequestEntityTooLarge, fmt.Sprintf("expected at most %d bytes", large.Limit)), false
	}
	if errors.Is(err, service.ErrRights) {
		return problem(http.StatusForbidden, clipped(err.Error())), false
	}
	e := service.ErrorOf(err)
	p = problem(statusOf(e), clipped(e.Text()), bounded(e.Details)...)
	p.RetryAfter = int(e.RetryAfter.Seconds())
	return p, e.Code == service.Internal || e.Code == service.Unavailable && e.Err != nil
}

const (
	// longMistake bounds a text of an answer that says what is wrong, in bytes, and
	// mostMistakes their number: what was sent is not sent back.
	longMistake  = 2000
	mostMistakes = 100
)

// clipped returns a text without its middle, where it is long.
func clipped(text string) string {
	if len(text) <= longMistake {
		return text
	}
	head, tail := text[:longMistake/2], text[len(text)-longMistake/2:]
	return strings.ToValidUTF8(head, "") + " ... " + strings.ToValidUTF8(tail, "")
}

// bounded returns the first of many texts, each clipped.
func bounded(all []string) []string {
	var out []string
	for i, text := range all {
		if i == mostMistakes {
			return append(out, fmt.Sprintf("and %d more", len(all)-i))
		}
		out = append(out, clipped(text))
	}
	return out
}

// asProblem returns the problem in an error for which the client is to blame.
func asProblem(err error) (*Problem, bool) {
	if err == nil {
		return nil, false
	}
	p, ours := problemOf(err)
	return p, !ours
}

// mistakes returns what an error says that the client got wrong, for its form; other is the
// error where the client is not to blame.
func mistakes(err error) (wrong []string, other error) {
	p, ok := asProblem(err)
	switch {
	case !ok:
		return nil, err
	case len(p.Errors) == 0:
		return []string{p.Text}, nil
	}
	return p.Errors, nil
}

// write answers with a JSON document.
func write(w http.ResponseWriter, status int, v any) {
	text, err := json.Marshal(v)
	if err != nil {
		status, text = http.StatusInternalServerError, []byte(`{"error":"the answer cannot be written"}`)
	}
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	w.Write(append(text, '\n')) // a client that has left is not our error
}

// failures answer with errors.
type failures struct {
	log     *slog.Logger
	service *service.Service
}

// fail answers with an error.
func (s *failures) fail(w http.ResponseWriter, r *http.Request, err error) {
	p := s.answerTo(r, err)
	if p.RetryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(p.RetryAfter))
	}
	write(w, p.Status, p)
}

// answerTo returns the part of an error that the client may see; internal errors are also logged.
func (s *failures) answerTo(r *http.Request, err error) *Problem {
	p, ours := problemOf(err)
	if !ours {
		return p
	}
	if r.Context().Err() == nil { // a client that has left is not our error
		s.log.Error("a request failed", "method", r.Method, "path", r.URL.Path, "error", err)
	}
	s.service.Failed(err)
	return p
}

// studyName is what a study of a study file may be called.
var studyName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,99}(@[0-9]{1,9})?$`) // with an @, of a former log

// query returns a whole number of the query, or the default where it is absent.
func query(r *http.Request, name string, otherwise, least, most int) (int, error) {
	text := r.URL.Query().Get(name)
	if text == "" {
		return otherwise, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < least || n > most {
		return 0, service.New(service.Invalid, fmt.Sprintf("%s: expected an integer from %d to %d, got %.40q", name, least, most, text))
	}
	return n, nil
}

// name returns the study that the path names.
func name(r *http.Request) (string, error) {
	in, err := api.V1.GetStudy.Decode(r)
	return in.Study, err
}

// mostKey is the largest key of a page.
const mostKey = api.MostKey

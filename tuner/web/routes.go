package web

import (
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"time"

	"sakusen/tuner/serve/role"
	"sakusen/tuner/service"
	"sakusen/tuner/web/pages"
)

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
		writes: newBuckets(20, 100), logins: newBuckets(0.2, 10), ended: newEnded(), guesses: newBuckets(1, 30),
		films: newProjector(), places: make(chan struct{}, heavyPlaces), records: newRecords(), bodies: newBodies(), needs: map[string]role.Role{}, chronicles: newChronicles(),
	}
	m := newMeters(s)
	s.measured, s.timed = m.handler, m.timed
	var err error
	if s.pages, err = pages.Parse(); err != nil {
		return nil, err
	}
	s.SetAccess(Access{o.Tokens, o.Hosts})
	mux := http.NewServeMux()
	mux.Handle("GET /static/", s.static())
	methods := map[string][]string{}
	for _, r := range s.routes() {
		mux.HandleFunc(r.method+" "+r.pattern, s.serve(r))
		s.needs[r.method+" "+r.pattern] = r.needs()
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

// routes are all operations; openapi.json describes those under /api/.
func (s *Server) routes() []route {
	shown, forms, studies, catalogue := studyPages{s}, studyForms{s}, studyAPI{s}, catalogueAPI{s}
	return append([]route{
		{"GET", "/healthz", s.healthz},
		{"GET", "/readyz", s.readyz},
		{"GET", "/metrics", s.metrics},
		{"GET", "/login", s.loginPage},
		{"GET", "/role.css", s.roleStyle},
		{"POST", "/login", s.login},
		{"POST", "/logout", s.logout},
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
		{"GET", "/api/v1", studies.about},
		{"GET", "/api/v1/openapi.json", catalogue.openapi},
		{"GET", "/api/v1/events", s.events},
		{"GET", "/api/v1/now", studies.now},
		{"GET", "/api/v1/workers", studies.workers},
		{"GET", "/api/v1/games", catalogue.games},
		{"GET", "/api/v1/games/{game}/strategies", catalogue.strategies},
		{"GET", "/api/v1/studies", studies.studies},
		{"POST", "/api/v1/studies", studies.submit},
		{"POST", "/api/v1/forecast", studies.forecast},
		{"GET", "/api/v1/studies/{study}", studies.study},
		{"DELETE", "/api/v1/studies/{study}", studies.remove},
		{"GET", "/api/v1/studies/{study}/trials", studies.trials},
		{"GET", "/api/v1/studies/{study}/history", studies.trialHistory},
		{"GET", "/api/v1/studies/{study}/log", studies.entries},
		{"GET", "/api/v1/studies/{study}/export", studies.export},
		{"POST", "/api/v1/studies/{study}/pause", studies.act((*service.Studies).Pause)},
		{"POST", "/api/v1/studies/{study}/resume", studies.act((*service.Studies).Resume)},
		{"POST", "/api/v1/studies/{study}/stop", studies.act((*service.Studies).Stop)},
		{"POST", "/api/v1/studies/{study}/priority", studies.priority},
		{"GET", "/api/v1/studies/{study}/asks", studies.asks},
		{"POST", "/api/v1/studies/{study}/asks", studies.ask},
		{"POST", "/api/v1/studies/{study}/results", studies.tell},
		{"POST", "/api/v1/studies/{study}/prove", studies.prove},
		{"POST", "/api/v1/studies/{study}/points", studies.try},
		{"PUT", "/api/v1/studies/{study}/note", studies.note},
		{"POST", "/api/v1/prune", catalogue.prune},
		{"GET", "/api/v1/bench/series", catalogue.series},
		{"GET", "/api/v1/bench/series/{series...}", catalogue.history},
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

// Pages are what people look at, as patterns of paths such as /studies/{study}: all that
// GET answers but the API, files, and what machines read.
func Pages(s *Server) []string {
	var out []string
	for _, r := range s.routes() {
		if r.method == "GET" && !strings.HasPrefix(r.pattern, "/api/") && !slices.Contains([]string{"/healthz", "/readyz", "/metrics", "/role.css"}, r.pattern) {
			out = append(out, r.pattern)
		}
	}
	return out
}

// writerRoutes are what commands write through the server that holds the
// database, and the blocks that are read from it.
func (s *Server) writerRoutes() []route {
	writer := writerAPI{s}
	return []route{
		{"GET", "/api/v1/studies/{study}/blocks", writer.blocks},
		{"POST", "/api/v1/studies/{study}/drop", writer.drop},
		{"POST", "/api/v1/blocks", writer.saveBlocks},
		{"POST", "/api/v1/bench/runs", writer.recordBench},
		{"POST", "/api/v1/bench/accept", writer.acceptBench},
		{"POST", "/api/v1/bench/prune", writer.pruneBench},
		{"PUT", "/api/v1/bench/baselines/{name}", writer.setBaseline},
		{"DELETE", "/api/v1/bench/baselines/{name}", writer.removeBaseline},
	}
}

// jobRoutes are the operations on tournaments and experiments.
func (s *Server) jobRoutes() []route {
	t := jobAPI{s, s.o.Service.Tournaments().Jobs, "tournaments"}
	e := jobAPI{s, s.o.Service.Experiments().Jobs, "runs"}
	routes := []route{
		{"POST", "/api/v1/tournaments", t.submitTournament},
		{"GET", "/api/v1/experiments", e.experiments},
		{"POST", "/api/v1/experiments/runs", e.submitRun},
	}
	for path, a := range map[string]jobAPI{"/api/v1/tournaments": t, "/api/v1/experiments/runs": e} {
		routes = append(routes,
			route{"GET", path, a.jobs},
			route{"GET", path + "/{id}", a.job},
			route{"DELETE", path + "/{id}", a.remove},
			route{"POST", path + "/{id}/pause", a.act((*service.Jobs).Pause)},
			route{"POST", path + "/{id}/resume", a.act((*service.Jobs).Resume)},
			route{"POST", path + "/{id}/stop", a.act((*service.Jobs).Stop)},
			route{"POST", path + "/{id}/priority", a.priority},
		)
	}
	return routes
}

// jobPageRoutes are the pages of tournaments and experiments.
func (s *Server) jobPageRoutes() []route {
	t := jobPages{jobAPI{s, s.o.Service.Tournaments().Jobs, "tournaments"}, "/tournaments/", "/tournaments"}
	e := jobPages{jobAPI{s, s.o.Service.Experiments().Jobs, "runs"}, "/experiments/runs/", "/experiments"}
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
			route{"POST", p.path + "{id}/pause", p.act((*service.Jobs).Pause)},
			route{"POST", p.path + "{id}/resume", p.act((*service.Jobs).Resume)},
			route{"POST", p.path + "{id}/stop", p.act((*service.Jobs).Stop)},
			route{"POST", p.path + "{id}/delete", p.forget},
		)
	}
	return routes
}

// theatreRoutes are the operations of the theatre.
func (s *Server) theatreRoutes() []route {
	theatre := theatreAPI{s}
	return []route{
		{"GET", "/watch", theatre.watchPage},
		{"GET", "/watch/film", theatre.filmPage},
		{"POST", "/watch/record", theatre.bringRecord},
		{"GET", "/studies/{study}/trials/{number}/games", theatre.gamesPage},
		{"GET", "/api/v1/studies/{study}/trials/{number}/games", theatre.trialGames},
		{"GET", "/api/v1/films", theatre.storedFilm},
		{"POST", "/api/v1/films", theatre.freshFilm},
	}
}

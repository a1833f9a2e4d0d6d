package web

import (
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"time"

	"sakusen/tuner/service"
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

// writerRoutes are the operations of Options.Writer.
func (s *Server) writerRoutes() []route {
	if s.o.Writer == nil {
		return nil
	}
	return []route{
		{"GET", "/api/v1/studies/{study}/blocks", s.blocks},
		{"POST", "/api/v1/studies/{study}/drop", s.drop},
		{"POST", "/api/v1/blocks", s.saveBlocks},
		{"POST", "/api/v1/bench/runs", s.recordBench},
		{"POST", "/api/v1/bench/accept", s.acceptBench},
		{"POST", "/api/v1/bench/prune", s.pruneBench},
		{"PUT", "/api/v1/bench/baselines/{name}", s.setBaseline},
		{"DELETE", "/api/v1/bench/baselines/{name}", s.removeBaseline},
	}
}

// jobRoutes are the operations on tournaments and experiments.
func (s *Server) jobRoutes() []route {
	t := jobAPI{s, service.Tournament, "tournaments"}
	e := jobAPI{s, service.Experiment, "runs"}
	routes := []route{
		{"POST", "/api/v1/tournaments", t.submitTournament},
		{"GET", "/api/v1/experiments", s.experiments},
		{"POST", "/api/v1/experiments/runs", e.submitRun},
	}
	for path, a := range map[string]jobAPI{"/api/v1/tournaments": t, "/api/v1/experiments/runs": e} {
		routes = append(routes,
			route{"GET", path, a.jobs},
			route{"GET", path + "/{id}", a.job},
			route{"DELETE", path + "/{id}", a.remove},
			route{"POST", path + "/{id}/pause", a.act(Control.Pause)},
			route{"POST", path + "/{id}/resume", a.act(Control.Resume)},
			route{"POST", path + "/{id}/stop", a.act(Control.Stop)},
			route{"POST", path + "/{id}/priority", a.priority},
		)
	}
	return routes
}

// jobPageRoutes are the pages of tournaments and experiments.
func (s *Server) jobPageRoutes() []route {
	t := jobPages{jobAPI{s, service.Tournament, "tournaments"}, "/tournaments/", "/tournaments"}
	e := jobPages{jobAPI{s, service.Experiment, "runs"}, "/experiments/runs/", "/experiments"}
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
			route{"POST", p.path + "{id}/pause", p.act(Control.Pause)},
			route{"POST", p.path + "{id}/resume", p.act(Control.Resume)},
			route{"POST", p.path + "{id}/stop", p.act(Control.Stop)},
			route{"POST", p.path + "{id}/delete", p.forget},
		)
	}
	return routes
}

// theatreRoutes are the operations of the theatre.
func (s *Server) theatreRoutes() []route {
	return []route{
		{"GET", "/watch", s.watchPage},
		{"GET", "/watch/film", s.filmPage},
		{"POST", "/watch/record", s.bringRecord},
		{"GET", "/studies/{study}/trials/{number}/games", s.gamesPage},
		{"GET", "/api/v1/studies/{study}/trials/{number}/games", s.trialGames},
		{"GET", "/api/v1/films", s.storedFilm},
		{"POST", "/api/v1/films", s.freshFilm},
	}
}

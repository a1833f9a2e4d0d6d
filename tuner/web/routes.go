package web

import (
	"net/http"
	"slices"
	"strings"

	"sakusen/tuner/service"
	"sakusen/tuner/web/api"
)

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
	}, theatreAPI{s}.routes(), s.jobPageRoutes(), operations{s}.routes(), studyAPI{s}.routes(), s.jobLists(), benchmarkAPI{s}.routes())
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

package web

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"sakusen/tuner/serve/role"
)

// reads are the writes of HTTP that change nothing in the database: films, checks of
// forms, a replay file to be watched, logging in and out.
var reads = []string{
	"/api/v1/films", "/watch/record", "/new/check", "/new/forecast", "/new/file/check", "/new/file/edit", "/new/tournament/check", "/login", "/logout",
}

// adds are the routes that add something and change nothing that is there, or that
// have games played to say what would be.
var adds = []string{
	"/api/v1/studies", "/api/v1/forecast", "/api/v1/tournaments", "/api/v1/experiments/runs", "/api/v1/blocks", "/api/v1/bench/runs",
	"/api/v1/studies/{study}/asks", "/api/v1/studies/{study}/results",
	"/api/v1/studies/{study}/prove", "/studies/{study}/prove",
	"/new", "/new/file", "/new/tournament", "/experiments",
}

// needs is the role that a route takes. What is not listed takes the highest.
func (r *route) needs() role.Role {
	switch {
	case r.method == http.MethodGet:
		return role.Read
	case r.method == http.MethodPost && slices.Contains(reads, r.pattern):
		return role.Read
	case r.method == http.MethodPost && slices.Contains(adds, r.pattern):
		return role.Submit
	}
	return role.Administer
}

// roleStyle hides from a page the forms that the token cannot use. It is for the eye
// alone: what is hidden is refused as well.
func (s *Server) roleStyle(w http.ResponseWriter, r *http.Request) error {
	var hidden []string
	have := s.role(r)
	if have < role.Submit {
		hidden = append(hidden, `nav a[href="/new"]`, `a[href^="/new"]`, `form[method=post][action="/experiments"]`, `form[method=post][action^="/new"]`)
	}
	if have < role.Administer {
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

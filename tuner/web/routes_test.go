package web

import (
	"net/http"
	"strings"

	"sakusen/tuner/web/api"
)

// AllRoutes returns all operations, pages included, as "METHOD path" with parameters
// filled in.
func (s *Server) AllRoutes() (out []string) {
	for _, r := range s.routes() {
		path := strings.Replace(r.pattern, "{$}", "", 1)
		for strings.Contains(path, "{") {
			from, to := strings.Index(path, "{"), strings.Index(path, "}")
			path = path[:from] + "first" + path[to+1:]
		}
		out = append(out, r.method+" "+path)
	}
	return out
}

// Forms returns the paths of pages' forms by what each takes.
func (s *Server) Forms() map[string]api.Role {
	out := map[string]api.Role{}
	for _, r := range s.routes() {
		if r.method == http.MethodPost && !strings.HasPrefix(r.pattern, "/api/") {
			out[r.pattern] = s.gate.needs[r.method+" "+r.pattern]
		}
	}
	return out
}

// FormAt returns the pattern of the form that is sent to a path.
func (s *Server) FormAt(path string) string {
	r, _ := http.NewRequest(http.MethodPost, path, nil)
	_, pattern := s.gate.mux.Handler(r)
	return strings.TrimPrefix(pattern, "POST ")
}

// Operations returns the operations of the API that are answered, as "METHOD /path".
func (s *Server) Operations() []string {
	var out []string
	for _, r := range s.routes() {
		if strings.HasPrefix(r.pattern, "/api/") {
			out = append(out, r.method+" "+r.pattern)
		}
	}
	return out
}

package web

import "strings"

// AllRoutes are all operations, pages included, as "METHOD path" with parameters
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

// Operations are the operations of the API that are answered, as "METHOD /path".
func (s *Server) Operations() []string {
	var out []string
	for _, r := range s.routes() {
		if strings.HasPrefix(r.pattern, "/api/") {
			out = append(out, r.method+" "+r.pattern)
		}
	}
	return out
}

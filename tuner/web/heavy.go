package web

import (
	"net/http"
	"time"
)

// heavyBody is the size of a body, in bytes, above which a request needs one of a few
// places. Reading a study file of 1 MiB takes 100 MB of memory, and played blocks of 16 MiB
// take more; a hundred at once would use up all memory.
const heavyBody = 64 << 10

// formBody bounds what may be sent without a token, in bytes.
const formBody = 4096

// heavyPlaces is the number of such requests that are served at once; others wait
// for heavyPatience.
const (
	heavyPlaces   = 2
	heavyPatience = 20 * time.Second
)

// heavy tells whether a request needs a place. Films are bounded by themselves and
// take long.
func heavy(r *http.Request) bool {
	return r.Method != http.MethodGet && r.Method != http.MethodHead && r.URL.Path != "/api/v1/films" &&
		(r.ContentLength < 0 || r.ContentLength > heavyBody)
}

// place waits for a place and returns what gives it back, or why there is none. The
// body is read before, so that nobody holds a place by sending slowly.
func (s *Server) place(w http.ResponseWriter, r *http.Request) (leave func(), p *Problem) {
	if !heavy(r) {
		return func() {}, nil
	}
	full := &Problem{Status: http.StatusServiceUnavailable, RetryAfter: 5, Text: "too many large requests at once; try again in some seconds"}
	end := s.bodies.begin(s.asker(r))
	if end == nil {
		return nil, full
	}
	defer end()
	if p := readBody(w, r); p != nil {
		return nil, p
	}
	late := time.NewTimer(heavyPatience)
	defer late.Stop()
	select {
	case s.places <- struct{}{}:
		return func() { <-s.places }, nil
	case <-late.C:
	case <-r.Context().Done():
	}
	return nil, full
}

package web

import (
	"net/http"
	"strconv"
)

// fail answers with an error.
func (s *Server) fail(w http.ResponseWriter, r *http.Request, err error) {
	p := s.answerTo(r, err)
	if p.RetryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(p.RetryAfter))
	}
	write(w, p.Status, p)
}

// answerTo is the part of an error that the client may see; internal errors are also
// logged.
func (s *Server) answerTo(r *http.Request, err error) *Problem {
	p, ours := problemOf(err)
	if !ours {
		return p
	}
	if r.Context().Err() == nil { // a client that has left is not our error
		s.o.Log.Error("a request failed", "method", r.Method, "path", r.URL.Path, "error", err)
	}
	s.o.Service.Failed(err)
	return p
}

// reply answers with v, unless there is an error.
func reply(w http.ResponseWriter, v any, err error) error {
	if err == nil {
		write(w, http.StatusOK, v)
	}
	return err
}

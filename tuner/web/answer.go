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

// answerTo is what the asker is told of an error; the log is told of one of ours.
func (s *Server) answerTo(r *http.Request, err error) *Problem {
	p, ours := problemOf(err)
	if !ours {
		return p
	}
	if r.Context().Err() == nil { // an asker that is gone is no error of ours
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

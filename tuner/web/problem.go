package web

import (
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
)

// Problem is an error for which the asker is to blame, with its status.
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
func problem(status int, text string) *Problem { return &Problem{Status: status, Text: text} }

// NewProblem makes a Problem with everything that is wrong.
func NewProblem(status int, text string, all ...string) *Problem {
	return &Problem{Status: status, Text: text, Errors: all}
}

// fail answers with an error.
func (s *Server) fail(w http.ResponseWriter, r *http.Request, err error) {
	p := s.blame(r, err)
	if p.RetryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(p.RetryAfter))
	}
	write(w, p.Status, p)
}

// blame is what the asker is told of an error; the log is told of one of ours.
func (s *Server) blame(r *http.Request, err error) *Problem {
	var p *Problem
	if errors.As(err, &p) {
		return p
	}
	if r.Context().Err() == nil { // an asker that is gone is no error of ours
		s.o.Log.Error("request", "method", r.Method, "path", r.URL.Path, "error", err)
	}
	if s.o.Fault != nil {
		p = s.o.Fault(err)
	}
	if p == nil {
		p = problem(http.StatusInternalServerError, "the server failed; its log says why")
	}
	return p
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
	w.Write(append(text, '\n')) // a client that is gone is no error of ours
}

// asProblem is the problem in an error.
func asProblem(err error) (*Problem, bool) {
	var p *Problem
	return p, errors.As(err, &p)
}

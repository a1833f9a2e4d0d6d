package web

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strconv"
	"strings"

	"sakusen/tuner/service"
)

// Problem is what the API answers where it cannot do what was asked. Errors of
// the service become one in [problemOf]; what HTTP itself forbids, such as a
// method that a path does not have, is one from the start.
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
func problem(status int, text string, all ...string) *Problem {
	return &Problem{Status: status, Text: text, Errors: all}
}

// statusOf is the HTTP status of an error of the service.
//
//	invalid                400
//	notfound               404, 410 where there is nothing to do it with
//	conflict, refused      409
//	unavailable            503, 507 where the disk is full
//	internal               500
func statusOf(e *service.Error) int {
	switch e.Code {
	case service.Invalid:
		return http.StatusBadRequest
	case service.NotFound:
		if e.Reason == service.Nothing {
			return http.StatusGone
		}
		return http.StatusNotFound
	case service.Conflict, service.Refused:
		return http.StatusConflict
	case service.Unavailable:
		if e.Reason == service.Full {
			return http.StatusInsufficientStorage
		}
		return http.StatusServiceUnavailable
	}
	return http.StatusInternalServerError
}

// problemOf is the part of an error that the client may see; ours says that the fault is
// the server's and not the client's.
func problemOf(err error) (p *Problem, ours bool) {
	if errors.As(err, &p) {
		return p, false
	}
	if large, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return problem(http.StatusRequestEntityTooLarge, fmt.Sprintf("expected at most %d bytes", large.Limit)), false
	}
	e := service.ErrorOf(err)
	p = problem(statusOf(e), clipped(e.Text()), bounded(e.Details)...)
	p.RetryAfter = int(e.RetryAfter.Seconds())
	return p, e.Code == service.Internal || e.Code == service.Unavailable && e.Err != nil
}

const (
	// longMistake bounds a text of an answer that says what is wrong, in bytes, and
	// mostMistakes their number: what was sent is not sent back.
	longMistake  = 2000
	mostMistakes = 100
)

// clipped is a text without its middle, where it is long.
func clipped(text string) string {
	if len(text) <= longMistake {
		return text
	}
	head, tail := text[:longMistake/2], text[len(text)-longMistake/2:]
	return strings.ToValidUTF8(head, "") + " ... " + strings.ToValidUTF8(tail, "")
}

// bounded is the first of many texts, each clipped.
func bounded(all []string) []string {
	var out []string
	for i, text := range all {
		if i == mostMistakes {
			return append(out, fmt.Sprintf("and %d more", len(all)-i))
		}
		out = append(out, clipped(text))
	}
	return out
}

// asProblem is the problem in an error for which the client is to blame.
func asProblem(err error) (*Problem, bool) {
	if err == nil {
		return nil, false
	}
	p, ours := problemOf(err)
	return p, !ours
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
	w.Write(append(text, '\n')) // a client that has left is not our error
}

// failures answer with errors.
type failures struct {
	log     *slog.Logger
	service *service.Service
}

// fail answers with an error.
func (s *failures) fail(w http.ResponseWriter, r *http.Request, err error) {
	p := s.answerTo(r, err)
	if p.RetryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(p.RetryAfter))
	}
	write(w, p.Status, p)
}

// answerTo is the part of an error that the client may see; internal errors are also
// logged.
func (s *failures) answerTo(r *http.Request, err error) *Problem {
	p, ours := problemOf(err)
	if !ours {
		return p
	}
	if r.Context().Err() == nil { // a client that has left is not our error
		s.log.Error("a request failed", "method", r.Method, "path", r.URL.Path, "error", err)
	}
	s.service.Failed(err)
	return p
}

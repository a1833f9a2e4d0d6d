package web

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"regexp"
	"strconv"
	"strings"

	"sakusen/tuner/service"
	"sakusen/tuner/web/api"
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

// mistakes are what an error says that the client got wrong, for its form; other is the
// error where the client is not to blame.
func mistakes(err error) (wrong []string, other error) {
	p, ok := asProblem(err)
	switch {
	case !ok:
		return nil, err
	case len(p.Errors) == 0:
		return []string{p.Text}, nil
	}
	return p.Errors, nil
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

// studyName is what a study of a study file may be called.
var studyName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,99}(@[0-9]{1,9})?$`) // with an @, of a former log

// query is a whole number of the query, or the default where it is absent.
func query(r *http.Request, name string, otherwise, least, most int) (int, error) {
	text := r.URL.Query().Get(name)
	if text == "" {
		return otherwise, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < least || n > most {
		return 0, service.New(service.Invalid, fmt.Sprintf("%s: expected an integer from %d to %d, got %.40q", name, least, most, text))
	}
	return n, nil
}

// name is the study that the path names.
func name(r *http.Request) (string, error) {
	in, err := api.V1.GetStudy.Decode(r)
	return in.Study, err
}

// mostKey is the largest key of a page.
const mostKey = api.MostKey

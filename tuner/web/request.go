package web

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"sakusen/tuner/service"
)

// mostFileName bounds the file name that is printed before every mistake in a file, in
// bytes.
const mostFileName = 200

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

// mostStudyName bounds the name of a study of another program, in bytes; those of study
// files are shorter.
const mostStudyName = 512

// name is the study that the path names.
func name(r *http.Request) (string, error) {
	n := r.PathValue("study")
	if n == "" || len(n) > mostStudyName || !utf8.ValidString(n) || strings.ContainsFunc(n, unicode.IsControl) {
		return "", service.New(service.NotFound, fmt.Sprintf("no study named %.40q", n))
	}
	return n, nil
}

// read decodes a request's body: one JSON document with known fields only. An
// empty body leaves v as it is.
func read(r *http.Request, v any) error {
	d := json.NewDecoder(r.Body)
	d.DisallowUnknownFields()
	err := d.Decode(v)
	var large *http.MaxBytesError
	switch {
	case errors.Is(err, io.EOF):
		return nil
	case errors.As(err, &large):
		return problem(http.StatusRequestEntityTooLarge, fmt.Sprintf("expected at most %d bytes", large.Limit))
	case err != nil:
		return service.New(service.Invalid, fmt.Sprintf("body: %.200s", err))
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return service.New(service.Invalid, "body: expected one JSON document")
	}
	return nil
}

// mostKey is the largest key of a page.
const mostKey = 1 << 53

// maxBody bounds a request's body, in bytes. A study file takes some thousand.
const maxBody = 1 << 20

// maxLarge bounds the body of what may be large, in bytes: benchmark text and
// played blocks.
const maxLarge = 16 << 20

// bodyLimit is the bound of a request's body.
func bodyLimit(path string) int64 {
	if path == "/api/v1/bench/runs" || path == "/api/v1/blocks" {
		return maxLarge
	}
	if path == "/login" || path == "/logout" { // before anybody is known
		return 4096
	}
	return maxBody
}

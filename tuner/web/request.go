package web

import (
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"sakusen/tuner/service"
	"sakusen/tuner/web/api"
)

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

// mostKey is the largest key of a page.
const mostKey = api.MostKey

package web

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"

	"sakusen/tuner/service"
	"sakusen/tuner/web/films"
)

// unpack gets the text of the replay file that a ticket names by its key.
func (s theatreAPI) unpack(t *ticket) error {
	if t.replayKey == "" {
		return nil
	}
	text, ok := s.records.get(t.replayKey)
	if !ok {
		return service.New(service.NotFound, fmt.Sprintf("this server no longer has that replay file (it keeps the last %d): bring it again", recordsKept))
	}
	t.Record = text
	return nil
}

// bringRecord takes a replay file from the form and redirects to its film.
func (s theatreAPI) bringRecord(w http.ResponseWriter, r *http.Request) error {
	t := ticket{Ticket: films.Ticket{Game: r.URL.Query().Get("game")}}
	var err error
	if t.Record, err = formRecord(r); err == nil {
		err = t.check()
	}
	var house Theatre
	if err == nil {
		house, err = s.theatre()
	}
	if err == nil {
		_, err = house.Open(r.Context(), t.Ticket)
	}
	if p, ok := asProblem(err); ok && p.Status == http.StatusBadRequest && s.o.Theatre != nil {
		return s.stagePage(w, r, p)
	}
	if err != nil {
		return err
	}
	q := url.Values{"game": {t.Game}, "record": {s.records.put(t.Record)}}
	http.Redirect(w, r, "/watch/film?"+q.Encode(), http.StatusSeeOther)
	return nil
}

// formRecord is the replay file of a form, its bytes as they are.
func formRecord(r *http.Request) (string, error) {
	var large *http.MaxBytesError
	switch err := r.ParseMultipartForm(maxBody); { // all in memory: the body is bounded by maxBody
	case errors.As(err, &large):
		return "", problem(http.StatusRequestEntityTooLarge, fmt.Sprintf("expected at most %d bytes", large.Limit))
	case err != nil:
		return "", service.New(service.Invalid, "the replay file cannot be read", "record: expected a form with a file (multipart/form-data)")
	}
	file, _, err := r.FormFile("record")
	if err != nil {
		return "", service.New(service.Invalid, "the replay file cannot be read", "record: expected a replay file")
	}
	defer file.Close()
	text, err := io.ReadAll(file)
	if err == nil && len(text) == 0 {
		err = service.New(service.Invalid, "the replay file cannot be read", "record: expected a replay file, got an empty one")
	}
	return string(text), err
}

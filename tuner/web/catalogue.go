package web

import (
	_ "embed"
	"net/http"
)

//go:embed openapi.json
var description []byte

// openapi is the description of the API.
func (s *Server) openapi(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	w.Write(description)
}

// show answers with what the library has.
func (s *Server) show(w http.ResponseWriter, r *http.Request, key string, v any, err error) {
	if err != nil {
		s.fail(w, r, err)
		return
	}
	write(w, http.StatusOK, map[string]any{key: v})
}

func (s *Server) games(w http.ResponseWriter, r *http.Request) {
	v, err := s.o.Library.Games(r.Context())
	s.show(w, r, "games", v, err)
}

func (s *Server) strategies(w http.ResponseWriter, r *http.Request) {
	v, err := s.o.Library.Strategies(r.Context(), r.PathValue("game"))
	s.show(w, r, "strategies", v, err)
}

func (s *Server) series(w http.ResponseWriter, r *http.Request) {
	v, err := s.o.Library.Series(r.Context())
	s.show(w, r, "series", v, err)
}

func (s *Server) history(w http.ResponseWriter, r *http.Request) {
	v, err := s.o.Library.History(r.Context(), r.PathValue("series"))
	s.show(w, r, "history", v, err)
}

// prune deletes old blocks.
func (s *Server) prune(w http.ResponseWriter, r *http.Request) {
	given, err := readPrune(r)
	var v any
	if err == nil {
		v, err = s.o.Library.Prune(r.Context(), given.Days, given.Dry)
	}
	if err != nil {
		s.fail(w, r, err)
		return
	}
	write(w, http.StatusOK, v)
}

// mostDays is a hundred years.
const mostDays = 36500

// pruning says what is to be deleted: what is older than so many days.
type pruning struct {
	Days int  `json:"days"`
	Dry  bool `json:"dry_run"` // only count
}

// readPrune reads a request to delete what is old.
func readPrune(r *http.Request) (pruning, error) {
	var given pruning
	err := read(r, &given)
	if err == nil && (given.Days < 1 || given.Days > mostDays) {
		err = problem(http.StatusBadRequest, "days: expected an integer from 1 to 36500")
	}
	return given, err
}

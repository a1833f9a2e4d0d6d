package web

import (
	"context"
	"net/http"

	"sakusen/tuner/service"
	"sakusen/tuner/store/blocks"
	"sakusen/tuner/web/api"
)

// catalogueAPI is the API of games, strategies and benchmarks.
type catalogueAPI struct{ *Server }

// benchmarks does something with the benchmarks of the database.
func benchmarks[T any](s *Server, r *http.Request, do func(*service.Benchmarks, context.Context) (T, error)) (out T, err error) {
	b, err := s.o.Service.Benchmarks(r.Context())
	if err != nil {
		return out, err
	}
	return do(b, r.Context())
}

// openapi is the description of the API.
func (s catalogueAPI) openapi(w http.ResponseWriter, _ *http.Request) error {
	w.Header().Set("Content-Type", "application/json")
	w.Write(api.Description)
	return nil
}

func (s catalogueAPI) games(w http.ResponseWriter, _ *http.Request) error {
	v, err := s.o.Service.Games()
	return reply(w, map[string]any{"games": v}, err)
}

func (s catalogueAPI) strategies(w http.ResponseWriter, r *http.Request) error {
	v, err := s.o.Service.Strategies(r.PathValue("game"))
	return reply(w, map[string]any{"strategies": v}, err)
}

func (s catalogueAPI) series(w http.ResponseWriter, r *http.Request) error {
	v, err := benchmarks(s.Server, r, (*service.Benchmarks).Series)
	return reply(w, map[string]any{"series": v}, err)
}

func (s catalogueAPI) history(w http.ResponseWriter, r *http.Request) error {
	v, err := s.seriesNamed(r)
	return reply(w, map[string]any{"history": v}, err)
}

// seriesNamed is the series that the path names.
func (s *Server) seriesNamed(r *http.Request) (*service.SeriesHistory, error) {
	return benchmarks(s, r, func(b *service.Benchmarks, ctx context.Context) (*service.SeriesHistory, error) {
		return b.History(ctx, r.PathValue("series"))
	})
}

// prune deletes old blocks.
func (s catalogueAPI) prune(w http.ResponseWriter, r *http.Request) error {
	given, err := readPrune(r)
	var v blocks.Pruned
	if err == nil {
		v, err = s.o.Service.Blocks().Prune(r.Context(), given.Days, given.Dry)
	}
	if err != nil {
		return err
	}
	write(w, http.StatusOK, v)
	return nil
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
		err = service.New(service.Invalid, "days: expected an integer from 1 to 36500")
	}
	return given, err
}

package web

import (
	"net/http"

	"sakusen/tuner/service"
	"sakusen/tuner/web/pages"
)

// SetElsewhere says who knows of workers on other machines.
func SetElsewhere(s *Server, from func() Elsewhere) { s.elsewhere.Store(&from) }

// others is what workers on other machines do, none where none are taken.
func others(s *Server) Elsewhere {
	if from := s.elsewhere.Load(); from != nil {
		return (*from)()
	}
	return Elsewhere{Workers: []Worker{}}
}

// workers is the API's.
func (s studyAPI) workers(w http.ResponseWriter, r *http.Request) error {
	write(w, http.StatusOK, others(s.Server))
	return nil
}

// workersPage shows who plays.
func (s studyPages) workersPage(w http.ResponseWriter, r *http.Request) error {
	v := struct {
		pages.Frame
		E    Elsewhere
		Here int
	}{s.frame("Workers", "now"), others(s.Server), service.Places(s.o.Service)}
	s.render(w, r, http.StatusOK, "workers", v)
	return nil
}

// workerStates are the states that are always told, also of no worker.
var workerStates = []string{"working", "gone", "refused", "paused", "quarantined"}

// workerNumbers are what metrics say of workers on other machines.
func workerNumbers(s *Server) []metric {
	all, by, games := others(s), map[string]float64{}, 0.0
	for _, w := range all.Workers {
		by[w.State]++
		games += float64(w.Games)
	}
	out := []metric{
		{"sakusen_worker_games_total", "Games that workers on other machines have played and that were counted, since the start.", "counter", "", games},
		{"sakusen_worker_jobs_different_total", "Jobs of workers that came out differently when they were played again here.", "counter", "", float64(all.Different)},
	}
	for _, why := range []string{"hello", "connection", "malformed", "unable"} {
		out = append(out, metric{"sakusen_worker_refusals_total", "What was refused of workers: a hello, a connection, a malformed message, a job that one cannot play.", "counter", `reason="` + why + `"`, float64(all.Refused[why])})
	}
	for _, state := range workerStates {
		out = append(out, metric{"sakusen_workers", "Workers on other machines, by state.", "gauge", `state="` + state + `"`, by[state]})
	}
	return out
}

package web

import (
	"net/http"
	"os"

	"sakusen/tuner/queue/fleet"
	"sakusen/tuner/service"
	"sakusen/tuner/web/pages"
)

// SetElsewhere says who knows of workers on other machines.
func SetElsewhere(s *Server, from func() fleet.Fleet) { s.elsewhere.Store(&from) }

// others is what workers on other machines do, none where none are taken.
func others(s *Server) fleet.Fleet {
	if from := s.elsewhere.Load(); from != nil {
		return (*from)()
	}
	return fleet.Fleet{Here: fleet.Here{Cores: service.Places(s.o.Service)}, Workers: []fleet.Worker{}}
}

// workers is the API's.
func (s studyAPI) workers(w http.ResponseWriter, r *http.Request) error {
	write(w, http.StatusOK, others(s.Server))
	return nil
}

// workersPage shows who plays.
func (s studyPages) workersPage(w http.ResponseWriter, r *http.Request) error {
	s.render(w, r, http.StatusOK, "workers", pages.NewWorkers(s.frame("Workers", "now"), others(s.Server), os.Getpid()))
	return nil
}

// workerNumbers are what metrics say of workers on other machines.
func workerNumbers(s *Server) []metric {
	all, games := others(s), 0.0
	var out []metric
	for _, w := range all.Workers {
		games += float64(w.Games)
		label := `worker="` + w.Name + `"`
		out = append(out,
			metric{"sakusen_worker_cores", "Games that a worker plays at a time.", "gauge", label, float64(w.Cores)},
			metric{"sakusen_worker_games_per_second", "Games a second of a worker that were counted, over the last minute.", "gauge", label, w.Second},
			metric{"sakusen_worker_share", "Share of a worker in the games of the last minute, 0 to 1.", "gauge", label, w.Share},
			metric{"sakusen_worker_heard_timestamp_seconds", "When a worker was last heard of, Unix time.", "gauge", label, float64(w.Heard.UnixMilli()) / 1e3},
			metric{"sakusen_worker_games_counted_total", "Games of a worker that were counted, since the start.", "counter", label, float64(w.Games)})
	}
	out = append(out,
		metric{"sakusen_worker_games_total", "Games that workers on other machines have played and that were counted, since the start.", "counter", "", games},
		metric{"sakusen_worker_jobs_different_total", "Jobs of workers that came out differently when they were played again here.", "counter", "", float64(all.Different)},
		metric{"sakusen_worker_jobs_replayed_total", "Jobs of workers that were played again here.", "counter", "", float64(all.Replayed)},
		metric{"sakusen_worker_jobs_redelivered_total", "Jobs that were given to another, since their worker was lost, ended or took too long.", "counter", "", float64(all.Redelivered)},
		metric{"sakusen_worker_jobs_out", "Jobs that are handed out to workers and not answered yet.", "gauge", "", float64(all.Waiting)},
		metric{"sakusen_worker_jobs_queued", "Of the jobs that are out, those that no worker has begun with.", "gauge", "", float64(all.Queued)})
	for _, why := range []string{"hello", "connection", "malformed", "unable"} {
		out = append(out, metric{"sakusen_worker_refusals_total", "What was refused of workers: a hello, a connection, a malformed message, a job that one cannot play.", "counter", `reason="` + why + `"`, float64(all.Refused[why])})
	}
	for _, state := range fleet.States {
		out = append(out, metric{"sakusen_workers", "Workers on other machines, by state.", "gauge", `state="` + state + `"`, float64(all.Count(state))})
	}
	return out
}

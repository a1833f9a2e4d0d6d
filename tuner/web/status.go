package web

import (
	"net/http"
	"runtime"
	"time"
)

// healthz says that the process lives.
func (s *Server) healthz(w http.ResponseWriter, _ *http.Request) error {
	write(w, http.StatusOK, map[string]string{"status": "ok"})
	return nil
}

// readyz says whether the server can serve: whether its database answers.
func (s *Server) readyz(w http.ResponseWriter, r *http.Request) error {
	if err := s.o.Service.Ready(r.Context()); err != nil {
		s.o.Log.Warn("not ready", "error", err)
		write(w, http.StatusServiceUnavailable, map[string]string{"status": "not ready"})
		return nil
	}
	write(w, http.StatusOK, map[string]string{"status": "ready"})
	return nil
}

// metrics is what Prometheus reads.
func (s *Server) metrics(w http.ResponseWriter, r *http.Request) error {
	s.measured.ServeHTTP(w, r)
	return nil
}

// numbers are those that a server has of itself.
func numbers(s *Server) []metric {
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	damaged := 0.0
	if s.o.Service.Damage() != nil {
		damaged = 1
	}
	return append(s.counts.metrics(),
		metric{"sakusen_studies_running", "Studies and other jobs that run now.", "gauge", "", float64(s.o.Service.Running())},
		metric{"sakusen_event_watchers", "Open event streams.", "gauge", "", float64(s.Hub.Watchers())},
		metric{"sakusen_uptime_seconds", "Seconds since the start.", "gauge", "", time.Since(s.started).Seconds()},
		metric{"sakusen_heap_bytes", "Bytes of allocated heap objects.", "gauge", "", float64(memory.HeapAlloc)},
		metric{"sakusen_goroutines", "Goroutines.", "gauge", "", float64(runtime.NumGoroutine())},
		metric{"sakusen_studies_held", "Studies that wait because the database cannot be written.", "gauge", "", float64(s.o.Service.Waiting())},
		metric{"sakusen_database_damaged", "1 where the database was found damaged.", "gauge", "", damaged})
}

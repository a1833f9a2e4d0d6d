package web

import (
	"fmt"
	"net/http"
	"runtime"
	"strings"
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

// metrics is the text that Prometheus reads.
func (s *Server) metrics(w http.ResponseWriter, _ *http.Request) error {
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	all := []metric{
		{"sakusen_studies_running", "Studies and other jobs that run now.", "gauge", "", float64(s.o.Service.Running())},
		{"sakusen_event_watchers", "Open event streams.", "gauge", "", float64(s.Hub.Watchers())},
		{"sakusen_uptime_seconds", "Seconds since the start.", "gauge", "", time.Since(s.started).Seconds()},
		{"sakusen_heap_bytes", "Bytes of allocated heap objects.", "gauge", "", float64(memory.HeapAlloc)},
		{"sakusen_goroutines", "Goroutines.", "gauge", "", float64(runtime.NumGoroutine())},
	}
	all = append(all, s.counts.metrics()...)
	damaged := 0.0
	if s.o.Service.Damage() != nil {
		damaged = 1
	}
	all = append(all,
		metric{"sakusen_studies_held", "Studies that wait because the database cannot be written.", "gauge", "", float64(s.o.Service.Waiting())},
		metric{"sakusen_database_damaged", "1 where the database was found damaged.", "gauge", "", damaged})
	var b strings.Builder
	last := ""
	for _, m := range all {
		if m.Name != last {
			fmt.Fprintf(&b, "# HELP %s %s\n# TYPE %s %s\n", m.Name, m.Help, m.Name, m.Kind)
			last = m.Name
		}
		labels := ""
		if m.Labels != "" {
			labels = "{" + m.Labels + "}"
		}
		fmt.Fprintf(&b, "%s%s %g\n", m.Name, labels, m.Value)
	}
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	fmt.Fprint(w, b.String())
	return nil
}

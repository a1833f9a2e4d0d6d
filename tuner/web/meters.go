package web

import (
	"context"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"sakusen/tuner"
	"sakusen/tuner/build"
)

// meters are what Prometheus reads, beside the server's own numbers: Go's and the
// process's, how long requests take, and how far the studies are.
type meters struct {
	handler http.Handler
	took    *prometheus.HistogramVec

	mu            sync.Mutex
	seen          map[int]work // by study
	primed        bool
	played, tried float64 // games and trials since the start
	blocks        float64 // stored since the start
	stored        int64   // blocks in the database when it was last looked at
}

// work is what a study had done when it was last looked at.
type work struct {
	games  int64
	trials int
}

// newMeters makes the meters of a server, which it asks whenever it is read.
func newMeters(s *Server) *meters {
	m := &meters{seen: map[int]work{}, took: prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: "sakusen_http_request_duration_seconds", Help: "Seconds until an answer is written, by route; streams are not counted.",
		Buckets: []float64{.001, .005, .02, .1, .5, 2, 10},
	}, []string{"method", "route"})}
	build := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "sakusen_build_info", Help: "1; the labels say what was built.",
		ConstLabels: prometheus.Labels{"version": build.Version, "commit": build.Commit(), "goversion": runtime.Version()},
	})
	build.Set(1)
	r := prometheus.NewRegistry()
	r.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}), build, m.took, gathering{s, m})
	m.handler = promhttp.HandlerFor(r, promhttp.HandlerOpts{ErrorHandling: promhttp.HTTPErrorOnError})
	return m
}

// timed notes how long a request took.
func (m *meters) timed(r *http.Request, since time.Time) {
	method, route, ok := strings.Cut(r.Pattern, " ")
	if !ok { // no route, whatever the method is
		method, route = "other", "none"
	}
	if strings.HasSuffix(route, "/events") || strings.Contains(route, "/films") {
		return
	}
	m.took.WithLabelValues(method, route).Observe(time.Since(since).Seconds())
}

// gathering gives out the numbers that are taken when they are asked for.
type gathering struct {
	s *Server
	m *meters
}

// Describe implements prometheus.Collector: what there is is known when it is asked for.
func (gathering) Describe(chan<- *prometheus.Desc) {}

// Collect implements prometheus.Collector.
func (g gathering) Collect(out chan<- prometheus.Metric) {
	all := append(append(numbers(g.s), g.m.studies(g.s)...), workerNumbers(g.s)...)
	for _, m := range all {
		kind := prometheus.GaugeValue
		if m.Kind == "counter" {
			kind = prometheus.CounterValue
		}
		labels := prometheus.Labels{}
		if name, value, ok := strings.Cut(m.Labels, "="); ok {
			labels[name] = strings.Trim(value, `"`)
		}
		out <- prometheus.MustNewConstMetric(prometheus.NewDesc(m.Name, m.Help, nil, labels), kind, m.Value)
	}
}

// studyStates are the states that are always told, also of no study.
var studyStates = []tuner.State{tuner.Queued, tuner.Running, tuner.Paused, tuner.Stopped, tuner.Failed, tuner.Done}

// studies counts the studies by state, and what they have done since the first look. A
// study that is deleted takes nothing back.
func (m *meters) studies(s *Server) []metric {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	m.mu.Lock()
	defer m.mu.Unlock()
	stored, err := s.o.Service.Store().Blocks().Count(ctx)
	if err != nil {
		s.o.Log.Warn("metrics: blocks", "error", err)
		return nil
	}
	if m.primed {
		m.blocks += float64(max(stored-m.stored, 0))
	}
	m.stored = stored
	by := map[tuner.State]float64{}
	for l, err := range s.o.Service.Store().Studies.All(ctx) {
		if err != nil {
			s.o.Log.Warn("metrics: studies", "error", err)
			return nil
		}
		if l.Foreign { // no games and no search of this program
			continue
		}
		by[l.State]++
		was, now := m.seen[l.ID], work{l.Games, l.Trials}
		if m.primed {
			m.played += float64(max(now.games-was.games, 0))
			m.tried += float64(max(now.trials-was.trials, 0))
		}
		m.seen[l.ID] = now
	}
	m.primed = true
	var out []metric
	for _, state := range studyStates {
		out = append(out, metric{"sakusen_studies", "Studies in the database, by state.", "gauge", `state="` + string(state) + `"`, by[state]})
	}
	return append(out,
		metric{"sakusen_games_total", "Games that studies have counted since the start.", "counter", "", m.played},
		metric{"sakusen_blocks_total", "Blocks that were played and stored since the start, of studies, matches, tournaments and experiments.", "counter", "", m.blocks},
		metric{"sakusen_trials_total", "Trials that studies have asked for since the start.", "counter", "", m.tried})
}

package web

import (
	"context"
	"net"
	"net/http"
	"net/http/pprof"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"sakusen/tuner"
	"sakusen/tuner/build"
	"sakusen/tuner/queue/fleet"
)

// metric is one number for Prometheus.
type metric struct {
	Name, Help, Kind string // counter or gauge
	Labels           string // such as `state="running"`, or empty
	Value            float64
}

// counts are the requests since the start, and what was read for them.
type counts struct {
	requests         *prometheus.CounterVec // by method
	refused, entries prometheus.Counter
}

func newCounts() *counts {
	return &counts{
		prometheus.NewCounterVec(prometheus.CounterOpts{Name: "sakusen_http_requests_total", Help: "Requests by method."}, []string{"method"}),
		prometheus.NewCounter(prometheus.CounterOpts{Name: "sakusen_http_refused_total", Help: "Requests that the guard refused."}),
		prometheus.NewCounter(prometheus.CounterOpts{Name: "sakusen_log_entries_read_total", Help: "Entries of studies' logs that were read for pages."}),
	}
}

// request counts a request.
func (c *counts) request(method string) {
	if !slices.Contains([]string{"GET", "HEAD", "POST", "PUT", "DELETE"}, method) {
		method = "other"
	}
	c.requests.WithLabelValues(method).Inc()
}

// meters are what Prometheus reads, beside the server's own numbers: Go's and the
// process's, how long requests take, and how far the studies are.
type meters struct {
	s       *Server
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
	m := &meters{s: s, seen: map[int]work{}, took: prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: "sakusen_http_request_duration_seconds", Help: "Seconds until an answer is written, by route; streams are not counted.",
		Buckets: []float64{.001, .005, .02, .1, .5, 2, 10},
	}, []string{"method", "route"})}
	build := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "sakusen_build_info", Help: "1; the labels say what was built.",
		ConstLabels: prometheus.Labels{"version": build.Version, "commit": build.Commit(), "goversion": runtime.Version()},
	})
	build.Set(1)
	r := prometheus.NewRegistry()
	r.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}), build, m.took, s.counts.requests, s.counts.refused, s.counts.entries, gathering{m})
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
type gathering struct{ m *meters }

// Describe implements prometheus.Collector: what there is is known when it is asked for.
func (gathering) Describe(chan<- *prometheus.Desc) {}

// Collect implements prometheus.Collector.
func (g gathering) Collect(out chan<- prometheus.Metric) {
	all := append(append(g.m.server(), g.m.studies()...), g.m.workers()...)
	for _, one := range all {
		kind := prometheus.GaugeValue
		if one.Kind == "counter" {
			kind = prometheus.CounterValue
		}
		labels := prometheus.Labels{}
		if name, value, ok := strings.Cut(one.Labels, "="); ok {
			labels[name] = strings.Trim(value, `"`)
		}
		out <- prometheus.MustNewConstMetric(prometheus.NewDesc(one.Name, one.Help, nil, labels), kind, one.Value)
	}
}

// studyStates are the states that are always told, also of no study.
var studyStates = []tuner.State{tuner.Queued, tuner.Running, tuner.Paused, tuner.Stopped, tuner.Failed, tuner.Done}

// studies counts the studies by state, and what they have done since the first look. A
// study that is deleted takes nothing back.
func (m *meters) studies() []metric {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	m.mu.Lock()
	defer m.mu.Unlock()
	stored, err := m.s.o.Service.Store().Blocks().Count(ctx)
	if err != nil {
		m.s.o.Log.Warn("metrics: blocks", "error", err)
		return nil
	}
	if m.primed {
		m.blocks += float64(max(stored-m.stored, 0))
	}
	m.stored = stored
	by := map[tuner.State]float64{}
	for l, err := range m.s.o.Service.Store().Studies.All(ctx) {
		if err != nil {
			m.s.o.Log.Warn("metrics: studies", "error", err)
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

// numbers are those that a server has of itself.
func (m *meters) server() []metric {
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	damaged := 0.0
	if m.s.o.Service.Queue().Damage() != nil {
		damaged = 1
	}
	return []metric{
		{"sakusen_studies_running", "Studies and other jobs that run now.", "gauge", "", float64(m.s.o.Service.Queue().Running())},
		{"sakusen_event_watchers", "Open event streams.", "gauge", "", float64(m.s.Hub.Watchers())},
		{"sakusen_uptime_seconds", "Seconds since the start.", "gauge", "", time.Since(m.s.started).Seconds()},
		{"sakusen_heap_bytes", "Bytes of allocated heap objects.", "gauge", "", float64(memory.HeapAlloc)},
		{"sakusen_goroutines", "Goroutines.", "gauge", "", float64(runtime.NumGoroutine())},
		{"sakusen_studies_held", "Studies that wait because the database cannot be written.", "gauge", "", float64(m.s.o.Service.Queue().Waiting())},
		{"sakusen_database_damaged", "1 where the database was found damaged.", "gauge", "", damaged}}
}

// workerNumbers are what metrics say of workers on other machines.
func (m *meters) workers() []metric {
	all, games := m.s.others(), 0.0
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

// Profile serves Go's profiles under /debug/pprof/, for a listener of its own on
// the loopback interface: it asks for no token. Pages elsewhere reach it neither
// under another name nor from another site.
func Profile() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /debug/pprof/", pprof.Index)
	mux.HandleFunc("GET /debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Cache-Control", "no-store")
		peer, err := peerOf(r)
		site := r.Header.Get("Sec-Fetch-Site")
		switch {
		case err != nil || !peer.IsLoopback() || !slices.Contains([]string{"localhost", "127.0.0.1", "::1"}, hostOf(r.Host)):
			write(w, http.StatusMisdirectedRequest, problem(0, "profiles are served to this machine alone"))
		case site != "" && site != "none" && site != "same-origin":
			write(w, http.StatusForbidden, problem(0, "a page of another site must not read profiles"))
		default:
			mux.ServeHTTP(w, r)
		}
	})
}

// hostOf is a host without its port, in lower case.
func hostOf(host string) string {
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	return strings.ToLower(strings.Trim(host, "[]"))
}

package web

import (
	"context"
	"fmt"
	"io"
	"maps"
	"math"
	"net"
	"net/http"
	"net/http/pprof"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"sakusen/tuner"
	"sakusen/tuner/build"
	"sakusen/tuner/queue/fleet"
)

// counts are the numbers of requests since the start, and of log entries read for them.
type counts struct {
	refused, entries atomic.Int64

	mu       sync.Mutex
	requests map[string]float64 // by method
}

func newCounts() *counts { return &counts{requests: map[string]float64{}} }

// request counts a request.
func (c *counts) request(method string) {
	if !slices.Contains([]string{"GET", "HEAD", "POST", "PUT", "DELETE"}, method) {
		method = "other"
	}
	c.mu.Lock()
	c.requests[method]++
	c.mu.Unlock()
}

// metrics returns the counts.
func (c *counts) metrics() []metric {
	out := []metric{
		{"sakusen_http_refused_total", "Requests refused before they reached a handler.", "counter", "", float64(c.refused.Load()), ""},
		{"sakusen_log_entries_read_total", "Entries of studies' logs that were read for pages.", "counter", "", float64(c.entries.Load()), ""},
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, method := range slices.Sorted(maps.Keys(c.requests)) {
		out = append(out, metric{"sakusen_http_requests_total", "Requests by method.", "counter", labelled("method", method), c.requests[method], ""})
	}
	return out
}

// meters are the metrics that Prometheus reads, beside the server's own numbers: Go's and
// the process's, how long requests take, and how far the studies are.
type meters struct {
	s    *Server
	took durations

	mu            sync.Mutex
	seen          map[int]work // by study
	primed        bool
	played, tried float64 // games and trials since the start
	blocks        float64 // stored since the start
	stored        int64   // blocks in the database when it was last looked at
}

// work is what a study had done at the last request for metrics.
type work struct {
	games  int64
	trials int
}

// newMeters returns the metrics of a server, which are computed at each request.
func newMeters(s *Server) *meters {
	return &meters{s: s, seen: map[int]work{}, took: durations{by: map[string]*[len(tookBounds) + 1]float64{}}}
}

// ServeHTTP writes all metrics.
func (m *meters) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	built := labelled("commit", build.Commit()) + "," + labelled("goversion", runtime.Version()) + "," + labelled("version", build.Version)
	all := slices.Concat(goMetrics(), processMetrics(), m.server(), m.studies(), m.workers(), m.s.counts.metrics(),
		m.took.metrics("sakusen_http_request_duration_seconds", "Seconds until an answer is written, by route; without streams."),
		[]metric{{"sakusen_build_info", "Always 1; the labels say which version runs.", "gauge", built, 1, ""}})
	w.Header().Set("Content-Type", metricText)
	_ = writeMetrics(w, all) // a reader that has gone needs none
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
	m.took.add(labelled("method", method)+","+labelled("route", route), time.Since(since))
}

// studyStates are the states that are always told, also of no study.
var studyStates = []tuner.State{tuner.Queued, tuner.Running, tuner.Paused, tuner.Stopped, tuner.Failed, tuner.Done}

// studies counts the studies by state, and what they have done since the first look.
// Deleting a study does not reduce the counts.
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
		out = append(out, metric{"sakusen_studies", "Studies in the database, by state.", "gauge", labelled("state", string(state)), by[state], ""})
	}
	return append(out,
		metric{"sakusen_games_total", "Games counted by studies since the start.", "counter", "", m.played, ""},
		metric{"sakusen_blocks_total", "Blocks of studies, matches, tournaments and experiments that were played and stored since the start.", "counter", "", m.blocks, ""},
		metric{"sakusen_trials_total", "Trials proposed in studies since the start.", "counter", "", m.tried, ""})
}

// server returns the metrics of the server itself.
func (m *meters) server() []metric {
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	damaged := 0.0
	if m.s.o.Service.Queue().Damage() != nil {
		damaged = 1
	}
	return []metric{
		{"sakusen_studies_running", "Studies and other jobs that run now.", "gauge", "", float64(m.s.o.Service.Queue().Running()), ""},
		{"sakusen_event_watchers", "Open event streams.", "gauge", "", float64(m.s.Hub.Watchers()), ""},
		{"sakusen_uptime_seconds", "Seconds since the start.", "gauge", "", time.Since(m.s.started).Seconds(), ""},
		{"sakusen_heap_bytes", "Bytes of allocated heap objects.", "gauge", "", float64(memory.HeapAlloc), ""},
		{"sakusen_goroutines", "Goroutines.", "gauge", "", float64(runtime.NumGoroutine()), ""},
		{"sakusen_studies_held", "Studies that wait because the database cannot be written.", "gauge", "", float64(m.s.o.Service.Queue().Waiting()), ""},
		{"sakusen_database_damaged", "1 if the database was found damaged, else 0.", "gauge", "", damaged, ""}}
}

// workers returns the metrics of workers on other machines.
func (m *meters) workers() []metric {
	all, games := m.s.others(), 0.0
	var out []metric
	for _, w := range all.Workers {
		games += float64(w.Games)
		worker := labelled("worker", w.Name)
		out = append(out,
			metric{"sakusen_worker_cores", "Games that a worker plays at the same time.", "gauge", worker, float64(w.Cores), ""},
			metric{"sakusen_worker_games_per_second", "Games per second of a worker, over the last minute.", "gauge", worker, w.Second, ""},
			metric{"sakusen_worker_share", "A worker's share of the games of the last minute, 0 to 1.", "gauge", worker, w.Share, ""},
			metric{"sakusen_worker_heard_timestamp_seconds", "Unix time of a worker's last message.", "gauge", worker, float64(w.Heard.UnixMilli()) / 1e3, ""},
			metric{"sakusen_worker_games_counted_total", "Games of a worker counted since the start.", "counter", worker, float64(w.Games), ""})
	}
	out = append(out,
		metric{"sakusen_worker_games_total", "Games of all workers on other machines counted since the start.", "counter", "", games, ""},
		metric{"sakusen_worker_jobs_different_total", "Jobs of workers whose results differed when the daemon played them again.", "counter", "", float64(all.Different), ""},
		metric{"sakusen_worker_jobs_replayed_total", "Jobs of workers that the daemon played again.", "counter", "", float64(all.Replayed), ""},
		metric{"sakusen_worker_jobs_redelivered_total", "Jobs that were sent to another worker because theirs was lost, ended or took too long.", "counter", "", float64(all.Redelivered), ""},
		metric{"sakusen_worker_jobs_out", "Jobs that were sent to workers and have no result yet.", "gauge", "", float64(all.Waiting), ""},
		metric{"sakusen_worker_jobs_queued", "Jobs without a result that no worker has started.", "gauge", "", float64(all.Queued), ""})
	for _, why := range []string{"hello", "connection", "malformed", "unable"} {
		out = append(out, metric{"sakusen_worker_refusals_total", "Refused messages of workers: a hello, a connection, a malformed message, a job that the worker cannot play.", "counter", labelled("reason", why), float64(all.Refused[why]), ""})
	}
	for _, state := range fleet.States {
		out = append(out, metric{"sakusen_workers", "Workers on other machines, by state.", "gauge", labelled("state", state), float64(all.Count(state)), ""})
	}
	return out
}

// goMetrics returns what Go's runtime tells of itself, under the names of Prometheus' own client.
func goMetrics() []metric {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	gc := debug.GCStats{PauseQuantiles: make([]time.Duration, 5)}
	debug.ReadGCStats(&gc)
	threads, _ := runtime.ThreadCreateProfile(nil)
	out := []metric{
		{"go_info", "Always 1; the label is the version of Go.", "gauge", labelled("version", runtime.Version()), 1, ""},
		{"go_goroutines", "Goroutines.", "gauge", "", float64(runtime.NumGoroutine()), ""},
		{"go_threads", "Threads of the operating system created.", "gauge", "", float64(threads), ""},
		{"go_sched_gomaxprocs_threads", "Threads that may run Go code at the same time.", "gauge", "", float64(runtime.GOMAXPROCS(0)), ""},
		{"go_memstats_alloc_bytes", "Bytes of heap objects.", "gauge", "", float64(m.Alloc), ""},
		{"go_memstats_alloc_bytes_total", "Bytes of heap objects since the start.", "counter", "", float64(m.TotalAlloc), ""},
		{"go_memstats_sys_bytes", "Bytes obtained from the system.", "gauge", "", float64(m.Sys), ""},
		{"go_memstats_mallocs_total", "Heap objects since the start.", "counter", "", float64(m.Mallocs), ""},
		{"go_memstats_frees_total", "Heap objects freed.", "counter", "", float64(m.Frees), ""},
		{"go_memstats_heap_alloc_bytes", "Bytes of heap objects.", "gauge", "", float64(m.HeapAlloc), ""},
		{"go_memstats_heap_sys_bytes", "Bytes of the heap.", "gauge", "", float64(m.HeapSys), ""},
		{"go_memstats_heap_idle_bytes", "Bytes of the heap without objects.", "gauge", "", float64(m.HeapIdle), ""},
		{"go_memstats_heap_inuse_bytes", "Bytes of the heap with objects.", "gauge", "", float64(m.HeapInuse), ""},
		{"go_memstats_heap_released_bytes", "Bytes of the heap returned to the system.", "gauge", "", float64(m.HeapReleased), ""},
		{"go_memstats_heap_objects", "Heap objects.", "gauge", "", float64(m.HeapObjects), ""},
		{"go_memstats_stack_inuse_bytes", "Bytes of stacks.", "gauge", "", float64(m.StackInuse), ""},
		{"go_memstats_next_gc_bytes", "Size of the heap, in bytes, at which the next garbage collection starts.", "gauge", "", float64(m.NextGC), ""},
		{"go_memstats_last_gc_time_seconds", "Unix time of the last garbage collection.", "gauge", "", float64(m.LastGC) / 1e9, ""},
	}
	pauses := func(labels, part string, x float64) {
		out = append(out, metric{"go_gc_duration_seconds", "Pauses of garbage collections, in seconds.", "summary", labels, x, part})
	}
	for i, q := range gc.PauseQuantiles {
		pauses(labelled("quantile", strconv.FormatFloat(float64(i)/4, 'g', -1, 64)), "", q.Seconds())
	}
	pauses("", "_sum", gc.PauseTotal.Seconds())
	pauses("", "_count", float64(gc.NumGC))
	return out
}

// processMetrics returns what Linux tells of this process, nothing elsewhere.
func processMetrics() (out []metric) {
	add := func(name, help, kind, text string, unit float64) {
		if x, err := strconv.ParseFloat(text, 64); err == nil {
			out = append(out, metric{"process_" + name, help, kind, "", x * unit, ""})
		}
	}
	read := func(path string) string {
		text, _ := os.ReadFile(path)
		return string(text)
	}
	const tick = 1. / 100 // what the kernel calls USER_HZ
	stat := read("/proc/self/stat")
	// The program's name comes second, in brackets, and may hold anything.
	if f := strings.Fields(stat[strings.LastIndex(stat, ")")+1:]); len(f) > 21 {
		system, _ := strconv.ParseFloat(f[12], 64)
		add("cpu_seconds_total", "Seconds of processor time.", "counter", f[11], tick)
		out[len(out)-1].Value += system * tick
		add("virtual_memory_bytes", "Bytes of address space.", "gauge", f[20], 1)
		add("resident_memory_bytes", "Bytes in memory.", "gauge", f[21], float64(os.Getpagesize()))
		if _, boot, ok := strings.Cut(read("/proc/stat"), "\nbtime "); ok {
			boot, _, _ = strings.Cut(boot, "\n")
			add("start_time_seconds", "Unix time at which the process began.", "gauge", f[19], tick)
			since, _ := strconv.ParseFloat(boot, 64)
			out[len(out)-1].Value += since
		}
	}
	if files, err := os.ReadDir("/proc/self/fd"); err == nil {
		add("open_fds", "Open files.", "gauge", strconv.Itoa(len(files)), 1)
	}
	if _, most, ok := strings.Cut(read("/proc/self/limits"), "\nMax open files"); ok {
		add("max_fds", "Files that may be open.", "gauge", strings.Fields(most)[0], 1)
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
			write(w, http.StatusMisdirectedRequest, problem(0, "profiles are served only to this machine"))
		case site != "" && site != "none" && site != "same-origin":
			write(w, http.StatusForbidden, problem(0, "a page of another site may not read profiles"))
		default:
			mux.ServeHTTP(w, r)
		}
	})
}

// hostOf returns a host without its port, in lower case.
func hostOf(host string) string {
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	return strings.ToLower(strings.Trim(host, "[]"))
}

// metricText is the media type of metrics: Prometheus' text format.
const metricText = "text/plain; version=0.0.4; charset=utf-8"

// metric is one number for Prometheus.
type metric struct {
	Name, Help, Kind string // counter, gauge, or a part of a histogram or a summary
	Labels           string // such as `state="running"`, or empty
	Value            float64
	Part             string // what follows the name, such as "_sum"
}

// labelled returns a name with its value as a label.
func labelled(name, value string) string {
	value = strings.ToValidUTF8(value, "\uFFFD")
	return name + `="` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(value) + `"`
}

// writeMetrics writes metrics by name, each name once with its help and its kind.
func writeMetrics(w io.Writer, all []metric) error {
	var b strings.Builder
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b metric) int { return strings.Compare(a.Name, b.Name) })
	for i, m := range all {
		if i == 0 || all[i-1].Name != m.Name {
			fmt.Fprintf(&b, "# HELP %s %s\n# TYPE %s %s\n", m.Name, strings.NewReplacer(`\`, `\\`, "\n", `\n`).Replace(m.Help), m.Name, m.Kind)
		}
		b.WriteString(m.Name + m.Part)
		if m.Labels != "" {
			b.WriteString("{" + m.Labels + "}")
		}
		b.WriteString(" " + strconv.FormatFloat(m.Value, 'g', -1, 64) + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// tookBounds are the upper ends of the buckets of durations, seconds.
var tookBounds = [...]float64{.001, .005, .02, .1, .5, 2, 10, math.Inf(1)}

// durations are how long requests took, by their labels.
type durations struct {
	mu sync.Mutex
	by map[string]*[len(tookBounds) + 1]float64 // how many in each bucket, and the seconds of all
}

// add notes a duration.
func (d *durations) add(labels string, took time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.by[labels] == nil {
		d.by[labels] = &[len(tookBounds) + 1]float64{}
	}
	bucket := 0
	for took.Seconds() > tookBounds[bucket] {
		bucket++
	}
	d.by[labels][bucket]++
	d.by[labels][len(tookBounds)] += took.Seconds()
}

// metrics returns the durations as a histogram.
func (d *durations) metrics(name, help string) (out []metric) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, labels := range slices.Sorted(maps.Keys(d.by)) {
		counts := d.by[labels]
		sum := 0.0
		for i, end := range tookBounds {
			sum += counts[i]
			le := labelled("le", strconv.FormatFloat(end, 'g', -1, 64))
			out = append(out, metric{name, help, "histogram", labels + "," + le, sum, "_bucket"})
		}
		out = append(out, metric{name, help, "histogram", labels, counts[len(tookBounds)], "_sum"}, metric{name, help, "histogram", labels, sum, "_count"})
	}
	return out
}

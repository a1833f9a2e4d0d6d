package web

import (
	"fmt"
	"sort"
	"sync"
)

// metric is one number for Prometheus.
type metric struct {
	Name, Help, Kind string // counter or gauge
	Labels           string // such as `state="running"`, or empty
	Value            float64
}

// counts are the requests since the start, and what was read for them.
type counts struct {
	mu      sync.Mutex
	by      map[string]int64
	refused int64
	entries int64 // of studies' logs
}

func (c *counts) add(method string) {
	switch method {
	case "GET", "HEAD", "POST", "PUT", "DELETE":
	default:
		method = "other"
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.by == nil {
		c.by = map[string]int64{}
	}
	c.by[method]++
}

func (c *counts) refuse() {
	c.mu.Lock()
	c.refused++
	c.mu.Unlock()
}

// read counts entries of a study's log that were read.
func (c *counts) read(entries int) {
	c.mu.Lock()
	c.entries += int64(entries)
	c.mu.Unlock()
}

// metrics reports all counts.
func (c *counts) metrics() []metric {
	c.mu.Lock()
	defer c.mu.Unlock()
	var out []metric
	for method, n := range c.by {
		out = append(out, metric{"sakusen_http_requests_total", "Requests by method.", "counter", fmt.Sprintf("method=%q", method), float64(n)})
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Labels < out[j].Labels })
	return append(out,
		metric{"sakusen_http_refused_total", "Requests that the guard refused.", "counter", "", float64(c.refused)},
		metric{"sakusen_log_entries_read_total", "Entries of studies' logs that were read for pages.", "counter", "", float64(c.entries)})
}

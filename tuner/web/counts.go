package web

import (
	"fmt"
	"sort"
	"sync"
)

// Metric is one number for Prometheus.
type Metric struct {
	Name, Help, Kind string // counter or gauge
	Labels           string // such as `state="running"`, or empty
	Value            float64
}

// counts are the requests since the start.
type counts struct {
	mu      sync.Mutex
	by      map[string]int64
	refused int64
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

// metrics reports all counts.
func (c *counts) metrics() []Metric {
	c.mu.Lock()
	defer c.mu.Unlock()
	var out []Metric
	for method, n := range c.by {
		out = append(out, Metric{"sakusen_http_requests_total", "Requests by method.", "counter", fmt.Sprintf("method=%q", method), float64(n)})
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Labels < out[j].Labels })
	return append(out, Metric{"sakusen_http_refused_total", "Requests that the guard refused.", "counter", "", float64(c.refused)})
}

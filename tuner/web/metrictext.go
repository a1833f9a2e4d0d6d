package web

import (
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

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

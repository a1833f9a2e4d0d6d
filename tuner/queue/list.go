package queue

import (
	"fmt"
	"slices"
	"time"

	"sakusen/tuner/numeral"
	"sakusen/tuner/queue/fleet"
)

// Lines are those of a list for people: a name each, and why it gets no work. With what a
// daemon tells of its workers they also say what each does; nil is without.
func (r Roll) Lines(f *fleet.Fleet, now time.Time) []string {
	held, came, names := map[string]Quarantine{}, map[string]Worker{}, []string{}
	for _, k := range r.Known {
		names = append(names, k.Name)
	}
	for _, h := range r.Quarantined {
		held[h.Name] = h
		names = append(names, h.Name)
	}
	if f != nil {
		for _, w := range f.Workers {
			came[w.Name] = w
			names = append(names, w.Name)
		}
	}
	slices.Sort(names)
	names = slices.Compact(names)
	for i, name := range names {
		if h, ok := held[name]; ok {
			names[i] += fmt.Sprintf("  quarantined %s: %s", h.Since.UTC().Format(time.RFC3339), h.Reason)
		} else if w, ok := came[name]; ok {
			names[i] += "  " + describe(w, now)
		} else if f != nil && f.Open {
			names[i] += "  has not come since the daemon started"
		}
	}
	return names
}

// cores is how many cores there are.
func cores(n int) string {
	if n == 1 {
		return "1 core"
	}
	return fmt.Sprintf("%d cores", n)
}

// said is what a worker does, in a line.
func describe(w Worker, now time.Time) string {
	switch {
	case w.State == "working":
		return fmt.Sprintf("working: %s, %s games/s, %s of the games", cores(w.Cores), fleet.PerSecond(w.Second), fleet.Percent(w.Share))
	case w.Reason != "":
		return w.State + ": " + w.Reason
	}
	return w.State + ": last heard " + numeral.Span(now.Sub(w.Heard)) + " ago"
}

package service

import (
	"context"
	"fmt"
	"strings"
	"time"

	"sakusen/bench"
)

// SeriesLine is a benchmark series in a list.
type SeriesLine struct {
	Title   string `json:"title"` // package.Name unit
	Name    string `json:"name"`
	Unit    string `json:"unit"`
	Runs    int    `json:"runs"`
	Changes int    `json:"changes"`
}

// SeriesHistory is one series on the baseline branch.
type SeriesHistory struct {
	Title   string         `json:"title"`
	Unit    string         `json:"unit"`
	Points  []SeriesPoint  `json:"points"`
	Changes []SeriesChange `json:"changes"`
	// Causes say in which functions the benchmark lost or gained, of the last runs that
	// were profiled, on any branch.
	Causes []SeriesCause `json:"causes"`
}

// SeriesCause is where a run lost or gained.
type SeriesCause struct {
	Run     int64  `json:"run"`
	Commit  string `json:"commit"`
	Branch  string `json:"branch"`
	Against string `json:"against"` // commit of the old side
	bench.Cause
}

// causeRuns is of how many runs a history has causes.
const causeRuns = 5

// SeriesPoint is one run of a series.
type SeriesPoint struct {
	Run      int64   `json:"run"`
	Commit   string  `json:"commit"`
	Recorded string  `json:"recorded"`
	Center   float64 `json:"center"` // median
	N        int     `json:"n"`
	Text     string  `json:"-"` // the median for people
}

// SeriesChange is where the level of a series changed.
type SeriesChange struct {
	Index  int     `json:"index"`
	Run    int64   `json:"run"`
	Commit string  `json:"commit"`
	P      float64 `json:"p"`
	Before float64 `json:"before"`
	After  float64 `json:"after"`
	Alarm  bool    `json:"alarm"` // enough runs followed
	Worse  bool    `json:"worse"`
	Text   string  `json:"text"` // the same for people
}

// Verdict is what a change is worth: worse, better or changed, and whether it is
// certain yet.
func (c *SeriesChange) Verdict() string {
	verdict, _, _ := strings.Cut(c.Text, ",")
	if !c.Alarm {
		verdict = "perhaps " + verdict
	}
	return verdict
}

// Rest is what the text says after the verdict.
func (c *SeriesChange) Rest() string {
	if _, rest, ok := strings.Cut(c.Text, ","); ok {
		return "," + rest
	}
	return ""
}

// Class is the verdict's as a style.
func (c *SeriesChange) Class() string {
	switch {
	case c.Worse && c.Alarm:
		return "verdict bad"
	case strings.HasPrefix(c.Text, "better"):
		return "verdict good"
	}
	return "verdict warn"
}

// histories reads the benchmarks' histories on the baseline branch.
func (b *Benchmarks) histories(ctx context.Context, series string) ([]BenchHistory, error) {
	return b.Histories(ctx, BenchQuery{Series: series, Branch: b.branch, Changes: UsualChanges()})
}

// Series lists the series on the baseline branch.
func (b *Benchmarks) Series(ctx context.Context) ([]SeriesLine, error) {
	all, err := b.histories(ctx, "")
	out := []SeriesLine{}
	for _, r := range all {
		line := SeriesLine{Title: r.Title, Name: r.Name, Unit: r.Unit, Runs: len(r.Runs), Changes: len(r.Changes)}
		out = append(out, line)
	}
	return out, err
}

// seriesHistory is a history as it is served.
func seriesHistory(r *BenchHistory) *SeriesHistory {
	out := &SeriesHistory{Title: r.Title, Unit: r.Unit, Points: []SeriesPoint{}, Changes: []SeriesChange{}, Causes: []SeriesCause{}}
	for _, p := range r.Runs {
		out.Points = append(out.Points, SeriesPoint{
			Run: p.Run, Commit: p.Commit, Recorded: p.Recorded.UTC().Format(time.RFC3339), Center: p.Center, N: p.N,
			Text: bench.Amount(p.Center, r.Unit),
		})
	}
	for _, c := range r.Changes {
		out.Changes = append(out.Changes, SeriesChange{
			Index: c.Index, Run: c.Run, Commit: c.Commit, P: c.P, Before: c.Before, After: c.After, Alarm: c.Alarm, Worse: c.Worse,
			Text: fmt.Sprintf("%s, %s from %s to %s, p = %.2g", c.What(), bench.Moved(c.Before, c.After), bench.Amount(c.Before, r.Unit), bench.Amount(c.After, r.Unit), c.P),
		})
	}
	return out
}

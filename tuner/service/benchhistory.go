package service

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"sakusen/bench"
	"sakusen/bench/changepoint"
	"sakusen/bench/ledger"
)

// BenchQuery says which series' history is wanted.
type BenchQuery struct {
	Series  string // a part of the title; empty for all
	Branch  string // empty: runs of all branches and of none
	Machine string // class; empty for all
	// Changes are the options of the search for changes of level.
	Changes changepoint.Options
}

// UsualChanges are the options of the search where none are given.
func UsualChanges() changepoint.Options {
	return changepoint.Options{Window: 50, MaxP: 0.001, MinMagnitude: 0.02}
}

// Histories are the recorded series, run by run, and where their level changed.
func (b *Benchmarks) Histories(ctx context.Context, q BenchQuery) ([]BenchHistory, error) {
	histories, err := b.ledger.Histories(ctx, ledger.HistoryQuery{Series: q.Series, Branch: q.Branch, Machine: q.Machine})
	if err != nil {
		return nil, err
	}
	accepts, err := b.ledger.Accepts(ctx)
	if err != nil {
		return nil, err
	}
	out := []BenchHistory{}
	latest := map[int64]*bench.Run{} // what runs say of their units
	for _, h := range histories {
		last := h.Samples[len(h.Samples)-1].Run
		if latest[last] == nil {
			if latest[last], err = b.ledger.Run(ctx, last); err != nil {
				return nil, err
			}
		}
		r, err := historyOf(h, accepts, latest[last], q.Changes)
		if err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	return out, nil
}

// historyOf finds the changes of level in a history; the last run says which direction of
// its unit is better.
func historyOf(h ledger.History, accepts []ledger.Accept, last *bench.Run, o changepoint.Options) (BenchHistory, error) {
	r := BenchHistory{
		Title: h.Series.Title(), Name: h.Series.Name, Unit: h.Series.Unit, Config: h.Series.Config(),
		Runs: []BenchPoint{}, Changes: []LevelChange{},
	}
	var medians []float64
	for i, s := range h.Samples {
		medians = append(medians, bench.Median(s.Values))
		r.Runs = append(r.Runs, BenchPoint{s.Run, s.Commit, s.Branch, s.Dirty, s.Recorded, medians[i], len(s.Values)})
		for _, accept := range accepts {
			if accept.Run == s.Run && accept.Covers(h.Series) {
				r.Start = i
			}
		}
	}
	changes, err := bench.Changes(h.Series.Unit, last.Units, medians, r.Start, o)
	if err != nil {
		return r, fmt.Errorf("%s: %w", r.Title, err)
	}
	for _, c := range changes {
		at := r.Runs[c.Index]
		r.Changes = append(r.Changes, LevelChange{
			ChangePoint{c.Index, c.P, c.Before, c.After, c.Magnitude()}, c.Alarm, c.Worse, c.Better, at.Run, at.Commit,
		})
	}
	return r, nil
}

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

// ChangePoints is where the level of a series of numbers changed.
type ChangePoints struct {
	Changepoints []int         `json:"changepoints"` // indexes of first values of new levels, from 0
	Points       []ChangePoint `json:"points"`
	Strongest    *Split        `json:"strongest"` // null for fewer than two values
}

// Split is where a series splits best as a whole, a change or not.
type Split struct {
	Index  int     `json:"index"`
	Energy float64 `json:"energy"`
}

// DescribeChanges is what was found in a series of numbers.
func DescribeChanges(x []float64, points []changepoint.Point) ChangePoints {
	r := ChangePoints{Changepoints: []int{}, Points: []ChangePoint{}}
	for _, p := range points {
		r.Changepoints = append(r.Changepoints, p.Index)
		r.Points = append(r.Points, ChangePoint{Index: p.Index, P: p.P, Before: p.Before, After: p.After, Magnitude: p.Magnitude()})
	}
	if index, energy := changepoint.Strongest(x); index > 0 {
		r.Strongest = &Split{index, energy}
	}
	return r
}

// BenchStanding is how the last run of a series stands against its baseline.
type BenchStanding struct {
	bench.Row
	Run     int64  // the last run
	Against int64  // the run that it is compared with
	Title   string // of that run, for people
	Reason  string // why that one: "baseline main", "the run accepted last", "the first run"
}

// standings compare the last run of each history with its baseline: with the run
// of that name where one is given, else with the run with which the series begins, the
// first one or the one that was accepted last. A history of one run, or that the
// baseline lacks, has no verdict.
func (b *Benchmarks) standings(ctx context.Context, histories []BenchHistory, baseline string) ([]BenchStanding, error) {
	out := make([]BenchStanding, len(histories))
	named := int64(0)
	if baseline != "" {
		e, err := b.ledger.OfBaseline(ctx, baseline)
		if errors.Is(err, ledger.ErrNotFound) {
			return nil, New(NotFound, fmt.Sprintf("no run is named %.200q: bench baseline list shows the names", baseline))
		}
		if err != nil {
			return nil, err
		}
		named = e.ID
	}
	known := map[[2]int64]map[string]bench.Row{}
	for i, h := range histories {
		n := len(h.Runs)
		if n == 0 {
			continue
		}
		s := BenchStanding{Run: h.Runs[n-1].Run, Against: named, Reason: "baseline " + baseline}
		if named == 0 {
			if s.Against, s.Reason = h.Runs[h.Start].Run, "the first run"; h.Start > 0 {
				s.Reason = "the run accepted last"
			}
		}
		e, err := b.ledger.Entry(ctx, s.Against)
		if err != nil {
			return nil, err
		}
		s.Title = e.Title()
		if s.Against != s.Run {
			rows, err := b.between(ctx, [2]int64{s.Against, s.Run}, named != 0, known)
			if err != nil {
				return nil, err
			}
			if r, ok := rows[h.Title+" "+h.Config["machine"]]; ok && r.Paired() {
				s.Row = r
			}
		}
		out[i] = s
	}
	return out, nil
}

// between compares two runs, series by series; comparisons made before are reused. Where
// renewed, series that were accepted after the first one have the values with which
// they begin anew.
func (b *Benchmarks) between(ctx context.Context, ids [2]int64, renewed bool, known map[[2]int64]map[string]bench.Row) (map[string]bench.Row, error) {
	if rows, ok := known[ids]; ok {
		return rows, nil
	}
	var runs [2]*bench.Run
	for i, id := range ids {
		var err error
		if runs[i], err = b.ledger.Run(ctx, id); err != nil {
			return nil, err
		}
	}
	if renewed {
		if _, err := b.ledger.Renew(ctx, runs[0], ids[0]); err != nil {
			return nil, err
		}
	}
	rows := map[string]bench.Row{}
	for _, r := range bench.Compare(runs[0], runs[1], bench.Options{}).Rows {
		rows[r.Series.Title()+" "+r.Series.Machine] = r
	}
	known[ids] = rows
	return rows, nil
}

package service

import (
	"cmp"
	"context"
	"fmt"
	"html/template"
	"slices"
	"time"

	"sakusen/bench"
	"sakusen/bench/site"
)

// BenchBoard is all benchmarks at a glance: how their last runs stand.
type BenchBoard struct {
	Lines     []BenchLine // what got worse first
	Verdicts  []BenchCount
	Against   string // the baseline's name; empty: of each series the run with which it begins
	Baselines []BenchBaseline
}

// BenchCount is how many series have a verdict.
type BenchCount struct {
	bench.Verdict
	Series int
}

// BenchLine is a benchmark on one class of machines, with all that is measured of it.
type BenchLine struct {
	Pkg, Name, Machine string
	Measures           []BenchMeasure
}

// BenchMeasure is a benchmark in one unit.
type BenchMeasure struct {
	BenchHistory
	Standing BenchStanding
}

// Board is the benchmarks of the baseline branch against a named baseline, or, where the
// name is empty, against the run with which each series begins.
func (b *Benchmarks) Board(ctx context.Context, baseline string) (*BenchBoard, error) {
	histories, err := b.histories(ctx, "")
	if err != nil {
		return nil, err
	}
	standings, err := b.standings(ctx, histories, baseline)
	if err != nil {
		return nil, err
	}
	out := &BenchBoard{Against: baseline}
	if out.Baselines, err = b.Baselines(ctx); err != nil {
		return nil, err
	}
	at := map[benchKey]int{}
	counts := map[bench.Verdict]int{}
	for i, h := range histories {
		key := benchKey{h.Config["pkg"], h.Name, h.Config["machine"]}
		if _, ok := at[key]; !ok {
			at[key] = len(out.Lines)
			out.Lines = append(out.Lines, BenchLine{Pkg: key.Pkg, Name: key.Name, Machine: key.Machine})
		}
		line := &out.Lines[at[key]]
		line.Measures = append(line.Measures, BenchMeasure{h, standings[i]})
		counts[standings[i].Decided()]++
	}
	for _, v := range []bench.Verdict{bench.Worse, bench.Better, bench.ExactChanged, bench.Inconclusive, bench.Same, ""} {
		if n := counts[v]; n > 0 {
			out.Verdicts = append(out.Verdicts, BenchCount{v, n})
		}
	}
	for i := range out.Lines {
		slices.SortStableFunc(out.Lines[i].Measures, func(x, y BenchMeasure) int { return cmp.Compare(x.order(), y.order()) })
	}
	slices.SortStableFunc(out.Lines, func(x, y BenchLine) int { return cmp.Compare(x.urgency(), y.urgency()) })
	return out, nil
}

// Measured is one series with how it stands; an empty machine is any.
func (b *Benchmarks) Measured(ctx context.Context, series, machine, baseline string) (*BenchMeasure, error) {
	all, err := b.Histories(ctx, BenchQuery{Series: series, Branch: b.branch, Machine: machine, Changes: UsualChanges()})
	if err != nil {
		return nil, err
	}
	for _, h := range all {
		if h.Title == series {
			standings, err := b.standings(ctx, []BenchHistory{h}, baseline)
			if err != nil {
				return nil, err
			}
			return &BenchMeasure{h, standings[0]}, nil
		}
	}
	return nil, New(NotFound, fmt.Sprintf("no series %.200q is recorded", series))
}

// History is one series on the baseline branch, by its title.
func (b *Benchmarks) History(ctx context.Context, series string) (*SeriesHistory, error) {
	m, err := b.Measured(ctx, series, "", "")
	if err != nil {
		return nil, err
	}
	return b.Served(ctx, m)
}

// Served is the history of a series as it is served, with its causes.
func (b *Benchmarks) Served(ctx context.Context, m *BenchMeasure) (*SeriesHistory, error) {
	out := seriesHistory(&m.BenchHistory)
	causes, err := b.ledger.Causes(ctx, m.Config["pkg"], m.Name, causeRuns)
	for _, c := range causes {
		out.Causes = append(out.Causes, SeriesCause{c.Run.ID, c.Run.Commit, c.Run.Branch, c.Against, c.Cause})
	}
	return out, err
}

// benchKey names a benchmark on a class of machines.
type benchKey struct{ Pkg, Name, Machine string }

// Verdict is the one of the line that matters most.
func (l *BenchLine) Verdict() bench.Verdict {
	worst := slices.MinFunc(l.Measures, func(x, y BenchMeasure) int { return cmp.Compare(x.Standing.urgency(), y.Standing.urgency()) })
	return worst.Standing.Decided()
}

// urgency is where a line stands among the others.
func (l *BenchLine) urgency() int {
	least := 9
	for i := range l.Measures {
		m := &l.Measures[i]
		least = min(least, m.Standing.urgency())
		if c := m.Last(); c != nil && c.Worse && c.Alarm {
			least = min(least, 1)
		}
	}
	return least
}

func (s *BenchStanding) urgency() int {
	switch s.Decided() {
	case bench.Worse:
		return 0
	case bench.Better:
		return 2
	case bench.ExactChanged:
		return 3
	case bench.Inconclusive:
		return 4
	case bench.Same:
		return 5
	}
	return 6
}

// order puts time before memory and allocations, and these before others.
func (m *BenchMeasure) order() int {
	if i := slices.Index([]string{"sec/op", "B/op", "allocs/op"}, m.Unit); i >= 0 {
		return i
	}
	return 3
}

// Last is the last change of level, nil where there is none.
func (m *BenchMeasure) Last() *SeriesChange {
	if changes := seriesHistory(&m.BenchHistory).Changes; len(changes) > 0 {
		return &changes[len(changes)-1]
	}
	return nil
}

// Latest is the last median for people.
func (m *BenchMeasure) Latest() string {
	if n := len(m.Runs); n > 0 {
		return bench.Amount(m.Runs[n-1].Center, m.Unit)
	}
	return ""
}

// Spark is the history as one small drawing.
func (m *BenchMeasure) Spark() template.HTML {
	values := make([]float64, len(m.Runs))
	for i, r := range m.Runs {
		values[i] = r.Center
	}
	var changes []int
	for _, c := range m.Changes {
		changes = append(changes, c.Index)
	}
	label := fmt.Sprintf("%s over %d runs, last %s", bench.Measure(m.Unit), len(values), m.Latest())
	return bench.Spark(values, changes, label)
}

// Site writes the histories that are wanted as static pages into a folder, against
// a named baseline or the runs with which they begin, and returns the alarms on
// them, and how many series there are.
func (b *Benchmarks) Site(ctx context.Context, dir, title, baseline string, q BenchQuery) (alarms []site.Alarm, series int, err error) {
	histories, err := b.Histories(ctx, q)
	if err != nil {
		return nil, 0, err
	}
	standings, err := b.standings(ctx, histories, baseline)
	if err != nil {
		return nil, 0, err
	}
	s := site.Site{Title: title, Made: time.Now()}
	order := make([]int, len(histories))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(standings[x].urgency(), standings[y].urgency()) })
	for _, i := range order {
		h := histories[i]
		one := site.Series{Title: h.Title, Unit: h.Unit, Machine: h.Config["machine"], Start: h.Start, Row: standings[i].Row,
			Against: standings[i].Title, Reason: standings[i].Reason}
		for _, p := range h.Runs {
			one.Points = append(one.Points, site.Point{Run: p.Run, Commit: p.Commit, Dated: p.Recorded, Center: p.Center, N: p.N})
		}
		for _, c := range h.Changes {
			one.Changes = append(one.Changes, site.Change{Index: c.Index, Before: c.Before, After: c.After, P: c.P, What: c.What(), Alarm: c.Alarm})
		}
		causes, err := b.ledger.Causes(ctx, h.Config["pkg"], h.Name, causeRuns)
		if err != nil {
			return nil, 0, err
		}
		for _, c := range causes {
			one.Causes = append(one.Causes, site.Cause{Run: c.Run.ID, Commit: c.Run.Commit, Against: c.Against, Cause: c.Cause})
		}
		s.Series = append(s.Series, one)
	}
	alarms, err = site.Write(dir, s)
	return alarms, len(s.Series), err
}

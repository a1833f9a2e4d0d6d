package service

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"sakusen/bench"
	"sakusen/bench/changepoint"
	"sakusen/bench/ledger"
	"sakusen/bench/site"
	"sakusen/tuner/store/sqlitedb"
)

// Benchmarks is the record of go test -bench in an open database: runs, their names,
// accepted changes, and the histories of series.
type Benchmarks struct {
	*ledger.Ledger
	branch string    // on which baselines are measured
	kept   *rankings // how series stand
}

// OpenBenchmarks returns the benchmarks of a database.
func OpenBenchmarks(ctx context.Context, db *sqlitedb.DB) (*Benchmarks, error) {
	l, err := ledger.Open(ctx, db)
	return &Benchmarks{Ledger: l, kept: &rankings{}}, err
}

// mostCauses bounds the causes of a run.
const mostCauses = 100

// BenchRun is a benchmark run to be recorded: the text of go test -bench, and
// where it was measured.
type BenchRun struct {
	Name    string `json:"name,omitempty" line:"0-1000"`
	Text    string `json:"text" help:"The output of go test -bench."`
	Machine string `json:"machine,omitempty" help:"The class of machine; if absent, it is taken from the text." line:"0-200"`
	ledger.Origin
	// Causes say where it lost or gained against the run that it was measured beside,
	// which is one of the commit Against.
	Causes  []bench.Cause `json:"causes,omitempty" help:"The functions in which the run became slower or faster than the run that was measured beside it." most:"100"`
	Against string        `json:"against,omitempty" help:"The commit of the run that was measured beside this one." line:"0-200"`
}

// BenchRecorded is a recorded run.
type BenchRecorded struct {
	New    bool `json:"new"` // false: it was recorded before
	Series int  `json:"series"`
	// Incomplete says what the run lacks: it is the baseline of no gate, unless it is named.
	Incomplete []string `json:"incomplete,omitempty" help:"What is missing from the run: packages that failed, results that were lost."`
	ledger.RecordedRun
}

// Record keeps runs; baseline, unless empty, becomes the name of the first. What
// was recorded before is not recorded again. On an error the answer is what was
// recorded until then.
func (b *Benchmarks) Record(ctx context.Context, runs []BenchRun, baseline string) ([]BenchRecorded, error) {
	read := make([]*bench.Run, len(runs))
	for i, given := range runs {
		var err error
		if read[i], err = bench.Read(strings.NewReader(given.Text), given.Name, bench.ReadOptions{Machine: given.Machine}); err != nil {
			return nil, Wrap(Invalid, fmt.Errorf("runs[%d].text: %w", i, err))
		}
		if len(given.Causes) > mostCauses {
			return nil, Wrap(Invalid, fmt.Errorf("runs[%d].causes: expected at most %d, got %d", i, mostCauses, len(given.Causes)))
		}
		for k := range given.Causes {
			if err := given.Causes[k].Check(); err != nil {
				return nil, Wrap(Invalid, fmt.Errorf("runs[%d].causes[%d]: %w", i, k, err))
			}
		}
	}
	out := []BenchRecorded{}
	for i, run := range read {
		given := runs[i]
		e, fresh, err := b.Ledger.Record(ctx, run, given.Origin)
		if err == nil && i == 0 && baseline != "" {
			err = b.Ledger.SetBaseline(ctx, baseline, e.ID)
		}
		if err == nil && len(given.Causes) > 0 {
			err = b.Explain(ctx, e.ID, given.Against, given.Causes)
		}
		if err != nil {
			return out, err
		}
		out = append(out, BenchRecorded{fresh, len(run.Order), run.Incomplete(), e})
	}
	return out, nil
}

// BenchNamed is a run that has a name.
type BenchNamed struct {
	Name  string `json:"name"`
	Run   int64  `json:"run"`
	Title string `json:"title"` // of the run, for people
}

// SetBaseline gives the recorded run that source means a name.
func (b *Benchmarks) SetBaseline(ctx context.Context, name, source string) (BenchNamed, error) {
	e, err := b.find(ctx, source)
	if err != nil {
		return BenchNamed{}, err
	}
	return BenchNamed{Name: name, Run: e.ID, Title: e.Title}, b.Ledger.SetBaseline(ctx, name, e.ID)
}

// BenchAccept is a change to stand by.
type BenchAccept struct {
	Series string `json:"series" help:"The series' title, or a part of it that no other series of the run has." line:"1-2000"`
	Source string `json:"source" help:"The run: run:N, latest, baseline:NAME or commit:HASH." line:"1-400"`
	Reason string `json:"reason" line:"1-2000"`
}

// BenchAccepted is a change of level that was accepted.
type BenchAccepted struct {
	Series string `json:"series"` // whole title
	Run    int64  `json:"run"`
	Title  string `json:"title"` // of the run, for people
}

// Accept lets a series begin anew with the values of a run.
func (b *Benchmarks) Accept(ctx context.Context, given BenchAccept) (BenchAccepted, error) {
	run, e, err := b.Run(ctx, given.Source)
	if err != nil {
		return BenchAccepted{}, err
	}
	s, err := run.Find(given.Series)
	if err != nil {
		return BenchAccepted{}, Wrap(Invalid, err)
	}
	return BenchAccepted{Series: s.Title(), Run: e.ID, Title: e.Title}, b.Ledger.Accept(ctx, s, e.ID, given.Reason)
}

// Prune removes runs recorded more than so many days ago that nothing names, or,
// dry, counts them.
func (b *Benchmarks) Prune(ctx context.Context, days int, dry bool) (int64, error) {
	return b.Ledger.Prune(ctx, time.Now().AddDate(0, 0, -days), dry)
}

// Compared is a recorded run as the side to compare with: series that were
// accepted later have the values with which they began anew.
type Compared struct {
	*bench.Run
	Title   string // of the recorded run
	Renewed int    // series with later values
}

// Compared reads the recorded run that source means.
func (b *Benchmarks) Compared(ctx context.Context, source string) (*Compared, error) {
	run, e, err := b.Run(ctx, source)
	if err != nil {
		return nil, err
	}
	return b.renewed(ctx, run, e)
}

// renewed returns a recorded run with the values of series that were accepted later.
func (b *Benchmarks) renewed(ctx context.Context, run *bench.Run, e ledger.RecordedRun) (*Compared, error) {
	n, err := b.Renew(ctx, run, e.ID)
	return &Compared{run, e.Title, n}, err
}

// ForkPoint returns the baseline of a run among the complete runs of commits that were recorded as they
// were committed, on a machine class unless that is empty, up to one of all benchmarks; nil for none.
func (b *Benchmarks) ForkPoint(ctx context.Context, of *bench.Run, commits []string, machine string) (*Compared, error) {
	var runs []*bench.Run
	var entries []ledger.RecordedRun
	for _, commit := range commits {
		run, e, err := b.CompleteOfCommit(ctx, commit, machine)
		if errors.Is(err, ledger.ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		runs, entries = append(runs, run), append(entries, e)
		if !run.Selected {
			break
		}
	}
	if len(runs) == 0 {
		return nil, nil
	}
	i := of.Baseline(runs, machine == "")
	return b.renewed(ctx, runs[i], entries[i])
}

// find finds the recorded run that a source means.
func (b *Benchmarks) find(ctx context.Context, source string) (ledger.RecordedRun, error) {
	kind, name, _ := strings.Cut(source, ":")
	switch kind {
	case "latest":
		return b.Latest(ctx)
	case "run":
		id, err := strconv.ParseInt(name, 10, 64)
		if err != nil {
			return ledger.RecordedRun{}, New(Invalid, fmt.Sprintf("%s: expected the number of a run", source))
		}
		return b.Entry(ctx, id)
	case "commit":
		return b.OfCommit(ctx, name, "")
	case "baseline":
		return b.OfBaseline(ctx, name)
	}
	return ledger.RecordedRun{}, New(Invalid, fmt.Sprintf("%s: expected run:N, latest, baseline:NAME or commit:HASH", source))
}

// Run reads the recorded run that a source means.
func (b *Benchmarks) Run(ctx context.Context, source string) (*bench.Run, ledger.RecordedRun, error) {
	e, err := b.find(ctx, source)
	if err != nil {
		return nil, e, err
	}
	run, err := b.Ledger.Run(ctx, e.ID)
	return run, e, err
}

// Text returns the recorded run that a source means as it was recorded, in the format
// of go test -bench.
func (b *Benchmarks) Text(ctx context.Context, source string) (string, error) {
	e, err := b.find(ctx, source)
	if err != nil {
		return "", err
	}
	return b.Export(ctx, e.ID)
}

// usual asks for series on the baseline branch.
func (b *Benchmarks) usual(series, machine string) ledger.HistoryQuery {
	return ledger.HistoryQuery{Series: series, Branch: b.branch, Machine: machine, Changes: changepoint.Usual()}
}

// FoundSeries is a page of the series on the baseline branch, by package, name and unit.
type FoundSeries struct {
	Series []ledger.History
	Next   int // series before the next page, 0 on the last
	Total  int // that were found
}

// Series returns the series on the baseline branch that have a text in their title, at most
// limit of them behind skip.
func (b *Benchmarks) Series(ctx context.Context, text string, skip, limit int) (*FoundSeries, error) {
	r, _, err := b.ranked(ctx, "", true)
	if err != nil {
		return nil, err
	}
	all := r.with(text)
	out := &FoundSeries{Total: len(all)}
	all = all[min(skip, len(all)):]
	if len(all) > limit {
		all, out.Next = all[:limit], skip+limit
	}
	found, err := b.Standings(b.usual("", "")).Measured(ctx, all)
	for i := range found {
		out.Series = append(out.Series, found[i].History)
	}
	return out, err
}

// Measured returns one series with how it stands and its causes; an empty machine is any.
func (b *Benchmarks) Measured(ctx context.Context, series, machine, baseline string) (*ledger.Measure, error) {
	r, _, err := b.ranked(ctx, baseline, false)
	if err != nil {
		return nil, err
	}
	for i := range r.series {
		s := &r.series[i]
		if machine != "" && s.Machine != machine || s.Title() != series {
			continue
		}
		found, err := b.Standings(b.usual("", "")).Measured(ctx, r.series[i:i+1])
		if err != nil || len(found) == 0 {
			return nil, cmp.Or(err, unknownSeries(series))
		}
		return &found[0], b.explain(ctx, &found[0])
	}
	return nil, unknownSeries(series)
}

func unknownSeries(title string) error {
	return New(NotFound, fmt.Sprintf("no series %.200q is recorded", title))
}

// causeRuns is of how many runs a history has causes.
const causeRuns = 5

// explain adds the causes of the last runs that were profiled, on any branch.
func (b *Benchmarks) explain(ctx context.Context, m *ledger.Measure) (err error) {
	m.Causes, err = b.Causes(ctx, m.Config["pkg"], m.Name, causeRuns)
	return err
}

// siteSeries is how many series are read at a time for static pages.
const siteSeries = 300

// Site writes the histories that are wanted as static pages into a folder, against
// a named baseline or the runs with which they begin, and returns the alarms on
// them, and how many series there are.
func (b *Benchmarks) Site(ctx context.Context, dir, title, baseline string, q ledger.HistoryQuery) (alarms []site.Alarm, series int, err error) {
	of := b.Standings(q)
	all, err := of.Rank(ctx, baseline)
	if err != nil {
		return nil, 0, err
	}
	slices.SortStableFunc(all, func(x, y ledger.Ranked) int { return cmp.Compare(x.Standing.Urgency(), y.Standing.Urgency()) })
	next := func(yield func([]ledger.Measure, error) bool) {
		for part := range slices.Chunk(all, siteSeries) {
			found, err := of.Measured(ctx, part)
			for i := range found {
				err = cmp.Or(err, b.explain(ctx, &found[i]))
			}
			if !yield(found, err) || err != nil {
				return
			}
		}
	}
	alarms, err = site.Write(dir, site.Site{Title: title, Made: time.Now(), Verdicts: ledger.Counted(all), Total: len(all), Series: next})
	return alarms, len(all), err
}

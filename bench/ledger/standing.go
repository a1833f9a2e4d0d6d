package ledger

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/perf/benchfmt"

	"sakusen/bench"
)

// Standing is how the last run of a series stands against its baseline; its row is zero
// where there is nothing to compare.
type Standing struct {
	bench.Row
	Run     int64  // the last run
	Against int64  // the run that it is compared with
	Title   string // of that run, for people
	Reason  string // why that one: "baseline main", "the run accepted last", "the first run"
}

// Measure is a series with how it stands.
type Measure struct {
	History
	Standing Standing
	Causes   []RecordedCause // nil where they are not read
}

// verdicts returns those of a series, what matters most first.
func verdicts() []bench.Verdict {
	return []bench.Verdict{bench.Worse, bench.Better, bench.ExactChanged, bench.Inconclusive, bench.Same, ""}
}

// Urgency orders series by their verdicts, what got worse first.
func (s *Standing) Urgency() int { return slices.Index(verdicts(), s.Decided()) }

// Count is how many series have a verdict.
type Count struct {
	bench.Verdict
	Series int
}

// Counted counts series by their verdicts, what matters most first.
func Counted(all []Ranked) []Count {
	of := map[bench.Verdict]int{}
	for i := range all {
		of[all[i].Standing.Decided()]++
	}
	return Counts(of)
}

// Counts returns what matters most first.
func Counts(of map[bench.Verdict]int) (out []Count) {
	for _, v := range verdicts() {
		if n := of[v]; n > 0 {
			out = append(out, Count{v, n})
		}
	}
	return out
}

// Ranked is a series with how its last run stands, without its history.
type Ranked struct {
	bench.Series
	Standing Standing
	Alarm    bool // its last change of level was for the worse, and is sure

	id int64
}

// Key distinguishes series in lists, pages and comparisons.
func (r *Ranked) Key() [2]string { return [2]string{r.Title(), r.Machine} }

// Standings reads the series that a query asks for: what they are, how they stand, and how
// they went.
type Standings struct {
	*Ledger
	q HistoryQuery
}

// Standings returns what reads the series that are asked for.
func (l *Ledger) Standings(q HistoryQuery) Standings { return Standings{l, q} }

// State tells whether what is recorded has changed: two equal states are of equal records.
// Samples is how many values there are.
type State struct {
	Runs, Last, Samples, Accepts, Baselines, Named int64
}

// State returns the state of the record.
func (l Standings) State(ctx context.Context) (s State, err error) {
	err = l.db.Reader().QueryRowContext(ctx, `SELECT count(*), coalesce(max(run_id), 0), coalesce(sum(samples), 0),
		(SELECT coalesce(max(accept_id), 0) FROM bench_accepts), (SELECT count(*) FROM bench_baselines), (SELECT coalesce(sum(updated % 1000000007), 0) FROM bench_baselines) + coalesce(sum(branch = ''), 0)
		FROM bench_runs`).Scan(&s.Runs, &s.Last, &s.Samples, &s.Accepts, &s.Baselines, &s.Named)
	if err != nil {
		return s, fmt.Errorf("benchmarks: %w", err)
	}
	return s, nil
}

// Rank finds series, and compares the last run of each with its baseline. That is the run of
// the given name, else the run with which the series begins: the first one, or the one that was
// accepted last. A history of one run, or that the baseline lacks, has no verdict.
func (l Standings) Rank(ctx context.Context, baseline string) ([]Ranked, error) {
	named := int64(0)
	if baseline != "" {
		e, err := l.OfBaseline(ctx, baseline)
		if errors.Is(err, ErrNotFound) {
			err = fmt.Errorf("no run is named %.200q, as bench baseline list shows: %w", baseline, err)
		}
		if err != nil {
			return nil, err
		}
		named = e.ID
	}
	all, err := l.Listed(ctx)
	if err != nil {
		return nil, err
	}
	in, err := l.recorded(ctx)
	if err != nil {
		return nil, err
	}
	pairs := map[[2]int64][]int{} // indexes of series by the runs to be compared
	if err := in.each(ctx, all, func(i int, h *History) {
		s := Standing{Run: h.Runs[len(h.Runs)-1].Run, Against: named, Reason: "baseline " + baseline}
		if named == 0 {
			if s.Against, s.Reason = h.Runs[h.Start].Run, "the first run"; h.Start > 0 {
				s.Reason = "the run accepted last"
			}
		}
		all[i].Standing = s
		if c := h.Last(); c != nil {
			all[i].Alarm = c.Worse && c.Alarm
		}
		if pair := [2]int64{s.Against, s.Run}; s.Against != s.Run {
			pairs[pair] = append(pairs[pair], i)
		}
	}); err != nil {
		return nil, err
	}
	c := comparisons{Ledger: l.Ledger, renewed: named != 0}
	for _, pair := range slices.SortedFunc(keys(pairs), func(a, b [2]int64) int { return cmp.Or(cmp.Compare(a[1], b[1]), cmp.Compare(a[0], b[0])) }) {
		rows, err := c.between(ctx, pair)
		if err != nil {
			return nil, err
		}
		for _, i := range pairs[pair] {
			if r, ok := rows[all[i].Key()]; ok && r.Paired() {
				all[i].Standing.Row = *r
			}
		}
	}
	all = slices.DeleteFunc(all, func(r Ranked) bool { return r.Standing.Run == 0 }) // of other branches
	titles := map[int64]string{}
	for i := range all {
		s := &all[i].Standing
		if _, ok := titles[s.Against]; !ok {
			e, err := l.Entry(ctx, s.Against)
			if err != nil {
				return nil, err
			}
			titles[s.Against] = e.Title
		}
		s.Title = titles[s.Against]
	}
	return all, nil
}

func keys[K comparable, V any](m map[K]V) func(func(K) bool) {
	return func(yield func(K) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// Measured reads the histories of series that were ranked, in their order. What has no run on
// the branch is left out.
func (l Standings) Measured(ctx context.Context, ranked []Ranked) ([]Measure, error) {
	in, err := l.recorded(ctx)
	if err != nil {
		return nil, err
	}
	found := make([]Measure, len(ranked))
	if err := in.each(ctx, ranked, func(i int, h *History) {
		found[i] = Measure{History: *h, Standing: ranked[i].Standing}
	}); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(found, func(m Measure) bool { return len(m.Runs) == 0 }), nil
}

// comparisons compares runs. Where renewed, series that were accepted after the first one have
// the values with which they begin anew. It keeps the runs that it read last.
type comparisons struct {
	*Ledger
	renewed bool
	read    []keptRun
}

// keptRun is a run that was read.
type keptRun struct {
	id int64
	*bench.Run
}

// mostKept bounds the runs that are kept: two that are compared, and those that other series
// are compared with.
const mostKept = 4

// run reads a run.
func (c *comparisons) run(ctx context.Context, id int64, renewed bool) (*bench.Run, error) {
	if renewed {
		run, err := c.Run(ctx, id)
		if err == nil {
			_, err = c.Renew(ctx, run, id)
		}
		return run, err
	}
	for _, k := range c.read {
		if k.id == id {
			return k.Run, nil
		}
	}
	run, err := c.Run(ctx, id)
	if err == nil {
		c.read = append(c.read[max(0, len(c.read)-mostKept+1):], keptRun{id, run})
	}
	return run, err
}

// between compares two runs, series by series.
func (c *comparisons) between(ctx context.Context, ids [2]int64) (map[[2]string]*bench.Row, error) {
	var runs [2]*bench.Run
	for i, id := range ids {
		var err error
		if runs[i], err = c.run(ctx, id, i == 0 && c.renewed); err != nil {
			return nil, err
		}
	}
	all := bench.Compare(runs[0], runs[1], bench.Options{}).Rows
	rows := make(map[[2]string]*bench.Row, len(all))
	for i := range all {
		rows[[2]string{all[i].Series.Title(), all[i].Series.Machine}] = &all[i]
	}
	return rows, nil
}

// fewSeries is how many series are read one by one, rather than all that there are.
const fewSeries = 500

// each reads the histories of series, those that have runs, in any order, and tells each one
// with its index.
func (in *recorded) each(ctx context.Context, series []Ranked, tell func(i int, h *History)) error {
	at := make(map[int64]int, len(series))
	for i := range series {
		at[series[i].id] = i
	}
	var runs []Sample
	var values []float64
	of := int64(0)
	flush := func() error {
		i, wanted := at[of]
		if !wanted || len(runs) == 0 {
			return nil
		}
		h, err := in.history(ctx, series[i].Series, runs)
		if err != nil {
			return fmt.Errorf("history of %s: %w", series[i].Title(), err)
		}
		tell(i, h)
		return nil
	}
	read := func(query string, args ...any) error {
		rows, err := in.db.Reader().QueryContext(ctx, query, args...)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var id, run int64
			var packed sql.RawBytes
			if err := rows.Scan(&id, &run, &packed); err != nil {
				return err
			}
			if id != of {
				if err := flush(); err != nil {
					return err
				}
				of, runs = id, runs[:0]
			}
			e, ok := in.runs[run]
			if !ok {
				continue
			}
			if values, err = appendValues(values[:0], packed); err != nil {
				return err
			}
			runs = append(runs, in.sample(e, values))
		}
		if err := rows.Err(); err != nil {
			return err
		}
		return flush()
	}
	if len(series) > fewSeries {
		if err := read("SELECT series_id, run_id, packed FROM bench_samples ORDER BY series_id, run_id"); err != nil {
			return fmt.Errorf("histories: %w", err)
		}
		return nil
	}
	for i := range series {
		of, runs = series[i].id, runs[:0]
		if err := read("SELECT series_id, run_id, packed FROM bench_samples WHERE series_id = ? ORDER BY run_id", of); err != nil {
			return fmt.Errorf("histories: %w", err)
		}
	}
	return nil
}

// history makes a history of its samples, which it copies, in the order of the commits.
func (in *recorded) history(ctx context.Context, s bench.Series, samples []Sample) (*History, error) {
	h := &History{Title: s.Title(), Name: s.Name, Unit: s.Unit, Config: s.Config(), Changes: []LevelChange{}, Runs: slices.Clone(samples)}
	// Builds of older commits, and runs that fill gaps, may be recorded after later ones.
	slices.SortStableFunc(h.Runs, func(a, b Sample) int { return cmp.Or(a.At().Compare(b.At()), a.Recorded.Compare(b.Recorded)) })
	for i, r := range h.Runs {
		for _, a := range in.accepts[r.Run] {
			if a.Covers(s) {
				h.Start = i
			}
		}
	}
	last := h.Runs[len(h.Runs)-1].Run
	units, ok := in.units[last]
	if !ok {
		var err error
		if units, err = in.unitsOf(ctx, last); err != nil {
			return nil, err
		}
		in.units[last] = units
	}
	return h, h.findChanges(units, in.q.Changes)
}

// unitsOf reads what a run says of its units.
func (in *recorded) unitsOf(ctx context.Context, run int64) (benchfmt.UnitMetadataMap, error) {
	raw, _, err := in.raw(ctx, run)
	if err != nil {
		return nil, err
	}
	var lines strings.Builder
	for line := range strings.Lines(raw) {
		if strings.HasPrefix(line, "Unit ") {
			lines.WriteString(line)
		}
	}
	r := benchfmt.NewReader(strings.NewReader(lines.String()), "")
	for r.Scan() {
	}
	return r.Units(), nil
}

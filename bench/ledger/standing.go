package ledger

import (
	"context"
	"errors"
	"fmt"
	"slices"

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

// verdicts are those of a series, what matters most first.
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
func Counted(all []Measure) (out []Count) {
	for _, v := range verdicts() {
		n := 0
		for i := range all {
			if all[i].Standing.Decided() == v {
				n++
			}
		}
		if n > 0 {
			out = append(out, Count{v, n})
		}
	}
	return out
}

// Measures finds histories, and compares the last run of each with its baseline: with the run
// of that name where one is given, else with the run with which the series begins, the first
// one or the one that was accepted last. A history of one run, or that the baseline lacks, has
// no verdict.
func (l *Ledger) Measures(ctx context.Context, q HistoryQuery, baseline string) ([]Measure, error) {
	histories, err := l.Histories(ctx, q)
	if err != nil {
		return nil, err
	}
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
	c := comparisons{l, named != 0, map[[2]int64]map[string]bench.Row{}}
	out := make([]Measure, len(histories))
	for i, h := range histories {
		s := Standing{Run: h.Runs[len(h.Runs)-1].Run, Against: named, Reason: "baseline " + baseline}
		if named == 0 {
			if s.Against, s.Reason = h.Runs[h.Start].Run, "the first run"; h.Start > 0 {
				s.Reason = "the run accepted last"
			}
		}
		e, err := l.Entry(ctx, s.Against)
		if err != nil {
			return nil, err
		}
		s.Title = e.Title
		if s.Against != s.Run {
			rows, err := c.between(ctx, [2]int64{s.Against, s.Run})
			if err != nil {
				return nil, err
			}
			if r, ok := rows[h.Title+" "+h.Config["machine"]]; ok && r.Paired() {
				s.Row = r
			}
		}
		out[i] = Measure{History: h, Standing: s}
	}
	return out, nil
}

// comparisons compares runs, each two of them once. Where renewed, series that were accepted
// after the first one have the values with which they begin anew.
type comparisons struct {
	*Ledger
	renewed bool
	known   map[[2]int64]map[string]bench.Row
}

// between compares two runs, series by series.
func (c *comparisons) between(ctx context.Context, ids [2]int64) (map[string]bench.Row, error) {
	if rows, ok := c.known[ids]; ok {
		return rows, nil
	}
	var runs [2]*bench.Run
	for i, id := range ids {
		var err error
		if runs[i], err = c.Run(ctx, id); err != nil {
			return nil, err
		}
	}
	if c.renewed {
		if _, err := c.Renew(ctx, runs[0], ids[0]); err != nil {
			return nil, err
		}
	}
	rows := map[string]bench.Row{}
	for _, r := range bench.Compare(runs[0], runs[1], bench.Options{}).Rows {
		rows[r.Series.Title()+" "+r.Series.Machine] = r
	}
	c.known[ids] = rows
	return rows, nil
}

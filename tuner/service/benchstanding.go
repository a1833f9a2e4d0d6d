package service

import (
	"context"
	"errors"
	"fmt"

	"sakusen/bench"
	"sakusen/bench/ledger"
)

// BenchStanding is how the last run of a series stands against its baseline.
type BenchStanding struct {
	bench.Row
	Run     int64  // the last run
	Against int64  // the run that it is compared with
	Title   string // of that run, for people
	Reason  string // why that one: "baseline main", "the run accepted last", "the first run"
}

// Standings compare the last run of each history with its baseline: with the run
// of that name where one is given, else with the run with which the series begins, the
// first one or the one that was accepted last. A history of one run, or that the
// baseline lacks, has no verdict.
func (b *Benchmarks) Standings(ctx context.Context, histories []BenchHistory, baseline string) ([]BenchStanding, error) {
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

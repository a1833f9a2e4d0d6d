package service

import (
	"context"
	"fmt"

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

package service

import (
	"context"
	"time"

	"sakusen/bench"
	"sakusen/bench/site"
)

// Site writes the histories that are wanted as static pages into a folder, and
// returns the alarms on them, and how many series there are.
func (b *Benchmarks) Site(ctx context.Context, dir, title string, q BenchQuery) (alarms []site.Alarm, series int, err error) {
	histories, err := b.Histories(ctx, q)
	if err != nil {
		return nil, 0, err
	}
	s := site.Site{Title: title, Made: time.Now()}
	verdicts := map[[2]int64]map[string]bench.Row{}
	for _, h := range histories {
		one := site.Series{Title: h.Title, Unit: h.Unit, Machine: h.Config["machine"], Start: h.Start}
		for _, p := range h.Runs {
			one.Points = append(one.Points, site.Point{Run: p.Run, Commit: p.Commit, Dated: p.Recorded, Center: p.Center, N: p.N})
		}
		for _, c := range h.Changes {
			one.Changes = append(one.Changes, site.Change{Index: c.Index, Before: c.Before, After: c.After, P: c.P, What: c.What(), Alarm: c.Alarm})
		}
		if n := len(h.Runs); n > 1 {
			rows, err := b.last(ctx, [2]int64{h.Runs[n-2].Run, h.Runs[n-1].Run}, verdicts)
			if err != nil {
				return nil, 0, err
			}
			if r, ok := rows[h.Title+" "+one.Machine]; ok && r.Paired() {
				one.Verdict = string(r.Verdict)
				if r.Verdict == bench.Better || r.Verdict == bench.Worse || r.Verdict == bench.ExactChanged {
					one.Change = r.Moved()
				}
			}
		}
		s.Series = append(s.Series, one)
	}
	alarms, err = site.Write(dir, s)
	return alarms, len(s.Series), err
}

// last compares two runs, series by series; comparisons made before are reused.
func (b *Benchmarks) last(ctx context.Context, ids [2]int64, known map[[2]int64]map[string]bench.Row) (map[string]bench.Row, error) {
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
	rows := map[string]bench.Row{}
	for _, r := range bench.Compare(runs[0], runs[1], bench.Options{}).Rows {
		rows[r.Series.Title()+" "+r.Series.Machine] = r
	}
	known[ids] = rows
	return rows, nil
}

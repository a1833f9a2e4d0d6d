package service

import (
	"cmp"
	"context"
	"slices"
	"time"

	"sakusen/bench/site"
)

// Site writes the histories that are wanted as static pages into a folder, against
// a named baseline or the runs with which they begin, and returns the alarms on
// them, and how many series there are.
func (b *Benchmarks) Site(ctx context.Context, dir, title, baseline string, q BenchQuery) (alarms []site.Alarm, series int, err error) {
	histories, err := b.Histories(ctx, q)
	if err != nil {
		return nil, 0, err
	}
	standings, err := b.Standings(ctx, histories, baseline)
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

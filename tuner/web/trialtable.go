package web

import (
	"context"
	"fmt"
	"maps"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"sakusen/engines/param"
	"sakusen/tuner/entry"
	"sakusen/tuner/service"
	"sakusen/tuner/web/pages"
)

// listed is the number of trials in a page of the table.
const listed = 25

// orderOf reads order, show and after of a query.
func orderOf(r *http.Request) (pages.Ranking, error) {
	q := r.URL.Query()
	o := pages.Ranking{Order: q.Get("order"), Show: q.Get("show")}
	if o.Order == "" {
		o.Order = "latest"
	}
	if o.Show == "" {
		o.Show = "all"
	}
	for _, key := range slices.Sorted(maps.Keys(q)) {
		end, parameter, ok := strings.Cut(key, ".")
		text := strings.TrimSpace(q.Get(key))
		if !ok || end != "min" && end != "max" || text == "" {
			continue
		}
		x, err := strconv.ParseFloat(text, 64)
		if err != nil || math.IsNaN(x) {
			return o, service.New(service.Invalid, fmt.Sprintf("%.60s: expected a number, got %.40q", key, text))
		}
		w := pages.Within{Name: parameter, Low: math.Inf(-1), High: math.Inf(1)}
		if end == "min" {
			w.Low = x
		} else {
			w.High = x
		}
		o.Within = append(o.Within, w)
	}
	if !slices.Contains([]string{"all", "complete", "stopped", "running"}, o.Show) {
		return o, service.New(service.Invalid, fmt.Sprintf("show: expected all, complete, stopped or running, got %.40q", o.Show))
	}
	after, err := query(r, "after", -1, 0, mostKey)
	o.After = after
	return o, err
}

// table reads a page of the table.
func (all *chronicles) table(ctx context.Context, c *sharedChronicle, o pages.Ranking) (*pages.TrialTable, error) {
	c.mu.Lock()
	log := c.log
	if err := o.Resolve(log.Spec.Tune.Params); err != nil {
		c.mu.Unlock()
		return nil, service.Wrap(service.Invalid, err)
	}
	out := &pages.TrialTable{Ranking: o, Next: -1, Total: len(log.Trials), Unit: pages.UnitOf(log),
		Raced: len(log.Spec.Race.Rungs) > 1 && log.Spec.Evaluate == nil && !log.Spec.Duels}
	numbers := o.Numbers(log, listed)
	rows := make([]pages.TrialRow, len(numbers))
	var seqs []int
	for i, n := range numbers {
		rows[i] = pages.RowOf(log, n)
		if t := &log.Trials[n]; t.Told > 0 && t.End >= entry.Behind && t.End != entry.Beyond {
			seqs = append(seqs, int(t.Told))
		}
	}
	told := make([]int, len(numbers))
	for i, n := range numbers {
		told[i] = int(log.Trials[n].Told)
	}
	space := log.Spec.Tune.Params
	for k := range space {
		out.Columns = append(out.Columns, space[k].Name)
		if space[k].Kind == param.Int || space[k].Kind == param.Float {
			out.Numeric = append(out.Numeric, space[k].Name)
		}
	}
	c.mu.Unlock()
	entries, err := all.service.Studies().EntriesAt(ctx, c.id, seqs)
	if err != nil {
		return nil, err
	}
	trials, err := all.service.Studies().TrialsAt(ctx, c.name, numbers)
	if err != nil {
		return nil, err
	}
	byNumber := map[int]*service.Trial{}
	for i := range trials {
		byNumber[trials[i].Number] = &trials[i]
	}
	for i := range rows {
		if e, ok := entries[told[i]]; ok {
			if reason := entry.Reason(e); reason != "" {
				rows[i].Why += ": " + reason
			}
		}
		if t := byNumber[rows[i].Number]; t != nil {
			for k := range space {
				text, ok := t.Params[space[k].Name]
				if !ok {
					text = "-"
				}
				rows[i].Params, rows[i].Exact = append(rows[i].Params, pages.Rounded(&space[k], text)), append(rows[i].Exact, text)
			}
		} else {
			rows[i].Params, rows[i].Exact = make([]string, len(space)), make([]string, len(space))
		}
	}
	out.Rows = rows
	if len(numbers) == listed {
		out.Next = numbers[listed-1]
	}
	return out, nil
}

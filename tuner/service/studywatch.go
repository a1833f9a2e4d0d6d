package service

import (
	"cmp"
	"context"
	"math"
	"slices"

	"sakusen/tuner/entry"
	"sakusen/tuner/insight/chronicle"
)

// Watcher looks at a study again and again; what it has read of the log is not read
// again. It is not safe for use by several goroutines.
type Watcher struct {
	t     Logs
	name  string
	study int // its id
	read  *chronicle.Chronicle
	after int // entries read
}

// Look is a study at one moment.
type Look struct {
	Study *StudyDetail
	// Rows are the trials that matter now, the best first: those that are playing, then
	// those that are told.
	Rows   []LookRow
	Duels  int       // pairs of candidates that met, where they meet each other
	Finals []LookRow // of the final, the best first
}

// LookRow is a trial with its estimate: NaN where there is none.
type LookRow struct {
	Trial            int
	Params           map[string]string
	Value, Low, High float64
	Blocks           int
	End              entry.End
}

// Watch begins to look at a study.
func (t Logs) Watch(name string) *Watcher { return &Watcher{t: t, name: name} }

// lookPage is how many entries are read at once.
const lookPage = 10000

// Look looks, with at most so many rows.
func (w *Watcher) Look(ctx context.Context, rows int) (*Look, error) {
	d, err := w.t.s.Studies().Show(ctx, w.name)
	if err != nil {
		return nil, err
	}
	if w.read == nil || d.ID != w.study || d.Entries < w.after { // deleted, and begun anew
		if w.read, err = w.t.Chronicle(ctx, w.name); err != nil {
			return nil, err
		}
		w.study, w.after = d.ID, 0
	}
	for w.after < d.Entries {
		before := w.after
		err := w.t.EachEntry(ctx, d.ID, w.after, lookPage, func(e entry.Entry) error {
			w.after++
			return w.read.Add(e)
		})
		if err != nil {
			return nil, err
		}
		if w.after == before {
			break
		}
	}
	out := &Look{Study: d, Duels: len(w.read.Duels)}
	out.Rows = w.best(rows)
	for _, f := range w.read.Finals {
		low, high := w.read.Interval(f.Value, f.Error, w.read.Spec.Final.Blocks)
		out.Finals = append(out.Finals, LookRow{Trial: f.Trial, Value: f.Value, Low: low, High: high, End: entry.Whole})
	}
	sign := w.sign()
	slices.SortStableFunc(out.Finals, func(a, b LookRow) int { return cmp.Compare(sign*a.Value, sign*b.Value) })
	return out, w.params(ctx, out.Rows, out.Finals)
}

// best are the trials that are playing and those that are told, of each the best by
// their value; what has no value is left out.
func (w *Watcher) best(rows int) []LookRow {
	var all []LookRow
	for i := range w.read.Trials {
		t := &w.read.Trials[i]
		if math.IsNaN(t.Value) || t.Blocks == 0 {
			continue
		}
		all = append(all, LookRow{Trial: i, Value: t.Value, Blocks: int(t.Blocks), End: t.End})
	}
	sign := w.sign()
	slices.SortStableFunc(all, func(a, b LookRow) int {
		return cmp.Or(cmp.Compare(waiting(a), waiting(b)), cmp.Compare(sign*a.Value, sign*b.Value))
	})
	all = all[:min(len(all), rows)]
	for i := range all {
		t := &w.read.Trials[all[i].Trial]
		all[i].Low, all[i].High = w.read.Interval(t.Value, t.Error, int64(t.Blocks))
	}
	return all
}

// sign makes the better values the smaller ones.
func (w *Watcher) sign() float64 {
	if w.read.Spec.Maximize() {
		return -1
	}
	return 1
}

// waiting orders rows: those that are playing before those that passed, and these before
// those that were stopped.
func waiting(r LookRow) int {
	switch r.End {
	case entry.Playing:
		return 0
	case entry.Whole:
		return 1
	}
	return 2
}

// params fills in the parameters of rows.
func (w *Watcher) params(ctx context.Context, groups ...[]LookRow) error {
	for _, rows := range groups {
		var numbers []int
		for _, r := range rows {
			numbers = append(numbers, r.Trial)
		}
		if len(numbers) == 0 {
			continue
		}
		slices.Sort(numbers)
		trials, err := w.t.TrialsAt(ctx, w.name, slices.Compact(numbers))
		if err != nil {
			return err
		}
		for i := range rows {
			for _, t := range trials {
				if t.Number == rows[i].Trial {
					rows[i].Params = t.Params
				}
			}
		}
	}
	return nil
}

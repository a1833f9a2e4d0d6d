package service

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/c-bata/goptuna"

	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/insight"
)

// Watcher looks at a study again and again; what it has read of the log is not read
// again. It is not safe for use by several goroutines.
type Watcher struct {
	t     Logs
	name  string
	study int // its id
	read  *insight.Log
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

// Look reads a log, with at most so many rows.
func (w *Watcher) Look(ctx context.Context, rows int) (*Look, error) {
	d, err := w.t.s.Studies().Show(ctx, w.name)
	if err != nil {
		return nil, err
	}
	if w.read == nil || d.ID != w.study || d.Entries < w.read.Entries { // deleted, and begun anew
		if w.read, err = w.t.Begin(ctx, w.name); err != nil {
			return nil, err
		}
		w.study = d.ID
	}
	if err := w.t.catchUp(ctx, w.read, d); err != nil {
		return nil, err
	}
	out := &Look{Study: d, Duels: len(w.read.Duels)}
	out.Rows = w.best(rows)
	for _, f := range w.read.Finals {
		low, high := w.read.Interval(f.Value, f.Error, w.read.Spec.Final.Blocks)
		out.Finals = append(out.Finals, LookRow{Trial: f.Trial, Value: f.Value, Low: low, High: high, End: entry.Whole})
	}
	up := w.read.Spec.Maximize()
	slices.SortStableFunc(out.Finals, func(a, b LookRow) int { return insight.Order(a.Value, b.Value, up, 0) })
	return out, w.params(ctx, out.Rows, out.Finals)
}

// best returns the trials that are playing and those that are told, of each the best by
// their value; what has no value is left out.
func (w *Watcher) best(rows int) (out []LookRow) {
	trials, up := w.read.Trials, w.read.Spec.Maximize()
	// Those that are playing come before those that passed, and these before those that were stopped.
	place := func(i int) int { return slices.Index([]entry.End{entry.Whole, entry.Playing}, trials[i].End) }
	for _, i := range insight.Pick(len(trials), rows, func(i int) bool {
		return !math.IsNaN(trials[i].Value) && trials[i].Blocks > 0
	}, func(i, j int) int {
		return cmp.Or(cmp.Compare(place(j), place(i)), insight.Order(trials[i].Value, trials[j].Value, up, i-j))
	}) {
		t := &trials[i]
		low, high := w.read.Interval(t.Value, t.Error, int64(t.Blocks))
		out = append(out, LookRow{Trial: i, Value: t.Value, Low: low, High: high, Blocks: int(t.Blocks), End: t.End})
	}
	return out
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

// Log lists at most limit entries of a study's log after a sequence number.
func (t Logs) Log(ctx context.Context, name string, after, limit int) ([]LogEntry, error) {
	d, err := FindStudy(ctx, t.s.store, name)
	if err != nil {
		return nil, err
	}
	page, err := t.s.store.Study(d.ID).EntryPage(ctx, after, limit)
	out := []LogEntry{}
	for i, e := range page {
		out = append(out, LogEntry{Seq: after + 1 + i, Kind: string(e.Kind), Payload: e.Payload})
	}
	return out, err
}

// Begin begins to read the log of a study, of which nothing is read yet. Where
// the game's rules are no longer what the study says, what needs them stays
// unknown.
func (t Logs) Begin(ctx context.Context, name string) (*insight.Log, error) {
	_, spec, err := find(ctx, t.s.store, name)
	if err != nil {
		return nil, err
	}
	game, err := tuner.GameOf(spec, t.s.games.all())
	if err != nil {
		return insight.NewLog(spec, nil), nil
	}
	rules, err := game.OpenRules(spec.Rules)
	if err != nil {
		t.s.o.Log.Debug("the log of a study cannot be read", "study", name, "error", err)
		rules = nil
	}
	return insight.NewLog(spec, rules), nil
}

// Read returns the log of a study, read to its end.
func (t Logs) Read(ctx context.Context, d *StudyDetail) (*insight.Log, error) {
	c, err := t.Begin(ctx, d.Study.Study)
	if err == nil {
		err = t.catchUp(ctx, c, d)
	}
	return c, err
}

// catchUp reads on in a log, to the end that it had in the database then.
func (t Logs) catchUp(ctx context.Context, c *insight.Log, d *StudyDetail) error {
	for c.Entries < d.Entries {
		before := c.Entries
		if err := t.EachEntry(ctx, d.ID, before, lookPage, c.Add); err != nil || c.Entries == before {
			return err
		}
	}
	return nil
}

// EachEntry hands over at most limit entries of the log of the study with an id,
// after the given number, in order.
func (t Logs) EachEntry(ctx context.Context, id, after, limit int, each func(entry.Entry) error) error {
	return t.s.store.Study(id).EachEntry(ctx, after, limit, each)
}

// EntriesAt returns the entries of the study with an id with the given numbers, at
// most 1 000.
func (t Logs) EntriesAt(ctx context.Context, id int, seqs []int) (map[int]entry.Entry, error) {
	return t.s.store.Study(id).EntriesAt(ctx, seqs)
}

// Logs reads what studies have recorded: their trials and their logs.
type Logs struct{ s *Service }

// Trials lists at most limit trials from a number on.
func (t Logs) Trials(ctx context.Context, name string, from, limit int) ([]Trial, error) {
	d, space, err := spaced(ctx, t.s.store, name)
	if err != nil {
		return nil, err
	}
	page, err := t.s.store.Study(d.ID).TrialPage(ctx, from, limit)
	if err != nil {
		return nil, err
	}
	return trialsOf(page, space)
}

// AllTrials lists all trials of a study, ascending.
func (t Logs) AllTrials(ctx context.Context, name string) iter.Seq2[Trial, error] {
	return func(yield func(Trial, error) bool) {
		d, space, err := spaced(ctx, t.s.store, name)
		if err != nil {
			yield(Trial{}, err)
			return
		}
		for stored, err := range t.s.store.Study(d.ID).AllTrials(ctx) {
			var line Trial
			if err == nil {
				line, err = trialOf(stored, space)
			}
			if !yield(line, err) || err != nil {
				return
			}
		}
	}
}

// TrialsAt returns the trials with the given numbers, at most 1 000, ascending.
func (t Logs) TrialsAt(ctx context.Context, name string, numbers []int) ([]Trial, error) {
	d, space, err := spaced(ctx, t.s.store, name)
	if err != nil {
		return nil, err
	}
	trials, err := t.s.store.Study(d.ID).TrialsAt(ctx, numbers)
	if err != nil {
		return nil, err
	}
	return trialsOf(trials, space)
}

// trialsOf returns trials as they are shown.
func trialsOf(trials []goptuna.FrozenTrial, space tuner.Space) ([]Trial, error) {
	out := make([]Trial, 0, len(trials))
	for _, t := range trials {
		line, err := trialOf(t, space)
		if err != nil {
			return nil, err
		}
		out = append(out, line)
	}
	return out, nil
}

// trialOf returns a trial as it is shown. An empty space is that of its own distributions.
func trialOf(t goptuna.FrozenTrial, space tuner.Space) (Trial, error) {
	line := Trial{Number: t.Number, State: strings.ToLower(t.State.String()), Params: map[string]string{}, Values: map[string]any{}, Rungs: []rung{}, Attrs: t.UserAttrs}
	if t.State == goptuna.TrialStateComplete || t.State == goptuna.TrialStatePruned {
		line.Value = &t.Value
	}
	for _, blocks := range slices.Sorted(maps.Keys(t.IntermediateValues)) {
		line.Blocks = blocks
		line.Rungs = append(line.Rungs, rung{Blocks: blocks, Value: t.IntermediateValues[blocks]})
	}
	if len(space) == 0 {
		space = tuner.SpaceOf(t.Distributions)
	}
	for i := range space {
		p := &space[i]
		if internal, ok := t.InternalParams[p.Name]; ok {
			text, err := p.External(p.Distribution(false), internal)
			if err != nil {
				return line, fmt.Errorf("trial %d: %w", t.Number, err)
			}
			line.Params[p.Name], line.Values[p.Name] = text, p.Kind.Native(text)
		}
	}
	return line, nil
}

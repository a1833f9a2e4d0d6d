package web

import (
	"cmp"
	"fmt"
	"html/template"
	"math"
	"net/url"
	"slices"
	"strings"

	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/insight"
	"sakusen/tuner/numeral"
	"sakusen/tuner/service"
	"sakusen/tuner/stats"
	"sakusen/tuner/view"
	"sakusen/tuner/web/chart"
)

// trialRow is a trial in the table.
type trialRow struct {
	Number          int
	State           string
	Value, Interval string // Elo above the baseline, or the objective
	Blocks          int32
	Rungs           string
	Params, Exact   []string // in the order of the table's columns
	Why             string
}

// trialTable is a page of the table.
type trialTable struct {
	ranking
	Rows    []trialRow
	Unit    string   // of the values
	Columns []string // the tuned parameters
	Numeric []string // those that are numbers
	Raced   bool     // trials are stopped at rungs
	Next    int      // key of the next page, -1 on the last
	Total   int
}

// bound is what is filled in for a numeric parameter's range.
type bound struct{ Name, Low, High string }

// Bounds returns the ranges of the numeric parameters, those that are given filled in.
func (t *trialTable) Bounds() []bound {
	var out []bound
	for _, name := range t.Numeric {
		out = append(out, bound{name, t.min[name], t.max[name]})
	}
	return out
}

// Ranges returns the given ranges as the end of an address.
func (t *trialTable) Ranges() template.URL {
	q := url.Values{}
	for end, bounds := range map[string]map[string]string{"min.": t.min, "max.": t.max} {
		for name, text := range bounds {
			q.Set(end+name, text)
		}
	}
	if len(q) == 0 {
		return ""
	}
	return template.URL("&" + q.Encode())
}

// unitOf returns the unit of trials' values.
func unitOf(log *insight.Log) string {
	if s := log.Scale(); !s.Elo {
		return s.Unit
	}
	return "Elo"
}

// rowOf returns a trial without its parameters, and the reason it was stopped for as
// far as the log knows it.
func rowOf(log *insight.Log, n int) trialRow {
	t := &log.Trials[n]
	r := trialRow{Number: n, Value: "-", Blocks: t.Blocks}
	if !math.IsNaN(t.Value) {
		e := log.Scale().Estimate(t.Value, t.Error, int64(t.Blocks))
		r.Value, r.Interval = e.Text, e.Interval
	}
	rungs := len(log.Spec.Race.Rungs)
	if t.Met > 0 {
		r.Rungs = fmt.Sprintf("%d of %d", log.Passed(n), rungs)
	}
	at := "no rung"
	if t.Met > 0 {
		at = fmt.Sprintf("rung %d of %d, %d blocks", t.Met, rungs, log.Spec.Race.Rungs[t.Met-1])
	}
	r.State = "stopped"
	switch t.End {
	case entry.Playing:
		r.State = "running"
	case entry.Whole:
		r.State = "complete"
		if !t.Feasible {
			r.Why = outside(log, n)
		}
	case entry.Valueless:
		r.State, r.Why = "complete", "without a value"
	case entry.Behind:
		r.Why = "the incumbent's challenge, " + at
	case entry.Beyond:
		r.Why = outside(log, n) + ", " + at
	case entry.Halved:
		r.Why = "halving, " + at
		switch place, of, went := placeOf(log, n); {
		case place > 0:
			r.Why += fmt.Sprintf(": place %d of %d in its batch; the better %d went on", place, of, went)
		case log.Several() > 0:
			r.Why += fmt.Sprintf(": not among the better %g of its batch, by fronts", log.Spec.Race.Keep)
		}
	}
	return r
}

// outside returns which limit a trial breaks.
func outside(log *insight.Log, n int) string {
	if text := log.Breach(n); text != "" {
		return "outside a limit: " + text
	}
	return "outside a limit"
}

// excluded returns how many trials are outside the limits, and what the strongest of them
// breaks; empty where none is.
func excluded(log *insight.Log) string {
	_, up := log.Goals()
	n, best := 0, -1
	for i := range log.Trials {
		if t := &log.Trials[i]; t.End == entry.Beyond || !t.Feasible {
			if n++; best < 0 || insight.Order(t.Value, log.Trials[best].Value, up[0], 0) < 0 {
				best = i
			}
		}
	}
	if n == 0 {
		return ""
	}
	r := rowOf(log, best)
	text := fmt.Sprintf("%d of %s trials are outside the limits, however good they look. The best of them, trial %d, has %s %s on %s blocks", n, numeral.Count(int64(len(log.Trials))), best, r.Value, unitOf(log), numeral.Count(int64(r.Blocks)))
	if why := log.Breach(best); why != "" {
		text += ", but " + why
	}
	return text + "."
}

// placeOf returns a trial's rank in its batch at the rung that stopped it, how many trials
// played there, and how many went on by halving; 0 if it is not known.
func placeOf(log *insight.Log, n int) (place, of, went int) {
	rung := int(log.Trials[n].Met) - 1
	_, up := log.Goals()
	if rung < 0 || log.Several() > 0 {
		return 0, 0, 0
	}
	own, _ := log.Level(n, rung)
	if math.IsNaN(own) {
		return 0, 0, 0
	}
	place = 1
	mates := log.Mates(n)
	for i := mates.First; i < mates.First+mates.Trials; i++ {
		t := &log.Trials[i]
		if int(t.Met) <= rung {
			continue
		}
		of++
		if int(t.Met) > rung+1 || t.End == entry.Whole || t.End == entry.Behind {
			went++
		}
		v, _ := log.Level(i, rung)
		if i != n && (v != own && (v > own) == up[0] || v == own && i < n) {
			place++
		}
	}
	return place, of, went
}

// ranking is how trials are listed, and which.
type ranking struct {
	Order string // latest, first, best, or a parameter, falling with a minus before it
	Show  string // all, complete, stopped or running
	After int    // the trial behind which the page begins, -1 from the beginning
	// min and max are bounds of parameters as they were typed, by name; within are the ranges.
	min, max map[string]string
	within   []within
}

// within is a range of a parameter; an infinite end is open.
type within struct {
	name      string
	low, high float64
}

// resolve returns what of the ranking the study does not know.
func (o ranking) resolve(space tuner.Space) error {
	names := []string{"latest", "first", "best"}
	for i := range space {
		names = append(names, space[i].Name)
	}
	order, falling := strings.CutPrefix(o.Order, "-")
	if !slices.Contains(names, order) || falling && slices.Contains(names[:3], order) {
		return fmt.Errorf("order: expected latest, first or best, or a parameter of the study, got %.40q", o.Order)
	}
	for _, w := range o.within {
		if !slices.Contains(names[3:], w.name) {
			return fmt.Errorf("min, max: expected a parameter of the study, got %.40q", w.name)
		}
	}
	return nil
}

// dimension returns the place of a parameter in the space, -1 where there is none.
func dimension(log *insight.Log, name string) int {
	return slices.IndexFunc(log.Spec.Tune.Params, func(d tuner.Dimension) bool { return d.Name == name })
}

// inside reports whether a trial lies in all ranges.
func (o ranking) inside(log *insight.Log, trial int) bool {
	for _, w := range o.within {
		x := log.Place(trial, dimension(log, w.name))
		if math.IsNaN(x) || x < w.low || x > w.high {
			return false
		}
	}
	return true
}

// numbers returns the trials of a page: those behind the key in the order.
func (o ranking) numbers(log *insight.Log, limit int) []int {
	_, up := log.Goals()
	want := func(i int) bool {
		end := log.Trials[i].End
		switch {
		case !o.inside(log, i):
			return false
		case o.Show == "complete":
			return end == entry.Whole
		case o.Show == "stopped":
			return end != entry.Whole && end != entry.Playing
		case o.Show == "running":
			return end == entry.Playing
		}
		return true
	}
	order := func(i, j int) int {
		a, b := &log.Trials[i], &log.Trials[j]
		if (a.End == entry.Whole) != (b.End == entry.Whole) { // stopped ones have played fewer blocks
			return map[bool]int{true: -1, false: 1}[a.End == entry.Whole]
		}
		return insight.Order(a.Value, b.Value, up[0], i-j)
	}
	name, falling := strings.CutPrefix(o.Order, "-")
	switch at := dimension(log, name); {
	case o.Order == "first":
		order = func(i, j int) int { return i - j }
	case o.Order == "latest":
		order = func(i, j int) int { return j - i }
	case at >= 0:
		order = func(i, j int) int { return insight.Order(log.Place(i, at), log.Place(j, at), falling, i-j) }
	}
	return insight.Pick(len(log.Trials), limit, func(i int) bool {
		return want(i) && (o.After < 0 || o.After >= len(log.Trials) && o.Order != "first" || order(i, o.After) > 0)
	}, order)
}

// trialView is the page of one trial.
type trialView struct {
	Study   string
	Doc     string
	Number  int
	Row     trialRow
	Answer  bool // it is the answer
	Untried bool // which a model names, without a game in the search
	A       *view.Answer
	Tone    string // what a validation decided of it, empty where there was none
	Unit    string
	Axis    string // the same, with the unit of a metric
	Curve   bool   // values can be compared
	Changes []view.Change
	Same    bool
	Levels  []trialLevel
	Duels   []trialDuel
	Plot    template.HTML
	Batch   string
	Before  int // -1 where there is none
	Next    int
	// Validated tells that it met the baseline on games that no search has seen.
	Validated, Finalist bool
	Baseline            string
}

// trialLevel is what a trial was worth at some number of blocks.
type trialLevel struct {
	What, Blocks, Value, Interval string
}

// trialDuel is a meeting with another trial.
type trialDuel struct {
	Other                   int
	Score, Interval, Blocks string
}

// trialOf returns the page of a trial. params are the values that it has.
func trialOf(d *service.StudyDetail, log *insight.Log, row trialRow, params map[string]string) *trialView {
	n := row.Number
	v := &trialView{
		Study: d.Study.Study, Number: n, Row: row, Unit: unitOf(log),
		Before: n - 1, Next: -1, Baseline: d.Baseline,
	}
	v.Curve = !log.Spec.Duels && log.Spec.Evaluate == nil
	if n+1 < len(log.Trials) {
		v.Next = n + 1
	}
	v.Changes, v.Same = view.Changes(log.Spec.Spec, params)
	mates := log.Mates(n)
	v.Batch = fmt.Sprintf("batch %d, proposed with trials %d to %d", log.Trials[n].Batch+1, mates.First, mates.First+mates.Trials-1)
	if mates.Trials <= 1 {
		v.Batch = fmt.Sprintf("batch %d, alone", log.Trials[n].Batch+1)
	}
	for _, duel := range log.Duels {
		if duel.A != n && duel.B != n {
			continue
		}
		other, score := duel.B, duel.Score
		if duel.B == n {
			other, score = duel.A, 1-score
		}
		half := stats.Deviate95 * duel.Noise
		v.Duels = append(v.Duels, trialDuel{other, numeral.Short(100*score, 100*half) + " %",
			numeral.Short(100*max(0, score-half), 100*half) + " to " + numeral.Short(100*min(1, score+half), 100*half), numeral.Count(duel.Blocks)})
	}
	v.levels(log, d.Study, d.Result)
	return v
}

// levels adds what the trial was worth, stage by stage, and their drawing.
func (v *trialView) levels(log *insight.Log, study service.Study, r *tuner.Result) {
	scale := log.Scale()
	v.Axis = map[bool]string{true: v.Unit, false: scale.Axis}[scale.Elo]
	strip := &chart.Forest{Unit: scale.Axis, Gains: scale.Elo}
	add := func(what string, value, standardError float64, blocks int64, class string) {
		e := scale.Estimate(value, standardError, blocks)
		v.Levels = append(v.Levels, trialLevel{What: what, Blocks: numeral.Count(blocks), Value: e.Text, Interval: cmp.Or(e.Interval, "-")})
		strip.Stages = append(strip.Stages, chart.Stage{Name: what, Blocks: numeral.Counted(blocks, "block"), Value: e.Value, Lo: e.Low, Hi: e.High, Text: e.Text, Class: class})
	}
	if v.Curve {
		for k, blocks := range log.Spec.Race.Rungs {
			if x, e := log.Level(v.Number, k); !math.IsNaN(x) {
				add(fmt.Sprintf("Rung %d", k+1), x, e, blocks, "thought")
			}
		}
		if t := &log.Trials[v.Number]; !math.IsNaN(t.Value) && t.End != entry.Playing && t.Met > 0 && int64(t.Blocks) > log.Spec.Race.Rungs[t.Met-1] {
			add("Played again", t.Value, t.Error, int64(t.Blocks), "thought")
		}
	}
	for _, f := range log.Finals {
		if f.Trial == v.Number && !math.IsNaN(f.Value) {
			v.Finalist = true
			add("Final", f.Value, f.Error, log.Spec.Final.Blocks, "measured")
		}
	}
	drawn := strip
	if r != nil && r.Best != nil && r.Best.Trial == v.Number {
		v.Answer, v.A = true, view.AnswerOf(study)
		v.Untried = log.Spec.Duels && len(v.Duels) == 0
		if p := r.Validation; p != nil {
			v.Validated, v.Tone = true, chart.Tone(p.Verdict)
			own := stages(r, log.Spec.Spec, log)
			for i := range own.Stages {
				s := &own.Stages[i]
				if v.Curve && s.Name == "Search" || s.Name == "Final" && v.Finalist { // they stand above
					continue
				}
				v.Levels = append(v.Levels, trialLevel{s.Name, strings.TrimSuffix(strings.TrimSuffix(s.Blocks, "s"), " block"), s.Text, cmp.Or(s.Interval(own.Gains), "-")})
				strip.Stages = append(strip.Stages, *s)
			}
			if !scale.Elo {
				drawn, v.Axis = own, cmp.Or(own.Unit, v.Axis)
			}
		}
	}
	if (scale.Elo || v.Answer) && len(drawn.Stages) > 0 {
		v.Plot = drawn.Draw()
	}
}

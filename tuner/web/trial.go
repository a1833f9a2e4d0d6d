package web

import (
	"cmp"
	"fmt"
	"html/template"
	"maps"
	"math"
	"slices"

	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/export"
	"sakusen/tuner/insight"
	"sakusen/tuner/numeral"
	"sakusen/tuner/service"
	"sakusen/tuner/stats"
	"sakusen/tuner/web/chart"
)

// trialView is the page of one trial.
type trialView struct {
	Study   string
	Doc     string
	Number  int
	Row     trialRow
	Answer  bool   // it is the answer
	Tone    string // what a validation decided of it, empty where there was none
	Unit    string
	Curve   bool // values can be compared
	Changes []change
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
func trialOf(d *service.StudyDetail, log *insight.Chronicle, row trialRow, params map[string]string) *trialView {
	n := row.Number
	v := &trialView{
		Study: d.Study.Study, Number: n, Row: row, Unit: unitOf(log),
		Before: n - 1, Next: -1, Baseline: d.Baseline,
	}
	v.Curve = !log.Spec.Duels && log.Spec.Evaluate == nil
	if n+1 < len(log.Trials) {
		v.Next = n + 1
	}
	v.Changes, v.Same = changes(log.Spec.Spec, params)
	mates := log.Mates(n)
	v.Batch = fmt.Sprintf("batch %d, asked with the trials %d to %d", log.Trials[n].Batch+1, mates.First, mates.First+mates.Trials-1)
	if mates.Trials <= 1 {
		v.Batch = fmt.Sprintf("batch %d, alone", log.Trials[n].Batch+1)
	}
	v.levels(log, d.Result)
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
	return v
}

// levels adds what the trial was worth, stage by stage, and their drawing.
func (v *trialView) levels(log *insight.Chronicle, r *tuner.Result) {
	scale := log.Scale()
	strip := &chart.Forest{Unit: scale.Unit, Gains: scale.Elo}
	add := func(what string, value, standardError float64, blocks int64, class string) {
		e := scale.Estimate(value, standardError, blocks)
		v.Levels = append(v.Levels, trialLevel{What: what, Blocks: numeral.Count(blocks), Value: e.Text, Interval: cmp.Or(e.Interval, "-")})
		strip.Stages = append(strip.Stages, chart.Stage{Name: what, Blocks: blockText(blocks), Value: e.Value, Lo: e.Low, Hi: e.High, Text: e.Text, Class: class})
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
	if r != nil && r.Best != nil && r.Best.Trial == v.Number {
		v.Answer = true
		if p := r.Validation; p != nil {
			v.Validated = true
			class := chart.Tone(p.Verdict)
			v.Tone = class
			if p.Elo != nil && p.CI95 != nil && scale.Elo {
				half := halfOf(p.CI95)
				v.Levels = append(v.Levels, trialLevel{"Validation", numeral.Count(p.Blocks), numeral.Signed(*p.Elo, half), numeral.Short(p.CI95[0], half) + " to " + numeral.Short(p.CI95[1], half)})
				strip.Add("Validation", blockText(p.Blocks), *p.Elo, p.CI95[0], p.CI95[1], class)
			}
		}
	}
	if scale.Elo && len(strip.Stages) > 0 {
		v.Plot = strip.Draw()
	}
}

// foreignView is the page of a study that a program keeps with Goptuna's API.
type foreignView struct {
	D       *service.StudyDetail
	A       answer
	Best    []service.Trial // the best one, if there is any
	Trials  []service.Trial
	Columns []string // the parameters of Trials
	Next    int      // number of the first trial of the next page, 0 on the last
	Formats []string
}

// foreignOf returns the page of a foreign study with its best trial and some of its trials.
func foreignOf(d *service.StudyDetail, best, trials []service.Trial) *foreignView {
	v := &foreignView{D: d, A: answerOf(d.Study), Best: best, Trials: trials, Formats: append(export.Formats(), service.OptunaFormats()...)}
	columns := map[string]bool{}
	for _, t := range append(slices.Clone(best), trials...) {
		for name := range t.Params {
			columns[name] = true
		}
	}
	v.Columns = slices.Sorted(maps.Keys(columns))
	if len(trials) > 0 && trials[len(trials)-1].Number+1 < d.Trials {
		v.Next = trials[len(trials)-1].Number + 1
	}
	return v
}

package chart

import (
	"fmt"
	"html/template"

	"sakusen/tuner/entry"
	"sakusen/tuner/insight"
	"sakusen/tuner/numeral"
	"sakusen/tuner/stats"
)

// rung is one rung: who came to it, and what became of them.
type rung struct {
	Rung, Blocks           int64
	Played, Went           int
	Halved, Behind, Beyond int
	Running                int
	Bar                    template.HTML
}

// rungs counts the trials by rung.
func rungs(log *insight.Chronicle) []rung {
	rows := make([]rung, len(log.Spec.Race.Rungs))
	for i := range log.Trials {
		t := &log.Trials[i]
		for r := range min(int(t.Met), len(rows)) {
			row := &rows[r]
			row.Played++
			if r+1 < int(t.Met) {
				row.Went++
				continue
			}
			switch t.End {
			case entry.Whole:
				row.Went++
			case entry.Behind:
				row.Behind++
			case entry.Beyond:
				row.Beyond++
			case entry.Playing:
				row.Running++
			default:
				row.Halved++
			}
		}
	}
	if len(rows) == 0 || rows[0].Played == 0 {
		return nil
	}
	for i := range rows {
		r := &rows[i]
		r.Rung, r.Blocks = int64(i+1), log.Spec.Race.Rungs[i]
		all := float64(rows[0].Played)
		r.Bar = bar("racebar", part{"went", float64(r.Went) / all}, part{"running", float64(r.Running) / all}, part{"behind", float64(r.Behind) / all},
			part{"beyond", float64(r.Beyond) / all}, part{"halved", float64(r.Halved) / all})
	}
	return rows
}

// funnel returns how many trials came how far, and says how many went the whole way.
func (t *trials) funnel() (rows []Bar, text string) {
	race := rungs(t.log)
	if len(race) == 0 {
		return nil, ""
	}
	most := race[0].Played
	add := func(name string, n int) {
		rows = append(rows, Bar{Name: name, Text: numeral.Count(int64(n)), Share: float64(n) / float64(most)})
	}
	for _, r := range race {
		add(numeral.Count(r.Blocks)+" blocks", r.Played)
	}
	if n := len(t.log.Finals); n > 0 {
		add("final, "+numeral.Count(t.log.Spec.Final.Blocks), n)
	}
	if t.result != nil && t.result.Validation != nil {
		add("validation", 1)
	}
	if len(race) == 1 {
		return rows, "No race: " + numeral.Count(race[0].Blocks) + " blocks each time a trial is proposed"
	}
	whole := 0
	for i := range t.log.Trials {
		if t.log.Trials[i].End == entry.Whole && t.log.Trials[i].Met > 0 { // the answer of a model has played no rung
			whole++
		}
	}
	return rows, fmt.Sprintf("The race: %s of %s went the whole way", numeral.Count(int64(whole)), numeral.Count(int64(most)))
}

// finals draws the final: the best few, or the hall of fame, on new seeds.
func (t *trials) finals() template.HTML {
	f := Forest{Unit: t.scale.Unit, Base: t.base, Gains: t.scale.Elo}
	for _, seen := range t.log.Finals {
		half := stats.Deviate95 * seen.Error
		v, lo, hi := t.scale.Of(seen.Value), t.scale.Of(seen.Value-half), t.scale.Of(seen.Value+half)
		f.Add(fmt.Sprintf("trial %d", seen.Trial), numeral.Short(lo, (hi-lo)/2)+" to "+numeral.Short(hi, (hi-lo)/2), v, lo, hi, "measured")
	}
	return f.sized(size{class: "strip", width: 400})
}

// duelRow is a duel in a table.
type duelRow struct {
	A, B, Batch int
	Blocks      int64
	Score       string
}

// lastDuels returns the last duels, the latest first.
func lastDuels(log *insight.Chronicle, most int) []duelRow {
	var out []duelRow
	for i := len(log.Duels) - 1; i >= 0 && len(out) < most; i-- {
		d := &log.Duels[i]
		out = append(out, duelRow{d.A, d.B, d.Batch, d.Blocks, numeral.Typeset(d.Score, stats.Deviate95*d.Noise)})
	}
	return out
}

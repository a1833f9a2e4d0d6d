package pages

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"sakusen/tuner/chronicle"
	"sakusen/tuner/entry"
	"sakusen/tuner/numeral"
	"sakusen/tuner/rating"
	"sakusen/tuner/web/plot"
)

// TrialRow is a trial in the table.
type TrialRow struct {
	Number       int
	State, Value string
	Blocks       int32
	Rungs        string
	Params       string
	Why          string
}

// TrialTable is a page of the table.
type TrialTable struct {
	plot.Ranking
	Rows  []TrialRow
	Next  int // key of the next page, -1 on the last
	Total int
}

// Brief is a value for people: a long fraction is cut to four digits.
func Brief(text string) string {
	if x, err := strconv.ParseFloat(text, 64); err == nil && len(text) > 8 && strings.Contains(text, ".") {
		return numeral.Text(x)
	}
	return text
}

// RowOf is a trial without its parameters, and the reason it was stopped for as
// far as the chronicle knows it.
func RowOf(log *chronicle.Chronicle, n int) TrialRow {
	t := &log.Trials[n]
	r := TrialRow{Number: n, Value: "-", Blocks: t.Blocks}
	if !math.IsNaN(t.Value) {
		r.Value = numeral.Typeset(t.Value, rating.Deviate95*t.Error)
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
			r.Why = "outside the limits"
		}
	case entry.Valueless:
		r.State, r.Why = "complete", "without a value"
	case entry.Behind:
		r.Why = "the incumbent's challenge, " + at
	case entry.Beyond:
		r.Why = "a limit, " + at
	case entry.Worse:
		r.Why = "Friedman's test, " + at
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

// placeOf is a trial's rank in its batch at the rung that stopped it, how many trials
// played there, and how many went on by halving; 0 if it is not known.
func placeOf(log *chronicle.Chronicle, n int) (place, of, went int) {
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

package view

import (
	"fmt"
	"strings"
	"time"

	"sakusen/bench"
	"sakusen/bench/ledger"
	"sakusen/tuner/service"
)

// Histories returns recorded benchmarks: one series run by run ("runs"), several as a line
// each ("series"), and where their level changed ("changes").
func Histories(all []ledger.History) []Section {
	list, changes := Section{Key: "series", Columns: columns("series", "runs", "last", "history")}, Section{Key: "changes", brackets: true, tight: true}
	for i := range all {
		h := &all[i]
		medians := make([]float64, len(h.Runs))
		for k, p := range h.Runs {
			medians[k] = p.Center
		}
		list.Lines = append(list.Lines, Line{Label: h.Title, Cells: cells(len(medians), bench.Show(medians[len(medians)-1], h.Unit), bench.Sparkline(medians, 40))})
		for _, c := range h.Changes {
			l := levelChange(&c, h.Unit)
			if len(all) > 1 {
				l.Value = h.Title + ": " + l.Value
			}
			changes.Lines = append(changes.Lines, l)
		}
	}
	if len(all) == 1 {
		list = runs(&all[0])
	}
	return []Section{list, changes}
}

// runs returns a series run by run, as bars.
func runs(h *ledger.History) Section {
	s := Section{Key: "runs", Title: h.Title, Columns: columns("run", "recorded", "commit", "median", "samples", "", "")}
	largest := 0.0
	for _, p := range h.Runs {
		largest = max(largest, p.Center)
	}
	for i, p := range h.Runs {
		commit := p.Commit[:min(10, len(p.Commit))]
		if p.Dirty {
			commit += "-dirty"
		}
		mark := ""
		for _, c := range h.Changes {
			if c.Index == i {
				mark = "<- change"
			}
		}
		if h.Start == i && i > 0 {
			mark = "<- accepted"
		}
		s.Lines = append(s.Lines, Line{Label: fmt.Sprintf("run:%d", p.Run),
			Cells: cells(p.Recorded.Format(time.DateOnly), commit, bench.Show(p.Center, h.Unit), p.N, strings.TrimRight(bench.Bar(p.Center, largest, 40), " "), mark)})
	}
	return s
}

// levelChange returns where and how the level of a series changed.
func levelChange(c *ledger.LevelChange, unit string) Line {
	note := "alarm"
	if !c.Alarm {
		note = "too few runs since for an alarm"
	}
	return Line{Cell: Cell{
		Value: fmt.Sprintf("%s at run:%d %s: %s -> %s (%s, p=%.2g)", c.What(), c.Run, c.Commit[:min(10, len(c.Commit))], bench.Show(c.Before, unit), bench.Show(c.After, unit), bench.Moved(c.Before, c.After), c.P),
		Note:  note,
	}}
}

// Recorded returns as what runs were recorded, one line each.
func Recorded(all []service.BenchRecorded) Section {
	s := Section{Key: "recorded", brackets: true}
	for _, r := range all {
		what := "recorded"
		if !r.New {
			what = "was recorded before as"
		}
		text := fmt.Sprintf("%s: %s run:%d, %d series, %d samples", r.Name, what, r.ID, r.Series, r.Samples)
		if len(r.Incomplete) > 0 {
			text += ", incomplete (no baseline): " + r.Incomplete[0]
		}
		s.add("", text)
	}
	return s
}

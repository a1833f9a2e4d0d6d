package view

import (
	"fmt"
	"net/url"
	"slices"
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
	times := map[string]int{}
	for i := range all {
		times[all[i].Title]++
	}
	for i := range all {
		h, title := &all[i], all[i].Title
		if times[title] > 1 { // measured on several kinds of machines
			title += " on " + h.Config["goos"] + "/" + h.Config["goarch"] + " " + h.Config["machine"]
		}
		medians := make([]float64, len(h.Runs))
		for k, p := range h.Runs {
			medians[k] = p.Center
		}
		list.Lines = append(list.Lines, Line{Label: title, Cells: cells(len(medians), bench.Show(medians[len(medians)-1], h.Unit), bench.Sparkline(medians, 40))})
		for _, l := range levelChanges(h) {
			if len(all) > 1 {
				l.Value = title + ": " + l.Value
			}
			changes.Lines = append(changes.Lines, l)
		}
	}
	if len(all) == 1 {
		list = runs(&all[0])
		list.bars(&all[0])
	}
	return []Section{list, changes}
}

// Series returns a series as its page has it: where its level changed ("changes"), in which
// functions that was ("causes", one section each) and its last runs, at most so many, the newest
// first ("runs").
func Series(m *ledger.Measure, most int) []Section {
	out := []Section{{Key: "changes", Lines: levelChanges(&m.History)}}
	for _, c := range m.Causes {
		s := Section{Key: "causes", Title: fmt.Sprintf("Where the memory of run:%d went", c.Run), Columns: columns("Function", "Before", "After", "Gained")}
		in := "bytes per operation"
		if c.Kind == bench.CauseTime {
			s.Title, in = fmt.Sprintf("Where the time of run:%d went", c.Run), "parts of the time that an operation took before"
		}
		for _, f := range c.Functions {
			s.Lines = append(s.Lines, Line{Label: f.Function, Cells: cells(c.Show(f.Old, ""), c.Show(f.New, ""), c.Show(f.Gained(), "+"))})
		}
		s.Note = "Each function's own part, without what it calls, in " + in + ". Profiles, for go tool pprof, on the machine that measured: " + c.Files[0] + " and " + c.Files[1] + "."
		beside := "commit " + ofCommit(c.Commit)
		if c.Branch != "" {
			beside += " of " + c.Branch
		}
		if c.Against != "" {
			beside += ", measured beside commit " + ofCommit(c.Against)
		}
		s.Note = "Of " + beside + ". " + s.Note
		if len(s.Lines) > 0 {
			out = append(out, s)
		}
	}
	s := runs(&m.History)
	slices.Reverse(s.Lines)
	if len(s.Lines) > most {
		s.Note = fmt.Sprintf("The last %d of %d runs; sakusen bench history lists all.", most, len(s.Lines))
		s.Lines = s.Lines[:most]
	}
	return append(out, s)
}

// runs returns a series run by run.
func runs(h *ledger.History) Section {
	s := Section{Key: "runs", Title: h.Title, Columns: columns("run", "date", "commit", "median", "samples", "level")}
	for i := range h.Runs {
		p := &h.Runs[i]
		commit := Cell{Class: word, Value: ofCommit(p.Commit), Note: p.Subject, Link: commitAt(h.Config["pkg"], p.Commit)}
		if p.Dirty {
			commit.Value += "-dirty"
		}
		level := ""
		if c := h.Changed(p.Run); c != nil {
			level = c.Verdict()
		} else if h.Start == i && i > 0 {
			level = "accepted"
		}
		s.Lines = append(s.Lines, Line{Label: fmt.Sprintf("run:%d", p.Run),
			Cells: append([]Cell{{Value: p.At().Format(time.DateOnly)}, commit}, cells(bench.Amount(p.Center, h.Unit), p.N, level)...)})
	}
	return s
}

// bars draws the medians as bars of characters, before what is said of the level.
func (s *Section) bars(h *ledger.History) {
	largest := 0.0
	for _, p := range h.Runs {
		largest = max(largest, p.Center)
	}
	s.Columns = slices.Insert(s.Columns, 5, Column{})
	for i := range s.Lines {
		s.Lines[i].Cells = slices.Insert(s.Lines[i].Cells, 4, Cell{Value: strings.TrimRight(bench.Bar(h.Runs[i].Center, largest, 40), " ")})
	}
}

// levelChanges returns where and how the level of a series changed.
func levelChanges(h *ledger.History) (lines []Line) {
	for i := range h.Changes {
		c := &h.Changes[i]
		lines = append(lines, Line{Label: fmt.Sprintf("run:%d", c.Run), Cell: Cell{
			Value: c.Verdict(), Note: strings.TrimPrefix(c.Rest(), ", ") + ", commit " + ofCommit(c.Commit) + made(h, c.Run), Class: c.Class(), Link: commitAt(h.Config["pkg"], c.Commit),
		}})
	}
	return lines
}

// made returns of a run's commit its subject, author and day, where they are known.
func made(h *ledger.History, run int64) string {
	at := slices.IndexFunc(h.Runs, func(s ledger.Sample) bool { return s.Run == run })
	if at < 0 || h.Runs[at].Subject == "" {
		return ""
	}
	s := &h.Runs[at]
	return fmt.Sprintf(" %q (%s, %s)", s.Subject, s.Author, s.Committed.Format(time.DateOnly))
}

// ofCommit returns a commit as people read it.
func ofCommit(commit string) string { return commit[:min(10, len(commit))] }

// commitAt returns the address at which a site shows a commit of a package, such as
// github.com/owner/name/pkg; empty where the path is of no site that is known.
func commitAt(pkg, hash string) string {
	parts := strings.Split(pkg, "/")
	behind := map[string]string{"github.com": "/commit/", "gitlab.com": "/-/commit/", "codeberg.org": "/commit/", "bitbucket.org": "/commits/"}[parts[0]]
	if len(parts) < 3 || behind == "" || hash == "" || strings.Trim(hash, "0123456789abcdef") != "" {
		return ""
	}
	return (&url.URL{Scheme: "https", Host: parts[0], Path: "/" + parts[1] + "/" + parts[2] + behind + hash}).String()
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

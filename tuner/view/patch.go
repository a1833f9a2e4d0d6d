package view

import (
	"cmp"
	"fmt"
	"strings"

	"sakusen/tuner/contest"
	"sakusen/tuner/entry"
)

// Patch returns the result of a test of a patch: "test", what it found; a section "stage" and,
// where workers have played, "workers" for each of its stages; "commit", the text of the commit.
func Patch(r *contest.PatchReport) []Section {
	out := []Section{{Key: "test", Title: fmt.Sprintf("%s: %s against %s, %s, %d games: %s", r.Name, r.New, r.Base, r.Game, r.Games, PatchVerdict(r))}}
	for i := range r.Stages {
		out = append(out, PatchStage(r, i)...)
	}
	return append(out, Section{Key: "commit", Title: strings.TrimSpace(r.Text)})
}

// PatchVerdict reports what a test found so far.
func PatchVerdict(r *contest.PatchReport) string {
	switch r.Verdict {
	case contest.PatchPasses:
		return fmt.Sprintf("passed: %s", r.Reason)
	case contest.PatchFails:
		return fmt.Sprintf("failed in stage %d: %s", len(r.Stages), r.Reason)
	case contest.PatchInconclusive:
		return fmt.Sprintf("undecided in stage %d: %s", len(r.Stages), r.Reason)
	}
	return fmt.Sprintf("not decided yet, stage %d", max(1, len(r.Stages)))
}

// PatchAnswer returns what a test found with what can be done now.
func PatchAnswer(r *contest.PatchReport) *Answer {
	a := &Answer{Tone: "plain", Sign: "…", Word: "Running", Text: sentence(PatchVerdict(r), "")}
	switch r.Verdict {
	case contest.PatchPasses:
		a.Tone, a.Sign, a.Word, a.Next = "good", "✓", "Passed", "Take the new version; the text below is for its commit."
	case contest.PatchFails:
		a.Tone, a.Sign, a.Word, a.Next = "bad", "✗", "Failed", "Keep the version that it would replace."
	case contest.PatchInconclusive:
		a.Tone, a.Sign, a.Word, a.Next = "warn", "?", "Undecided", "Keep the version that it would replace, or test again with more games (max_games)."
		if strings.HasSuffix(r.Reason, entry.TimeCure) {
			a.Next = "Test again with " + entry.TimeCure + "."
		}
	}
	return a
}

// PatchStage returns what came of a stage of a test, counted from 0.
func PatchStage(r *contest.PatchReport, stage int) []Section {
	s := &r.Stages[stage]
	m, first := s.Match, &s.Match.Entrants[0]
	facts := Section{Key: "stage", Title: fmt.Sprintf("stage %d", stage+1)}
	if s.Limit != "" {
		facts.Title += ", " + s.Limit
	}
	add := facts.add
	add("LLR", fmt.Sprintf("%.2f, from %.2f (fails) to %.2f (passes), [%g, %g] %s Elo", m.SPRT.LLR, m.SPRT.Lower, m.SPRT.Upper, s.Bounds[0], s.Bounds[1], m.SPRT.Model))
	facts.put(Line{Label: "Elo", Cell: measuredElo(s.Elo, s.EloCI95)})
	add("games", fmt.Sprintf("%d of at most %d: %d won, %d drawn, %d lost", m.Games, s.MaxGames, first.Wins, first.Draws, first.Losses))
	if m.Penta != nil {
		add("pairs", fmt.Sprintf("%d with 0 points, %d with 0.5, %d with 1, %d with 1.5, %d with 2", m.Penta[0], m.Penta[1], m.Penta[2], m.Penta[3], m.Penta[4]))
	}
	if s.Limit != "" || s.TimeLosses != [2]int64{} { // else there was no clock
		add("lost on time", fmt.Sprintf("%d by %s, %d by %s", s.TimeLosses[0], first.Name, s.TimeLosses[1], m.Entrants[1].Name))
	}
	if s.Faults != [2]int64{} {
		add("other faults", fmt.Sprintf("%d of %s, %d of %s", s.Faults[0], first.Name, s.Faults[1], m.Entrants[1].Name))
	}
	workers := Section{Key: "workers", Columns: append(columns("worker", "games"), Column{"Elo", Ends}, Column{Name: "pairs"}, Column{Name: "chance of such a difference"}, Column{Name: "lost on time"})}
	for _, w := range s.Workers {
		workers.Lines = append(workers.Lines, Line{Label: cmp.Or(w.Worker, "the daemon"), Cells: append(cells(w.Games), measuredElo(w.Elo, w.EloCI95), Cell{Value: fmt.Sprint(w.Penta)}, Cell{Value: w.Residual.Fixed(3)}, Cell{Value: fmt.Sprint(w.Late)})})
	}
	return []Section{facts, workers}[:1+min(1, len(workers.Lines))]
}

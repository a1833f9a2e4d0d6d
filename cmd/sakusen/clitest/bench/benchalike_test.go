package bench

import (
	"fmt"
	"html"
	"net/url"
	"strings"
	"testing"

	"sakusen/bench"
	"sakusen/bench/ledger"
	"sakusen/cmd/sakusen/clitest"
	"sakusen/tuner/view"
)

// The terminal, the page and the JSON of one stored series show the same medians and the same
// change of level.
func TestBenchIsToldAlike(t *testing.T) {
	dir := t.TempDir()
	db := []string{"--db", dir + "/sakusen.db", "bench"}
	for i := range 12 {
		ns := 100 + i%3
		if i >= 6 {
			ns += 30
		}
		if p := clitest.Launch(t, samples(ns, 3), append(db, "record", "--branch", "main", "--commit", fmt.Sprintf("%02dff%036d", i, 0))...); p.Code != clitest.ExitDone {
			t.Fatal(p)
		}
	}
	plain := func(text string) string { return strings.Join(strings.Fields(text), " ") }
	terminal := plain(clitest.Launch(t, "", append(db, "history", "sec/op")...).Out)
	told := clitest.Decode[struct {
		Series   []ledger.History
		Sections []view.Section
	}](t, clitest.Launch(t, "", append(db, "history", "sec/op", "--json")...).Out)
	if len(told.Series) != 1 || len(told.Series[0].Changes) != 1 || len(told.Sections) != 2 {
		t.Fatalf("%+v", told)
	}
	h, runs, changes := told.Series[0], told.Sections[0], told.Sections[1]
	status, text := clitest.Serve(t, dir).Answer("GET", "/bench/"+url.PathEscape(runs.Title), "")
	page := plain(html.UnescapeString(text))
	if status != 200 || len(runs.Lines) != len(h.Runs) {
		t.Fatalf("status %d, %+v", status, runs)
	}
	for i, r := range h.Runs {
		median := runs.Lines[i].Cells[2].Value
		if row := fmt.Sprintf("run:%d", r.Run); runs.Lines[i].Label != row || !strings.Contains(terminal, " "+median+" ") {
			t.Errorf("%s: the terminal has not %s", row, median)
		}
		if !strings.Contains(page, ">"+median+"<") {
			t.Errorf("run %d: the page has not %s", r.Run, median)
		}
	}
	c, line := h.Changes[0], changes.Lines[0]
	moved := bench.Moved(c.Before, c.After)
	if !strings.Contains(line.Note, moved) || !strings.Contains(terminal, line.Short()) || !strings.Contains(page, line.Note) || line.Value != c.Verdict() {
		t.Errorf("the change is %q in JSON; terminal: %s", line.Value, terminal)
	}
}

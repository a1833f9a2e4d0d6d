package view_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"sakusen/bench"
	"sakusen/bench/ledger"
	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/service"
	"sakusen/tuner/view"
)

// chapters returns a report's chapters as Markdown, by key.
func chapters(t *testing.T, d *service.StudyDetail, best map[string]string) map[string]string {
	t.Helper()
	spec := &tuner.Spec{}
	if !d.Foreign {
		if err := json.Unmarshal(d.Spec, spec); err != nil {
			t.Fatal(err)
		}
	}
	out := map[string]string{}
	for _, c := range view.Chapters(d, spec, nil, best) {
		var b strings.Builder
		if err := view.Markdown(&b, c.Sections...); err != nil || c.Title == "" || b.Len() == 0 {
			t.Errorf("chapter %s %q: %q %v", c.Key, c.Title, b.String(), err)
		}
		out[c.Key] = b.String()
	}
	return out
}

// A report of a study says which number to quote, what to set, and where it comes from, whatever
// became of the study; what is not proved is never to be quoted as a gain.
func TestChapters(t *testing.T) {
	passed := kept(t, "mine")
	failed, undecided, running, queued, foreign := kept(t, "mine"), kept(t, "mine"), kept(t, "mine"), kept(t, "mine"), kept(t, "mine")
	failed.Result.Validation.Verdict, undecided.Result.Validation.Verdict = "fail", "inconclusive"
	failed.Result.Validation.CI95, failed.Result.Validation.Elo = &[2]float64{-30, -10}, new(float64)
	*failed.Result.Validation.Elo = -20
	running.State, running.Result, running.About.Result = "running", nil, nil
	queued.State, queued.Result, queued.About.Result = "queued", nil, nil
	foreign.Foreign, foreign.State, foreign.Result, foreign.About.Result = true, "running", nil, nil
	crashed := kept(t, "mine")
	crashed.State, crashed.Message, crashed.Result, crashed.About.Result = "failed", "the engine was gone", nil, nil
	nothing := kept(t, "mine")
	nothing.Result.Best, nothing.Result.Validation = nil, nil
	for name, c := range map[string]struct {
		d     *service.StudyDetail
		best  map[string]string
		quote string
		set   string
	}{
		"passed":    {passed, nil, "+21 Elo (10 to 32, 95 %), against its defaults; no other number of this report.", "0.123456789"},
		"failed":    {failed, nil, "no gain that the study asked for", "Failed, not better."},
		"undecided": {undecided, nil, "as not proved", "all its digits. Undecided."},
		"running":   {running, map[string]string{"x": "7"}, "nothing yet", "Nothing is proved."},
		"queued":    {queued, nil, "nothing yet", ""},
		"crashed":   {crashed, nil, "nothing yet", ""},
		"nothing":   {nothing, nil, "nothing: no gain was measured", ""},
		"foreign":   {foreign, nil, "nothing yet", ""},
	} {
		got := chapters(t, c.d, c.best)
		if !strings.Contains(got["answer"], c.quote) || !strings.Contains(got["set"], c.set) || !strings.Contains(got["provenance"], "**Study**: mine") {
			t.Errorf("%s: %q", name, got)
		}
		if (got["set"] == "") != (c.set == "") {
			t.Errorf("%s sets %q", name, got["set"])
		}
	}
}

// A report stays small: rules that hold a whole book are told by their beginning, length and hash,
// and long lists by a number of lines and a count.
func TestChaptersAreBounded(t *testing.T) {
	d := kept(t, "mine")
	var spec tuner.Spec
	if err := json.Unmarshal(d.Spec, &spec); err != nil {
		t.Fatal(err)
	}
	spec.Rules = param.Values{{Name: "book", Text: strings.Repeat("rnbqkbnr/pppppppp w KQkq\n", 4000)}}
	spec.Doc, d.Baseline = "short", "climber("+strings.Repeat("weight=0.125,", 3000)+"x=1)"
	for range 300 {
		spec.Pool = append(spec.Pool, d.Baseline)
		d.Result.Notes = append(d.Result.Notes, "a note")
	}
	document, err := json.Marshal(spec)
	if err != nil {
		t.Fatal(err)
	}
	d.Spec = document
	got := chapters(t, d, nil)
	if !strings.Contains(got["provenance"], "(100000 characters, sha256 ") || !strings.Contains(got["provenance"], "and 295 more") || !strings.Contains(got["set"], "And 240 more") {
		t.Errorf("%.2000s", got["provenance"])
	}
	total := 0
	for _, text := range got {
		total += len(text)
	}
	if total > 10_000 {
		t.Errorf("%d characters", total)
	}
}

// Studies are shown with the benchmarks that were recorded at their commits, and nothing else.
func TestSpeed(t *testing.T) {
	const at, before = "0123456789abcdef0123456789abcdef01234567", "fedcba98765432100123456789abcdef01234567"
	all := []ledger.History{
		{Title: "p.Move sec/op", Unit: "sec/op", Runs: []ledger.Sample{{Run: 1, Commit: before, Center: 1e-6}, {Run: 2, Commit: at, Center: 1.1e-6}},
			Changes: []ledger.LevelChange{{Run: 2}}},
		{Title: "p.Old sec/op", Unit: "sec/op", Runs: []ledger.Sample{{Run: 1, Commit: before, Center: 1e-6}}},
	}
	s := view.Speed([]string{at + "-dirty", at, "unknown", ""}, all)
	if len(s.Lines) != 1 || len(s.Columns) != 3 || s.Columns[1].Name != "AT 0123456789" || s.Lines[0].Label != "p.Move sec/op" {
		t.Fatalf("%+v", s)
	}
	if c := s.Lines[0].Cells; c[0].Value != bench.Show(1.1e-6, "sec/op") || c[1].Value != bench.Moved(1e-6, 1.1e-6)+", a change of level" {
		t.Errorf("%+v", c)
	}
	if s := view.Speed([]string{at, before}, all); len(s.Lines) != 2 || len(s.Columns) != 4 || s.Lines[1].Cells[0].Value != "-" {
		t.Errorf("%+v", s)
	}
	if s := view.Speed([]string{"unknown"}, all); len(s.Lines) != 0 {
		t.Errorf("%+v", s)
	}
}

// Nothing that a user wrote is markup in Markdown, and tables stay tables.
func TestMarkdown(t *testing.T) {
	var b strings.Builder
	s := view.Section{Columns: []view.Column{{Name: "A"}, {Name: "B", Shows: view.Ends}}, Lines: []view.Line{
		{Label: "a|b", Cells: []view.Cell{{Value: "<script>\n[x](javascript:1)", Interval: &view.Interval{Low: "1", High: "2"}}}}}, Note: "*said*"}
	facts := view.Section{Lines: []view.Line{{Label: "L", Cell: view.Cell{Value: "`code` _x_"}}}}
	if err := view.Markdown(&b, s, facts); err != nil {
		t.Fatal(err)
	}
	want := []string{"", `| A    | B                            | 95 %   |`, `|------|------------------------------|--------|`, `| a\|b | \<script> [x]\(javascript:1) | [1, 2] |`, "", `\*said\*`, "", "- **L**: \\`code\\` _x_", ""}
	if got := strings.Split(b.String(), "\n"); !slices.Equal(got[3:], want[3:]) || !strings.HasPrefix(got[1], "| A ") || !strings.HasPrefix(got[2], "|---") {
		t.Errorf("%s", b.String())
	}
}

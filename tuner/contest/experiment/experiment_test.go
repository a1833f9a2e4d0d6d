package experiment

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"sakusen/engines/arena"
	"sakusen/strategies"
	"sakusen/tuner/contest"
	"sakusen/tuner/stats"
)

const small = `version: 1
name: small
doc: A table.
source: ours
game: battleship
entrants: [R, CB]
selfplay: true
blocks: 400
single_sided: shots_to_win
note: of the file
metrics:
  - {name: winrf, of: score, seat: 1, scale: 100}
  - {name: hits, of: hit_ratio, seat: 1}
expect:
  - {label: R - R, metric: winrf, printed: 52.31, half_width: 4}
  - {label: R - R, metric: hits, printed: 30.00, half_width: 1}
  - {label: CB - R, metric: winrf, printed: 50, half_width: 4, note: of the row}
  - {label: R - CB, metric: winrf, printed: 5.00, half_width: 0.01}
  - {label: R - CB, metric: hits}
`

func TestFromFile(t *testing.T) {
	f, err := contest.ReadTournament("small.yaml", []byte(small), strategies.Catalogue())
	if err != nil {
		t.Fatal(err)
	}
	e := FromFile(f)
	if e.Name != "small" || e.Doc != "A table." || e.Source != "ours" || e.Games != 400 {
		t.Errorf("experiment %+v", e)
	}
	blocks := int64(0)
	r, err := e.Report(context.Background(), Options{Host: arena.NewPool(2), Progress: func(done, of, _ int64) {
		if done <= blocks || done > of || of != 1200 {
			t.Errorf("%d blocks of %d after %d", done, of, blocks)
		}
		blocks = done
	}})
	if err != nil {
		t.Fatal(err)
	}
	if r.Summary != (Summary{Rows: 5, Agree: 1, TooFewGames: 1, Differ: 2, NotPrinted: 1}) {
		t.Errorf("summary %+v", r.Summary)
	}
	for i, want := range []struct {
		verdict, note string
		interval      bool
		sides         bool
	}{
		{"yes", "", true, true},
		{"no", "of the file", true, false},
		{"no", "of the row", true, true},
		{"undecided", "needs about ", true, true},
		{"not printed", "", false, false},
	} {
		row := r.Rows[i]
		if row.Verdict() != want.verdict || !strings.HasPrefix(row.Note, want.note) || (want.note == "") != (row.Note == "") || row.PrintedCI.Defined() != want.interval ||
			(row.SingleSided != nil) != want.sides || !row.CI.Defined() || row.Measured.Nothing() {
			t.Errorf("row %d: %+v, verdict %s", i, row, row.Verdict())
		}
	}
	printed, mean := r.Rows[1].Texts()
	if printed != "30.00 +- 1" || !strings.HasPrefix(mean, "21.0") || len(strings.Split(mean, " ")[0]) != 6 {
		t.Errorf("for people: %s and %s", printed, mean)
	}

	fewer, err := e.Report(context.Background(), Options{Host: arena.NewPool(1), Games: 10})
	if err != nil || fewer.Summary.TooFewGames != 4 {
		t.Errorf("10 games: %+v, %v", fewer, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if r, err := e.Report(ctx, Options{Host: arena.NewPool(1)}); r != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v, %v", r, err)
	}
}

func TestValues(t *testing.T) {
	for _, c := range []struct {
		value          Value
		json, forHuman string
	}{
		{Value{}, "null", "-"},
		{Number(stats.Number{}), "null", "-"},
		{Number(stats.Known(1.5)), "1.5", "1.5"},
		{Integer(7), "7", "7"},
		{Text("15046987768"), `"15046987768"`, "15046987768"},
		{JSON("52.30"), "52.30", "52.30"},
		{JSON("[[1],[2]]"), "[[1],[2]]", "[[1],[2]]"},
		{JSON("turn order"), `"turn order"`, "turn order"},
	} {
		text, err := json.Marshal(c.value)
		if err != nil || string(text) != c.json || c.value.String() != c.forHuman {
			t.Errorf("%s: %s for scripts, %s for people, %v", c.json, text, c.value, err)
		}
		var back Value
		if err := json.Unmarshal(text, &back); err != nil || back.String() != c.forHuman {
			t.Errorf("%s reads back as %v, %v", c.json, back, err)
		}
	}
}

// An interval that lies unevenly about its value is told by its ends.
func TestTexts(t *testing.T) {
	for _, c := range []struct {
		span stats.Interval
		want string
	}{{stats.Around(0.5, 0.25), "0.50 +- 0.25"}, {stats.Interval{Lo: stats.Known(0), Hi: stats.Known(0.66)}, "0.50 [0.00, 0.66]"}} {
		row := Row{Measured: Number(stats.Known(0.5)), CI: c.span}
		if _, got := row.Texts(); got != c.want {
			t.Errorf("%v: %s, want %s", c.span, got, c.want)
		}
	}
}

func TestExact(t *testing.T) {
	row, err := Exact("A", "placements", "3.21", 3.21402702)
	if err != nil || row.Agrees == nil || !*row.Agrees || row.CI.Defined() || row.PrintedCI.Defined() {
		t.Errorf("%+v, %v", row, err)
	}
	if row, err = Exact("A", "placements", "3.21", 3.22); err != nil || row.Agrees == nil || *row.Agrees {
		t.Errorf("%+v, %v", row, err)
	}
	if _, err = Exact("A", "placements", "some", 3.22); err == nil {
		t.Error("some is a number")
	}
}

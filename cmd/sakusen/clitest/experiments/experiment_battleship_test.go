package experiments

import (
	"context"
	"math"
	"strings"
	"testing"

	"sakusen/cmd/sakusen/clitest"
	"sakusen/engines/suite"
	"sakusen/tuner/service"
)

// The rows of an experiment, for people and for scripts; so few games say
// nothing.
func TestExperimentBattleship(t *testing.T) {
	p := clitest.Launch(t, "", "experiment", "run", "battleship-table1", "--games", "20", "--record=false")
	if p.Code != clitest.ExitDone {
		t.Fatalf("exit code %d, %s", p.Code, p.Err)
	}
	clitest.Golden(t, "experiment_battleship_table1.txt", p.Out)
	p = clitest.Launch(t, "", "experiment", "run", "battleship-figure5")
	if p.Code != clitest.ExitDone || !strings.HasSuffix(strings.TrimSpace(p.Out), "16 rows, 16 agree") {
		t.Errorf("exit code %d, %s", p.Code, p.Out)
	}
	clitest.Golden(t, "experiment_battleship_figure5.json", clitest.Launch(t, "", "experiment", "run", "battleship-figure5", "--json").Out)
}

// experimentDocument reads the JSON of an experiment.
type experimentDocument struct {
	Name, Source string
	Rows         []struct {
		Label, Metric     string
		Printed, Measured *float64
		PrintedCI         *[2]float64 `json:"printed_ci95"`
		CI                *[2]float64 `json:"ci95"`
		Agrees            *bool
		Note              string
		SingleSided       *float64    `json:"single_sided"`
		SingleSidedCI     *[2]float64 `json:"single_sided_ci95"`
	}
	Summary map[string]int
}

// At a scale that says something, what costs little agrees: RNB against itself
// on separated and other fleets.
func TestExperimentAgrees(t *testing.T) {
	if suite.Few() {
		return
	}
	p := clitest.Launch(t, "", "experiment", "run", "battleship-table5", "--json", "--record=false")
	r := clitest.Decode[experimentDocument](t, p.Out)
	if p.Code != clitest.ExitDone || r.Name != "battleship-table5" || !strings.Contains(r.Source, "Sakuta") || len(r.Rows) != 48 {
		t.Fatalf("exit code %d, %s of %s, %d rows: %s", p.Code, r.Name, r.Source, len(r.Rows), p.Err)
	}
	if r.Summary["rows"] != 48 || r.Summary["too_few_games"] != 0 || r.Summary["agree"] < 40 {
		t.Errorf("summary %v", r.Summary)
	}
	for _, row := range r.Rows {
		if row.Printed == nil || row.Measured == nil || row.PrintedCI == nil || row.CI == nil || row.Agrees == nil {
			t.Fatalf("row %+v", row)
		}
		if !*row.Agrees && row.Note == "" {
			t.Errorf("%s, %s differs without a note", row.Label, row.Metric)
		}
		if row.Metric == "winrf" && (row.SingleSided == nil || math.Abs(*row.SingleSided-*row.Measured) > 4*(row.CI[1]-row.CI[0])/4) {
			t.Errorf("%s: %v from games, %v from sides", row.Label, *row.Measured, row.SingleSided)
		}
		if row.Metric == "winrf" && !*row.Agrees {
			t.Errorf("%s: %v wins, %v printed", row.Label, *row.Measured, *row.Printed)
		}
	}
}

func TestExperimentList(t *testing.T) {
	p := clitest.Launch(t, "", "experiment", "list", "--json")
	list := clitest.Decode[[]service.ExperimentInfo](t, p.Out)
	games := map[string]bool{}
	for _, e := range list {
		if e.Doc == "" || e.Source == "" {
			t.Errorf("%+v", e)
		}
		games[e.Name] = e.Games != nil
	}
	for name, plays := range map[string]bool{
		"battleship-table1": true, "battleship-table1-lookahead": true, "battleship-table2": true, "battleship-table3": true,
		"battleship-table4": true, "battleship-table5": true, "battleship-figure5": false, "battleship-figure6": true,
		"daifugo-table-1": false, "daifugo-beyond": false,
		"lifeboats-figure1": true, "lifeboats-figure2": true, "lifeboats-level1": true,
		"lifeboats-lead": true, "lifeboats-adaptive": true, "lifeboats-claims": true,
	} {
		if got, ok := games[name]; !ok || got != plays {
			t.Errorf("%s: listed %t, plays games %t", name, ok, got)
		}
	}
}

func TestExperimentScale(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"experiment run battleship-table1 --games 0", "--games: expected at least 1, got 0"},
		{"experiment run battleship-figure5 --games 10", "--games: battleship-figure5 plays no games"},
		{"experiment run " + clitest.WriteNew(t, "cup.yaml", clitest.DiceCup), "expected rows under expect, got none (sakusen tournament plays it)"},
	} {
		p := clitest.Launch(t, "", strings.Fields(c.line)...)
		if p.Code != clitest.ExitUsage || p.Out != "" || !strings.Contains(p.Err, c.want) {
			t.Errorf("%s: exit code %d, printed %q, on standard error\n%swant %s", c.line, p.Code, p.Out, p.Err, c.want)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, name := range []string{"battleship-table5", "battleship-figure5"} {
		if p := clitest.LaunchWith(t, ctx, strings.NewReader(""), "experiment", "run", name, "--record=false"); p.Code != clitest.ExitInterrupted || p.Out != "" {
			t.Errorf("%s interrupted: exit code %d, %s", name, p.Code, p.Out)
		}
	}
}

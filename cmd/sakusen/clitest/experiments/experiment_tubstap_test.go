package experiments

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sakusen/cmd/sakusen/clitest"
	"sakusen/engines/suite"
	"sakusen/strategies"
	"sakusen/studies"
	"sakusen/tuner/contest/experiment"
	"sakusen/tuner/sampler"
	"sakusen/tuner/studyfile"
)

// The figures, with searches so small that they say nothing: rows, intervals,
// what the paper's text claims and what it leaves to plots.
func TestExperimentTubstap(t *testing.T) {
	for _, c := range []struct {
		name    string
		rows    int
		claimed []string
	}{
		{"tubstap-figure4", -1, []string{"from turn 0", "from turn"}},
		{"tubstap-figure5", 9, []string{"10 units", "11 units"}},
		{"tubstap-figure6", 13, []string{"10^16 moves", "10^21 moves", "10^22 moves"}},
		{"tubstap-figure7", -1, []string{"all positions"}},
	} {
		line := "experiment run " + c.name + " --games 2 --simulations 10 --record=false --json"
		p := clitest.Launch(t, "", strings.Fields(line)...)
		if p.Code != clitest.ExitDone {
			t.Fatalf("%s: exit code %d, %s", c.name, p.Code, p.Err)
		}
		r := clitest.Decode[experiment.Report](t, p.Out)
		if len(r.Rows) == 0 || c.rows >= 0 && len(r.Rows) != c.rows || r.Summary.Rows != len(r.Rows) {
			t.Errorf("%s: %d rows, want %d; %+v", c.name, len(r.Rows), c.rows, r.Summary)
		}
		var claimed []string
		for _, row := range r.Rows {
			if row.Measured.Nothing() || row.Note == "" {
				t.Errorf("%s: %+v", c.name, row)
			}
			if !row.Printed.Nothing() {
				claimed = append(claimed, row.Label)
			}
		}
		for i, want := range c.claimed {
			if i >= len(claimed) || len(claimed) != len(c.claimed) || !strings.HasPrefix(claimed[i], want) {
				t.Errorf("%s: the text is quoted for %v, want %v", c.name, claimed, c.claimed)
				break
			}
		}
		again := clitest.Launch(t, "", strings.Fields(line+" --workers 3")...)
		if again.Out != p.Out {
			t.Errorf("%s: other rows with three workers", c.name)
		}
	}
}

// The experiments beyond the paper run at their smallest.
func TestExperimentTubstapBeyond(t *testing.T) {
	if suite.Few() {
		return
	}
	p := clitest.Launch(t, "", strings.Fields("experiment run tubstap-yardstick --games 1 --simulations 10 --record=false --json")...)
	r := clitest.Decode[experiment.Report](t, p.Out)
	if p.Code != clitest.ExitDone || len(r.Rows) != 13 || r.Rows[12].Label != "all maps" || !r.Rows[12].CI.Defined() || math.IsNaN(r.Rows[12].CI.Lo.Value) {
		t.Errorf("exit code %d, %s%s", p.Code, p.Out, p.Err)
	}
}

func TestExperimentSimulations(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"experiment run battleship-figure5 --simulations 100", "--simulations: battleship-figure5 does not search by simulations"},
		{"experiment run tubstap-figure5 --simulations 1", "--simulations: expected 10 to 1000000, got 1"},
	} {
		p := clitest.Launch(t, "", strings.Fields(c.line)...)
		if p.Code != clitest.ExitUsage || p.Out != "" || !strings.Contains(p.Err, c.want) {
			t.Errorf("%s: exit code %d, printed %q, on standard error\n%swant %s", c.line, p.Code, p.Out, p.Err, c.want)
		}
	}
}

// The studies of switch's thresholds, with searches so small that they say nothing, end in an
// answer, proved or not, against both players that a threshold lies between.
func TestSwitchStudiesEnd(t *testing.T) {
	for _, name := range []string{"tubstap-switch-units", "tubstap-switch-moves"} {
		text, err := studies.Read(name)
		if err != nil {
			t.Fatal(err)
		}
		small := strings.NewReplacer("muct.simulations, value: 100", "muct.simulations, value: 10", "simulations=100", "simulations=10",
			"[4, 12, 36]", "[1, 2]", "blocks: 100}", "blocks: 2}", "max_blocks: 480", "max_blocks: 8", "games: 5000", "games: 200").Replace(string(text))
		dir := t.TempDir()
		file := filepath.Join(dir, name+".yaml")
		if err := os.WriteFile(file, []byte(small), 0o666); err != nil {
			t.Fatal(err)
		}
		p := clitest.Launch(t, "", "tune", file, "--db", filepath.Join(dir, "study.db"))
		if p.Code != clitest.ExitDone && p.Code != clitest.ExitNegative && p.Code != clitest.ExitInconclusive {
			t.Errorf("%s: exit code %d, %s", name, p.Code, p.Err)
		}
		for _, want := range []string{"_threshold=", "another strategy, single", "against muct(simulations=10)"} {
			if !strings.Contains(strings.Join(strings.Fields(p.Out), " "), want) {
				t.Errorf("%s: %q is not in\n%s", name, want, p.Out)
			}
		}
	}
}

// Every embedded study reads, under its own name.
func TestStudiesRead(t *testing.T) {
	for _, name := range studies.Names() {
		text, err := studies.Read(name)
		if err != nil {
			t.Fatal(err)
		}
		spec, err := studyfile.Read(name+".yaml", text, strategies.Catalogue(), sampler.Kinds{})
		if err != nil {
			t.Error(err)
		} else if spec.Name != name || spec.Doc == "" {
			t.Errorf("%s: name %q, doc %q", name, spec.Name, spec.Doc)
		}
	}
}

package bench

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sakusen/cmd/sakusen/clitest"
	"sakusen/engines/suite"
)

// smallEngine builds the engine of package enginespeed's testdata.
func smallEngine(t *testing.T) string {
	t.Helper()
	suite.All(t)
	path := filepath.Join(t.TempDir(), "small")
	if out, err := exec.Command("go", "build", "-o", path, "../../../../bench/enginespeed/testdata/engine").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return path
}

// Two builds of a program are judged by speed and strength together: the same one
// twice, a copy that plays the same, one that is slower and one that is weaker.
func TestBenchGateEngines(t *testing.T) {
	small := smallEngine(t)
	db := benchDB(t)
	summary := filepath.Join(t.TempDir(), "summary.md")
	type failure struct{ Unit, Reason string }
	type report struct {
		Verdict  string
		Exit     int
		Failures []failure
		Match    struct{ Candidate, Baseline, Verdict, Reason string }
		Engines  struct {
			Nodes, Depth int64
			Clock        string
			SameTrees    bool `json:"same_trees"`
			Notes        []string
		}
	}
	gate := func(old, fresh string, more ...string) (clitest.Printed, report) {
		t.Helper()
		args := append(append(db, "gate", "--engine", old, fresh, "--json", "--rounds", "6", "--positions", "3", "--nodes", "3000", "--depth", "3",
			"--rules", "limit=depth:1", "--rules", "most_plies=60", "--sprt=-40,0", "--max-blocks", "200"), more...)
		p := clitest.Launch(t, "", args...)
		if p.Out == "" {
			return p, report{}
		}
		return p, clitest.Decode[report](t, p.Out)
	}
	p, r := gate(small, "again="+small, "--threshold", "2")
	if p.Code != clitest.ExitDone || r.Match.Verdict != "H1" || r.Match.Reason != "both are the same entrant: nothing was played" || !r.Engines.SameTrees || r.Engines.Nodes != 3000 || r.Engines.Depth != 3 {
		t.Errorf("the same: %d %+v %s", p.Code, r, p.Err)
	}
	p, r = gate(small, small+" -slow 1", "--threshold", "2")
	if p.Code != clitest.ExitDone || r.Match.Candidate != "new" || !strings.HasPrefix(r.Match.Reason, "both played the same games in all 32 blocks") {
		t.Errorf("a copy: %d %+v %s", p.Code, r, p.Err)
	}
	p, r = gate(small, small+" -slow 40")
	slices.SortFunc(r.Failures, func(a, b failure) int { return strings.Compare(a.Unit, b.Unit) }) // which is worse is noise
	if p.Code != clitest.ExitNegative || len(r.Failures) != 2 || r.Failures[0].Unit != "nodes/s" || !strings.HasPrefix(r.Failures[0].Reason, "worse: down by ") || !strings.HasPrefix(r.Failures[1].Reason, "worse: up by ") || r.Match.Verdict != "H1" || !r.Engines.SameTrees {
		t.Errorf("slower: %d %+v %s", p.Code, r, p.Err)
	}
	p, r = gate(small, small+" -weak", "--threshold", "2", "--summary", summary)
	text, err := os.ReadFile(summary)
	if p.Code != clitest.ExitNegative || len(r.Failures) != 0 || r.Match.Verdict != "H0" || r.Engines.SameTrees || err != nil || !strings.Contains(string(text), "## Benchmarks: regression") {
		t.Errorf("weaker: %d %+v %s %s %v", p.Code, r, p.Err, text, err)
	}
	p, r = gate(small, small+" -deaf", "--threshold", "2")
	if p.Code != clitest.ExitDone || r.Engines.Nodes != 0 || len(r.Engines.Notes) == 0 {
		t.Errorf("deaf: %d %+v %s", p.Code, r, p.Err)
	}
	if p, _ := gate(small, small+" -dies 5"); p.Code != clitest.ExitUsage || !strings.Contains(p.Err, "new: engine new: crash: exit status 3") {
		t.Errorf("dies: %+v", p)
	}
}

func TestBenchGateEngineMistakes(t *testing.T) {
	for line, want := range map[string]string{
		"--engine a":                             "expected OLD and NEW, two engines, got 1 arguments",
		"--engine no-such-program other-program": `-program": executable file not found`,
		"--engine a b --exact":                   "--exact cannot be given together with --engine",
		"--engine a b --rounds 2":                "--rounds of at least 5",
		"a b --nodes 7":                          "--nodes needs --engine",
		"a b --seed 7":                           "--seed needs --with-match or --engine",
		"--engine a b --sprt 5":                  "expected ELO0,ELO1",
		"--engine a b --rules limit":             "limit",
	} {
		if p := clitest.Launch(t, "", append([]string{"bench", "gate"}, strings.Fields(line)...)...); p.Code != clitest.ExitUsage || !strings.Contains(p.Err, want) {
			t.Errorf("%s: %+v, want %s", line, p, want)
		}
	}
}

package bench

import (
	"os"
	"sakusen/bench/ledger"
	"strings"
	"testing"

	"sakusen/cmd/sakusen/clitest"
	"sakusen/engines/suite"
	"sakusen/tuner/service"
)

// A history that was filled later stands in the order of its commits, before what
// was recorded since; what does not build is left out.
func TestBenchRange(t *testing.T) {
	suite.All(t)
	dir, _ := repository(t)
	clitest.WriteFile(t, dir, "go.mod", "module example.com/toy\n\ngo 1.26\n")
	var commits []string
	one := strings.Replace(plantedTest, "\t\tsink =", "\t\tsink = make([]byte, 8)\n\t\tsink =", 1)
	for i, text := range []string{plantedTest, plantedTest + "\n", "package toy\n\nfunc Benchmark", one} {
		t.Setenv("GIT_COMMITTER_DATE", []string{"2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z", "2026-01-03T00:00:00Z", "2026-01-04T00:00:00Z"}[i])
		clitest.WriteFile(t, dir, "toy_test.go", text)
		gitIn(t, dir, "add", "-A")
		gitIn(t, dir, "commit", "-qm", "next")
		commits = append(commits, gitIn(t, dir, "rev-parse", "HEAD"))
	}
	if err := os.Unsetenv("GIT_COMMITTER_DATE"); err != nil {
		t.Fatal(err)
	}
	db := benchDB(t)
	later := "goos: linux\ngoarch: amd64\npkg: example.com/toy\ncpu: other\nBenchmarkA-2 100 5 ns/op 3 allocs/op\n"
	if p := clitest.Launch(t, later, append(db, "record", "-C", dir, "--branch", "main", "--machine", "m")...); p.Code != clitest.ExitDone {
		t.Fatal(p)
	}
	p := clitest.Launch(t, "", append(db, "run", "-C", dir, "--range", commits[0]+"..", "--benchtime", "10x", "--rounds", "2", "--machine", "m", "--cpu", "2", "--instructions=false", "--json")...)
	var r struct{ Runs []service.BenchRecorded }
	if r = clitest.Decode[struct{ Runs []service.BenchRecorded }](t, p.Out); p.Code != clitest.ExitDone || len(r.Runs) != 3 || !strings.Contains(p.Err, "left out: "+commits[2][:10]) {
		t.Fatalf("%+v", p)
	}
	p = clitest.Launch(t, "", append(db, "history", "allocs/op", "--branch", "main", "--json")...)
	h := clitest.Decode[struct{ Series []ledger.History }](t, p.Out)
	if len(h.Series) != 1 || len(h.Series[0].Runs) != 4 {
		t.Fatalf("%+v", p)
	}
	for i, want := range []struct {
		commit string
		allocs float64
	}{{commits[0], 1}, {commits[1], 1}, {commits[3], 2}, {commits[3], 3}} {
		if got := h.Series[0].Runs[i]; got.Commit != want.commit || got.Center != want.allocs || i == 0 && got.Recorded.Month() != 1 {
			t.Errorf("%d: %+v, want %+v", i, got, want)
		}
	}
	if p := clitest.Launch(t, "", append(db, "run", "--range", "a..b", "--base", "main")...); p.Code != clitest.ExitUsage {
		t.Errorf("%+v", p)
	}
}

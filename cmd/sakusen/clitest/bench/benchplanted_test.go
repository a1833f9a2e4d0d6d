package bench

import (
	"flag"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"sakusen/cmd/sakusen/clitest"
	"sakusen/engines/suite"
)

// plantedTrials is the number of runs. What is exact must be found in every run, whatever else the machine does:
//
//	go test ./cmd/sakusen/clitest/bench -run BenchPlanted -v -planted-trials 20 -timeout 1h
var plantedTrials = flag.Int("planted-trials", 1, "trials of TestBenchPlanted")

const plantedTest = `package toy

import "testing"

var sink []byte

func BenchmarkA(b *testing.B) {
	for b.Loop() {
		sink = make([]byte, 8)
	}
	b.ReportMetric(2871049213, "signature-hi")
	b.ReportMetric(1403912345, "signature-lo")
}
`

// An allocation more and a changed signature fail in every run of bench run and
// its gate; where nothing is planted nothing exact fails.
func TestBenchPlanted(t *testing.T) {
	suite.All(t)
	dir, _ := repository(t)
	put := func(text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, "toy_test.go"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	clitest.WriteFile(t, dir, "go.mod", "module example.com/toy\n\ngo 1.26\n")
	put(plantedTest)
	gitIn(t, dir, "add", "-A")
	gitIn(t, dir, "commit", "-qm", "toy")
	for _, c := range []struct{ name, from, to, failed string }{
		{"nothing", "", "", ""},
		{"an allocation", "\t\tsink =", "\t\tsink = make([]byte, 8)\n\t\tsink =", "allocs/op"},
		{"a signature", "1403912345", "1403912344", "signature-lo"},
	} {
		put(strings.Replace(plantedTest, c.from, c.to, 1))
		found := 0
		for trial := range *plantedTrials {
			out := t.TempDir()
			want := clitest.ExitNegative
			if c.failed == "" {
				want = clitest.ExitDone
			}
			p := clitest.Launch(t, "", "bench", "run", "-C", dir, "--base", "HEAD", "--all", "--benchtime", "5ms", "--rounds", "3",
				"--seed", strconv.Itoa(trial), "--gate", "--exact", "--json", "--out", out)
			r := clitest.Decode[struct{ Failures []struct{ Unit string } }](t, p.Out)
			// The gate on the files that the run wrote says the same.
			again := clitest.Launch(t, "", "bench", "gate", "--exact", filepath.Join(out, "base.txt"), filepath.Join(out, "head.txt"))
			if p.Code != want || again.Code != want || want == clitest.ExitNegative && (len(r.Failures) != 1 || r.Failures[0].Unit != c.failed) {
				t.Errorf("%s, trial %d: exit codes %d and %d, %+v", c.name, trial, p.Code, again.Code, p)
				continue
			}
			found++
		}
		t.Logf("%s: as it should in %d of %d trials", c.name, found, *plantedTrials)
	}
}

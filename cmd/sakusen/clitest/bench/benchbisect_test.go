package bench

import (
	"strings"
	"testing"

	"sakusen/cmd/sakusen/clitest"
	"sakusen/engines/suite"
)

// The commit that allocates once more is found, and where nothing changed that is
// said.
func TestBenchBisect(t *testing.T) {
	suite.All(t)
	dir, _ := repository(t)
	clitest.WriteFile(t, dir, "go.mod", "module example.com/toy\n\ngo 1.26\n")
	clitest.WriteFile(t, dir, "toy_test.go", plantedTest)
	commit := func(name string) string {
		t.Helper()
		gitIn(t, dir, "add", "-A")
		gitIn(t, dir, "commit", "-qm", name)
		return gitIn(t, dir, "rev-parse", "HEAD")
	}
	first := commit("toy")
	clitest.WriteFile(t, dir, "toy_test.go", plantedTest+"\nfunc unused() {}\n")
	commit("harmless")
	slow := strings.Replace(plantedTest, "\t\tsink =", "\t\tsink = make([]byte, 8)\n\t\tsink =", 1)
	clitest.WriteFile(t, dir, "toy_test.go", slow)
	second := commit("one more")
	clitest.WriteFile(t, dir, "f", "x")
	commit("after")
	run := func(args ...string) clitest.Printed {
		return clitest.Launch(t, "", append([]string{"bench", "bisect", "-C", dir, "--benchtime", "10x", "--rounds", "5"}, args...)...)
	}
	type report struct {
		Commit       *string
		Steps        int
		Reproducible bool
		Delta        *float64
	}
	p := run("example.com/toy.A allocs/op", first+"..", "--json")
	r := clitest.Decode[report](t, p.Out)
	if p.Code != clitest.ExitDone || r.Commit == nil || *r.Commit != second || !r.Reproducible || r.Steps > 3 || *r.Delta != 1 {
		t.Errorf("%+v", p)
	}
	p = run("example.com/toy.A allocs/op", first+"..HEAD")
	if p.Code != clitest.ExitDone || !strings.Contains(p.Out, "first on the new level: "+second[:12]+" one more\n") {
		t.Errorf("%+v", p)
	}
	p = run("example.com/toy.A allocs/op", second+"..HEAD", "--json")
	if r := clitest.Decode[report](t, p.Out); p.Code != clitest.ExitInconclusive || r.Commit != nil || r.Reproducible {
		t.Errorf("no change: %+v", p)
	}
	for _, c := range []struct{ line, want string }{
		{"A HEAD~1..", "expected a series"},
		{"example.com/toy.A HEAD", "expected a range of commits"},
		{"example.com/toy.A HEAD~1.. --rounds 1", "expected --rounds of at least 5"},
		{"example.com/toy.A", "expected SERIES and GOOD..BAD"},
	} {
		if p := run(strings.Fields(c.line)...); p.Code != clitest.ExitUsage || !strings.Contains(p.Err, c.want) {
			t.Errorf("%s: %+v", c.line, p)
		}
	}
}

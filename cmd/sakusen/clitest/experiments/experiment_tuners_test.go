package experiments

import (
	"path/filepath"
	"strings"
	"testing"

	"sakusen/cmd/sakusen/clitest"
	"sakusen/tuner/service"
)

// The tables of searches are listed with their scale, and only they keep
// outcomes in a file.
func TestExperimentTuners(t *testing.T) {
	list := clitest.Decode[[]service.ExperimentInfo](t, clitest.Launch(t, "", "experiment", "list", "--json").Out)
	found := 0
	for _, e := range list {
		if strings.HasPrefix(e.Name, "tuners") && e.Games != nil && *e.Games > 0 {
			found++
		}
	}
	if found != 4 {
		t.Errorf("%d experiments on tuners are listed", found)
	}
	p := clitest.Launch(t, "", "experiment", "run", "battleship-figure5", "--keep", filepath.Join(t.TempDir(), "kept"))
	if want := "--keep: battleship-figure5 runs no studies"; p.Code != clitest.ExitUsage || !strings.Contains(p.Err, want) {
		t.Errorf("exit code %d, %s", p.Code, p.Err)
	}
	p = clitest.Launch(t, "", "experiment", "run", "tuners", "--keep", clitest.WriteNew(t, "kept.jsonl", "no outcome\n"))
	if p.Code != clitest.ExitUsage || !strings.Contains(p.Err, "kept.jsonl:1: ") {
		t.Errorf("exit code %d, %s", p.Code, p.Err)
	}
}

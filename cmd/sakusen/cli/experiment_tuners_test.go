package cli

import (
	"path/filepath"
	"strings"
	"testing"

	"sakusen/tuner/service"
)

// The tables of searches are listed with their scale, and only they keep
// outcomes in a file.
func TestExperimentTuners(t *testing.T) {
	list := decode[[]service.ExperimentInfo](t, launch(t, "", "experiment", "list", "--json").out)
	found := 0
	for _, e := range list {
		if strings.HasPrefix(e.Name, "tuners") && e.Games != nil && *e.Games > 0 {
			found++
		}
	}
	if found != 4 {
		t.Errorf("%d experiments on tuners are listed", found)
	}
	p := launch(t, "", "experiment", "run", "battleship-figure5", "--keep", filepath.Join(t.TempDir(), "kept"))
	if want := "--keep: battleship-figure5 runs no studies"; p.code != exitUsage || !strings.Contains(p.err, want) {
		t.Errorf("exit code %d, %s", p.code, p.err)
	}
	p = launch(t, "", "experiment", "run", "tuners", "--keep", write(t, "kept.jsonl", "no outcome\n"))
	if p.code != exitUsage || !strings.Contains(p.err, "kept.jsonl:1: ") {
		t.Errorf("exit code %d, %s", p.code, p.err)
	}
}

package storage

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// The example program, which is a module of its own, opens a database that
// Sakusen wrote, prints a study of it, and adds to a study of its own.
func TestExampleProgram(t *testing.T) {
	tool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("there is no go tool")
	}
	path := racedDatabase(t)
	run := func(study string) (string, error) {
		c := exec.CommandContext(t.Context(), tool, "run", ".", path, study)
		c.Dir = "../../../examples/goptuna"
		c.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off")
		out, err := c.CombinedOutput()
		return string(out), err
	}
	for _, want := range []string{"study raced-by-hand has 1 trials\n", "study raced-by-hand has 2 trials\n"} {
		out, err := run("raced")
		if err != nil || !strings.HasPrefix(out, "best: trial 2 with 0.5000 at x1=0.75") || !strings.HasSuffix(out, want) || strings.Count(out, "Pruned") < 3 {
			t.Errorf("%v, %s\nwant at the end %s", err, out, want)
		}
	}
	if out, err := run("nobody"); err == nil || !strings.Contains(out, `"nobody": study not found`) {
		t.Errorf("%v, %s", err, out)
	}
}

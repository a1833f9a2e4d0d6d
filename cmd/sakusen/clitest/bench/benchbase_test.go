package bench

import (
	"strings"
	"testing"

	"sakusen/cmd/sakusen/clitest"
)

// quick are flags of bench run with which what is exact can be judged.
var quick = strings.Fields("--gate --rounds 2 --benchtime 10x --cpu 2 --instructions=false")

// allocating is a test file with a benchmark that allocates so often.
func allocating(times int) string {
	return "package toy\n\nimport \"testing\"\n\nvar sink []byte\n\nfunc BenchmarkA(b *testing.B) {\n\tfor b.Loop() {\n" +
		strings.Repeat("\t\tsink = make([]byte, 8)\n", times) + "\t}\n}\n"
}

// toyModule is a repository with a module at its root, committed.
func toyModule(t *testing.T, files ...string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	gitIn(t, dir, "init", "-q", "-b", "main")
	clitest.WriteFile(t, dir, "go.mod", "module example.com/toy\n\ngo 1.26\n")
	for i := 0; i < len(files); i += 2 {
		clitest.WriteFile(t, dir, files[i], files[i+1])
	}
	commitAll(t, dir, "one")
	return dir
}

func commitAll(t *testing.T, dir, subject string) {
	t.Helper()
	gitIn(t, dir, "add", "-A")
	gitIn(t, dir, "commit", "-qm", subject)
}

// A branch that changed a text alone is not blamed for what main gained since it left.
func TestBenchRunMovedOn(t *testing.T) {
	dir := toyModule(t, "toy_test.go", allocating(2))
	gitIn(t, dir, "checkout", "-q", "-b", "change")
	clitest.WriteFile(t, dir, "README", "hello\n")
	commitAll(t, dir, "change")
	gitIn(t, dir, "checkout", "-q", "main")
	clitest.WriteFile(t, dir, "toy_test.go", allocating(1))
	commitAll(t, dir, "faster")
	gitIn(t, dir, "checkout", "-q", "change")
	run := append([]string{"bench", "run", "-C", dir}, quick...)
	p := clitest.Launch(t, "", append(run, "--base", "main")...)
	if p.Code != clitest.ExitNothing || !strings.Contains(p.Err, "where this branch left main, which has gone on by 1 commit since") || !strings.Contains(p.Err, "the same binary on both sides") {
		t.Errorf("%+v", p)
	}
	p = clitest.Launch(t, "", append(run, "--base", "main", "--base-tip")...)
	if p.Code != clitest.ExitNegative || !strings.Contains(p.Err, ", the tip of main") || !strings.Contains(p.Out, "exact metric changed from 1 to 2") {
		t.Errorf("--base-tip: %+v", p)
	}
	if p := clitest.Launch(t, "", "bench", "run", "-C", dir, "--base-tip"); p.Code != clitest.ExitUsage || !strings.Contains(p.Err, "--base-tip needs --base or --range") {
		t.Errorf("%+v", p)
	}
}

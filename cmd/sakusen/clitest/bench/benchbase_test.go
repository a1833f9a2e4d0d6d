package bench

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sakusen/cmd/sakusen/clitest"
	"sakusen/engines/suite"
)

// quick are flags of bench run with which what is exact can be judged.
var quick = strings.Fields("--gate --rounds 3 --benchtime 10x --cpu 2 --instructions=false")

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

// What git does not have is named, or made by --prepare or the setting; what stands behind --
// goes to the test binary; a benchmark that the change repairs is new, others are compared.
func TestBenchRunCheckout(t *testing.T) {
	suite.All(t)
	test := strings.Replace(allocating(1), "import \"testing\"", "import (\n\t\"flag\"\n\t\"testing\"\n)\n\nvar size = flag.Int(\"size\", 0, \"\")", 1)
	test = strings.Replace(test, "\tfor b.Loop", "\tif *size == 0 {\n\t\tb.Skip()\n\t}\n\tGen()\n\tfor b.Loop", 1)
	repaired := "\nfunc BenchmarkB(b *testing.B) {\n\tpanic(\"broken\")\n}\n"
	dir := toyModule(t, ".gitignore", "gen.go\n", "gen.go", "package toy\n\nfunc Gen() {}\n", "toy_test.go", test+repaired)
	clitest.WriteFile(t, dir, "toy_test.go", test+strings.Replace(repaired, "panic(\"broken\")", "for b.Loop() {\n\t}", 1))
	run := append([]string{"bench", "run", "-C", dir, "--base", "main"}, quick...)
	p := clitest.Launch(t, "", append(run, ".", "--", "-size", "3")...)
	if p.Code != clitest.ExitInconclusive || !strings.Contains(p.Out, "the worktree lacks gen.go, which git ignores: --prepare gives it") {
		t.Errorf("without the file: %+v", p)
	}
	give := `cp "$BENCH_CHECKOUT/gen.go" .`
	for _, args := range [][]string{
		{"--prepare", give, ".", "--", "-size", "3"},
		{"--prepare", give, "--args", "-size '3'"},
		{"--prepare", give, "--", ".", "--", "-size", "3"},
	} {
		p := clitest.Launch(t, "", append(run, args...)...)
		if p.Code != clitest.ExitInconclusive || !strings.Contains(p.Out, "toy.B: is new: it fails on the old side: panic: broken") || strings.Contains(p.Out, "lacks") || !strings.Contains(p.Out, "A-2") {
			t.Errorf("%q: %+v", args, p)
		}
	}
	settings := filepath.Join(t.TempDir(), "c.yaml")
	if err := os.WriteFile(settings, []byte("bench:\n  prepare: exit 9\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if p := clitest.Launch(t, "", append(run, "--config", settings, "--", "-size", "3")...); p.Code != clitest.ExitUsage || !strings.Contains(p.Err, "base: --prepare: ") {
		t.Errorf("the setting: %+v", p)
	}
	if p := clitest.Launch(t, "", append(run, "--prepare", give, "--args", "-size '3")...); p.Code != clitest.ExitUsage || !strings.Contains(p.Err, "--args: expected words with closed quotes") {
		t.Errorf("quotes: %+v", p)
	}
}

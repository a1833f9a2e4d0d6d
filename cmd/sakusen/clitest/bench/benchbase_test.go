package bench

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sakusen/bench/ledger"
	"sakusen/cmd/sakusen/clitest"
	"sakusen/engines/suite"
)

// quick are flags of bench run with which what is exact can be judged.
var quick = strings.Fields("--gate --rounds 3 --benchtime 10x --cpu 2 --instructions=false")

// allocating returns a test file with a benchmark that allocates so often.
func allocating(times int) string {
	return "package toy\n\nimport \"testing\"\n\nvar sink []byte\n\nfunc BenchmarkA(b *testing.B) {\n\tfor b.Loop() {\n" +
		strings.Repeat("\t\tsink = make([]byte, 8)\n", times) + "\t}\n}\n"
}

// toyModule returns a repository with a module at its root, committed.
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
	if p := clitest.Launch(t, "", append(run, "--base", "main")...); p.Code != clitest.ExitNothing || !strings.Contains(p.Err, "where this branch left main, which has gone on by 1 commit since") || !strings.Contains(p.Err, "the same binary on both sides") {
		t.Errorf("%+v", p)
	}
	if p := clitest.Launch(t, "", "bench", "run", "-C", dir, "--base-tip"); p.Code != clitest.ExitUsage || !strings.Contains(p.Err, "--base-tip needs --base or --range") {
		t.Errorf("%+v", p)
	}
	if suite.Few() {
		return
	}
	p := clitest.Launch(t, "", append(run, "--base", "main", "--base-tip")...)
	if p.Code != clitest.ExitNegative || !strings.Contains(p.Err, ", the tip of main") || !strings.Contains(p.Out, "exact metric changed from 1 to 2") {
		t.Errorf("--base-tip: %+v", p)
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
		p := clitest.Launch(t, "", append(append(run, "--exact"), args...)...)
		if p.Code != clitest.ExitDone || !strings.Contains(p.Out, "note example.com/toy.B: is new, and nothing is compared: it fails on the old side, which the change repairs: panic: broken") || strings.Contains(p.Out, "lacks") || !strings.Contains(p.Out, "A-2") {
			t.Errorf("%q: %+v", args, p)
		}
	}
	settings := filepath.Join(t.TempDir(), "c.yaml")
	if err := os.WriteFile(settings, []byte("bench:\n  prepare: exit 9\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if p := clitest.Launch(t, "", append(run, "--config", settings, "--", "-size", "3")...); p.Code != clitest.ExitUsage || !strings.Contains(p.Err, "head: --prepare: ") {
		t.Errorf("the setting: %+v", p)
	}
	if p := clitest.Launch(t, "", append(run, "--prepare", give, "--args", "-size '3")...); p.Code != clitest.ExitUsage || !strings.Contains(p.Err, "--args: expected words with closed quotes") {
		t.Errorf("quotes: %+v", p)
	}
}

// A history follows the commits, whatever was recorded first, and has what git says of them.
func TestBenchHistoryOfCommits(t *testing.T) {
	dir := toyModule(t)
	var commits []string
	for i, day := range []string{"2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z", "2026-01-03T00:00:00Z"} {
		t.Setenv("GIT_COMMITTER_DATE", day)
		clitest.WriteFile(t, dir, "f", day)
		commitAll(t, dir, "change "+strings.Repeat("I", i+1))
		commits = append(commits, gitIn(t, dir, "rev-parse", "HEAD"))
	}
	db := benchDB(t)
	for i, at := range []int{2, 0, 1, 0} {
		p := clitest.Launch(t, samples(100+i, 3), append(db, "record", "-C", dir, "--commit", commits[at], "--branch", "main", "--machine", "m")...)
		if p.Code != clitest.ExitDone {
			t.Fatal(p)
		}
	}
	p := clitest.Launch(t, "", append(db, "history", "sec/op", "--branch", "main", "--json")...)
	h := clitest.Decode[struct{ Series []ledger.History }](t, p.Out)
	if len(h.Series) != 1 || len(h.Series[0].Runs) != 4 {
		t.Fatalf("%+v", p)
	}
	for i, want := range []struct {
		at  int
		run int64
	}{{0, 2}, {0, 4}, {1, 3}, {2, 1}} {
		if r := h.Series[0].Runs[i]; r.Commit != commits[want.at] || r.Run != want.run || r.Subject != "change "+strings.Repeat("I", want.at+1) || r.Author != "t" || r.Committed.Day() != want.at+1 {
			t.Errorf("%d: %+v", i, r)
		}
	}
	if p := clitest.Launch(t, "", append(db[:2:2], "db", "check")...); p.Code != clitest.ExitDone {
		t.Errorf("db check: %+v", p)
	}
}

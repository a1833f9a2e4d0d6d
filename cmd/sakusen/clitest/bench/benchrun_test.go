package bench

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sakusen/cmd/sakusen/clitest"
	"sakusen/engines/suite"
)

// A module whose working tree allocates once more than its commit.
func TestBenchRun(t *testing.T) {
	suite.All(t)
	dir, _ := repository(t)
	put := func(file, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	put("go.mod", "module example.com/toy\n\ngo 1.26\n")
	// 32 bytes: smaller allocations share blocks of 16, as the scheduler wills
	put("toy_test.go", "package toy\n\nimport \"testing\"\n\nvar sink []byte\n\nfunc BenchmarkA(b *testing.B) {\n\tfor b.Loop() {\n\t\tsink = make([]byte, 32)\n\t}\n}\n")
	gitIn(t, dir, "add", "-A")
	gitIn(t, dir, "commit", "-qm", "toy")
	db := append(benchDB(t), "run", "-C", dir, "--benchtime", "10x", "--rounds", "3")
	run := func(args ...string) clitest.Printed { return clitest.Launch(t, "", append(db, args...)...) }

	if p := run("--base", "HEAD"); p.Code != clitest.ExitNothing || !strings.Contains(p.Err, "example.com/toy: the same binary on both sides") {
		t.Errorf("without a change: %+v", p)
	}
	text, err := os.ReadFile(filepath.Join(dir, "toy_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	put("toy_test.go", strings.Replace(string(text), "\t\tsink =", "\t\tsink = make([]byte, 32)\n\t\tsink =", 1))
	out := filepath.Join(t.TempDir(), "results")
	p := run("--base", "HEAD", "--gate", "--out", out, "--record")
	if p.Code != clitest.ExitNegative || !strings.Contains(p.Out, "FAIL example.com/toy.A-") || !strings.Contains(p.Out, "exact metric changed from 1 to 2, for the worse") {
		t.Errorf("an allocation more: %+v", p)
	}
	for _, name := range []string{"base", "head", "noise"} {
		if _, err := os.Stat(filepath.Join(out, name+".txt")); err != nil {
			t.Error(err)
		}
		if !strings.Contains(p.Err, name+": recorded as run:") {
			t.Errorf("%s was not recorded: %s", name, p.Err)
		}
	}
	file := filepath.Join(dir, "go.mod")
	for _, c := range []struct {
		want string
		args []string
	}{
		{"--out: expected a folder that can be written: ", []string{"--out", file}},
		{"--why: expected a folder that can be written: ", []string{"--why", filepath.Join(file, "x")}},
		{"-C: expected the folder of a module: ", []string{"-C", filepath.Join(dir, "nowhere")}},
		{"-C: expected the folder of a module: ", []string{"-C", file}},
	} {
		if p := run(append([]string{"--base", "HEAD", "--gate"}, c.args...)...); p.Code != clitest.ExitUsage || !strings.Contains(p.Err, c.want) || strings.Contains(p.Err, "build") {
			t.Errorf("%q: %+v", c.args, p)
		}
	}
	if p := run("--base", "nowhere", "--gate", "--out", out); p.Code != clitest.ExitUsage {
		t.Errorf("no such base: %+v", p)
	}
	if left, err := os.ReadDir(out); err != nil || len(left) > 0 {
		t.Errorf("an earlier verdict stays: %v, %v", left, err)
	}
	profiles := filepath.Join(t.TempDir(), "profiles")
	if strings.Contains(p.Out, "which commit") {
		t.Errorf("the working tree is no commit: %s", p.Out)
	}
	gitIn(t, dir, "commit", "-qam", "more")
	p = run("--base", "HEAD~1", "--gate", "--why", profiles)
	command := "sakusen bench bisect 'example.com/toy.A"
	lines := strings.Split(strings.TrimSuffix(p.Out, "\n"), "\n")
	if last := lines[len(lines)-1]; !strings.HasPrefix(last, "which commit: "+command) || !strings.HasSuffix(last, " allocs/op' "+strings.TrimSpace(gitIn(t, dir, "rev-parse", "--short=12", "HEAD~1"))+".."+strings.TrimSpace(gitIn(t, dir, "rev-parse", "--short=12", "HEAD"))+" -C "+dir+" --benchtime 10x") {
		t.Errorf("the last line: %s", last)
	}
	gitIn(t, dir, "reset", "-q", "--soft", "HEAD~1")
	if p.Code != clitest.ExitNegative || !strings.Contains(p.Out, "allocated, B/op\n") || !strings.Contains(p.Out, "+32.0  example.com/toy.BenchmarkA\n") || strings.Count(p.Out, "warning: ") > 1 {
		t.Errorf("why: %+v", p)
	}
	if files, err := filepath.Glob(filepath.Join(profiles, "*.pprof")); err != nil || len(files) != 4 {
		t.Errorf("profiles %q, %v", files, err)
	}
	if p := run(); p.Code != clitest.ExitDone || !strings.Contains(p.Out, "allocs/op") {
		t.Errorf("head alone: %+v", p)
	}
	if p := run("--base", "HEAD", "--gate", "--budget", "1ns"); p.Code != clitest.ExitInconclusive || !strings.Contains(p.Out, "is not measured: ") {
		t.Errorf("no time: %+v", p)
	}
	for _, c := range []struct{ line, want string }{
		{"--base HEAD --budget 1ns", "--budget 1ns is too short for a round of any benchmark: example.com/toy.BenchmarkA: "},
		{"--base nope", "base: nope: expected a commit, a branch or a tag"},
		{"--gate", "--gate needs --base"},
		{"--base= --gate", "--base: expected a commit, a branch or a tag, got an empty text"},
		{"--also size,weight", `--also: expected some of size, build and rss, got "weight"`},
		{"--until-decided --base HEAD", "--until-decided needs --gate"},
		{"--rounds 0", "--rounds: expected at least 1, got 0"},
		{"--budget -1s", "--budget: expected a time from 0, got -1s"},
	} {
		if p := run(strings.Fields(c.line)...); p.Code != clitest.ExitUsage || !strings.Contains(p.Err, c.want) {
			t.Errorf("%s: %+v", c.line, p)
		}
	}
	put("toy_test.go", "package toy\n\nfunc Benchmark")
	if p := run(); p.Code != clitest.ExitUsage {
		t.Errorf("does not build: %+v", p)
	}
}

package runner_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sakusen/bench/runner"
	"sakusen/engines/suite"
)

// bisectTrials is a flag for what is measured, not tested, how often a slowdown is found:
//
//	go test ./bench/runner -run BisectTrials -v -bisect-trials 20 -timeout 2h
var bisectTrials = flag.Int("bisect-trials", 0, "trials of TestBisectTrials")

// history returns a repository of a module with so many commits after the first one;
// each has the text that source gives for it.
func history(t *testing.T, n int, source func(i int) string) (dir string, commits []string) {
	t.Helper()
	dir = t.TempDir()
	git := func(args ...string) string {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false"}, args...)...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %q: %v: %s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	put := func(file, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, file)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	git("init", "-q", "-b", "main")
	put("go.mod", "module example.com/toy\n\ngo 1.26\n")
	for i := range n + 1 {
		put("deep/toy_test.go", source(i))
		put("N", fmt.Sprint(i))
		git("add", "-A")
		git("commit", "-qm", fmt.Sprintf("commit %d", i))
		commits = append(commits, git("rev-parse", "HEAD"))
	}
	return dir, commits
}

// plies prints a level in a unit of its own, so that nothing depends on time.
func plies(level string) string {
	return "package deep\n\nimport \"testing\"\n\nfunc BenchmarkA(b *testing.B) {\n\tb.Run(\"x\", func(b *testing.B) {\n\t\tfor b.Loop() {\n\t\t}\n\t\tb.ReportMetric(" + level + ", \"plies/op\")\n\t})\n}\n"
}

func TestBisect(t *testing.T) {
	suite.All(t)
	dir, commits := history(t, 12, func(i int) string {
		switch {
		case i == 6:
			return "package deep\n\nfunc Benchmark"
		case i >= 8:
			return plies("120")
		case i >= 4:
			return plies("100") + "\n// a comment\n"
		}
		return plies("100")
	})
	var said []string
	o := runner.BisectOptions{
		Series: "example.com/toy/deep.A/x-2 plies/op", Dir: dir, BenchTime: "2x", Rounds: 10, Least: .02,
		Say: func(format string, args ...any) { said = append(said, fmt.Sprintf(format, args...)) },
	}
	run := func(series, between string) *runner.Report {
		t.Helper()
		o := o
		o.Range = between
		if series != "" {
			o.Series = series
		}
		r, err := runner.Bisect(context.Background(), o)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	r := run("", commits[0]+".."+commits[12])
	if r.Commit == nil || *r.Commit != commits[8] || r.Before != commits[7] || !r.Reproducible || r.Steps > 5 || *r.Delta < .19 || r.Subject != "commit 8" || !slices.Equal(r.Skipped, []string{commits[6]}) {
		t.Errorf("%+v\n%s", r, strings.Join(said, "\n"))
	}
	if r := run("", commits[8]+"..HEAD"); r.Commit != nil || r.Reproducible || r.Reason != "the ends of the range have the same binary" {
		t.Errorf("no change: %+v", r)
	}
	if r := run("", commits[5]+".."+commits[8]); *r.Commit != commits[8] || r.Before != commits[7] || !r.Reproducible {
		t.Errorf("a short range: %+v", r)
	}
	for _, c := range []struct{ series, between, want string }{
		{"B/x plies/op", "HEAD~1..", "expected a series \"package.Name unit\" of a package of the module, such as example.com/toy/deep.Name"},
		{o.Series, "HEAD", "expected a range of commits such as v1.2.0..HEAD, got \"HEAD\""},
		{o.Series, "HEAD..HEAD~1", "expected HEAD to be an ancestor of HEAD~1"},
		{o.Series, "HEAD..HEAD", "expected at least one commit after HEAD"},
		{o.Series, "nope..HEAD", "nope: expected a commit, a branch or a tag"},
		{o.Series, commits[6] + "..HEAD", "does not build"},
		{"example.com/toy/deep.A/x widgets/op", commits[0] + "..HEAD", "expected values in widgets/op"},
	} {
		o.Series, o.Range = c.series, c.between
		if _, err := runner.Bisect(context.Background(), o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %s: %v, want %s", c.series, c.between, err, c.want)
		}
	}
	out, err := exec.Command("git", "-C", dir, "worktree", "list").Output()
	if err != nil || strings.Count(string(out), "\n") != 1 {
		t.Errorf("worktrees left: %s, %v", out, err)
	}
}

// TestBisectTrials counts how often a slowdown of 10 % of a toy of one microsecond is
// found among 64 commits, in how many steps.
func TestBisectTrials(t *testing.T) {
	right, few := 0, 0
	for trial := range *bisectTrials {
		first := 1 + (trial*37+11)%64
		dir, commits := history(t, 64, func(i int) string {
			steps := 1000
			if i >= first {
				steps = 1100
			}
			return fmt.Sprintf("package deep\n\nimport \"testing\"\n\nvar Sink int\n\nfunc work() (s int) {\n\tfor i := range %d {\n\t\ts += i * i %% 7\n\t}\n\treturn s + %d\n}\n\nfunc BenchmarkA(b *testing.B) {\n\tfor b.Loop() {\n\t\tSink = work()\n\t}\n}\n", steps, i)
		})
		r, err := runner.Bisect(context.Background(), runner.BisectOptions{
			Series: "example.com/toy/deep.A", Range: commits[0] + "..HEAD", Dir: dir, BenchTime: "100ms", Rounds: 20, Least: .02, Seed: uint64(trial),
			Say: func(string, ...any) {},
		})
		if err != nil {
			t.Fatal(err)
		}
		found := r.Commit != nil && *r.Commit == commits[first]
		if found && r.Reproducible {
			right++
			if r.Steps <= 7 {
				few++
			}
		}
		t.Logf("trial %d: planted at %d, found %v, reproducible %v, %d steps, %s", trial, first, found, r.Reproducible, r.Steps, r.Reason)
	}
	if *bisectTrials > 0 {
		t.Logf("found in %d of %d trials, in at most 7 steps in %d", right, *bisectTrials, few)
	}
}

package benchcmd

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"sakusen/bench"
	"sakusen/bench/runner"
	"sakusen/cmd/cmdline"
)

// git runs git in a folder, with nothing of the user's settings.
func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	c := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=x", "-c", "user.email=x@example.com"}, args...)...)
	out, err := c.Output()
	if err != nil {
		t.Fatalf("git %q: %v", args, err)
	}
	return strings.TrimSpace(string(out))
}

// read returns a run of one benchmark.
func read(t *testing.T, text string) *bench.Run {
	t.Helper()
	run, err := bench.Read(strings.NewReader(text), "x", bench.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// A folder gives back the runs of commits that were written to it, on their machine class, and
// takes no run that failed, none of a tree with changes, and no path out of it.
func TestFolder(t *testing.T) {
	repo := t.TempDir()
	git(t, repo, "init", "-qb", "main")
	git(t, repo, "commit", "-qm", "one", "--allow-empty")
	one := git(t, repo, "rev-parse", "HEAD")
	git(t, repo, "commit", "-qm", "two", "--allow-empty")
	two := git(t, repo, "rev-parse", "HEAD")
	var said strings.Builder
	f := &Folder{
		Dir: filepath.Join(t.TempDir(), "runs"), Env: func(string) (string, bool) { return "", false },
		Say: func(format string, args ...any) { fmt.Fprintf(&said, format+"\n", args...) },
	}
	base := read(t, "machine-class: m\npkg: p\nBenchmarkA 10 5.0 ns/op\nPASS\n")
	d := &runner.Decided{Result: &runner.Result{BaseCommit: one}, Sides: map[string]*bench.Run{"base": base, "head": read(t, "pkg: p\ncpu: c\nBenchmarkA 10 6.0 ns/op\nPASS\n")}}
	ctx, o := context.Background(), runner.Options{Dir: repo}
	if err := f.Record(ctx, o, d, ""); err != nil {
		t.Fatal(err)
	}
	for commit, want := range map[string]string{one: "m", two: "c"} {
		run, err := f.Run(ctx, "commit:"+commit[:10])
		if err != nil || run.Machine() != want || len(run.Order) != 1 {
			t.Errorf("%s: %+v, %v", commit, run, err)
		}
	}
	if text, _ := os.ReadFile(filepath.Join(f.Dir, two+".txt")); !strings.HasPrefix(string(text), "commit: "+two+"\nbranch: main\n") {
		t.Errorf("the head is kept as %s", text)
	}
	if run, err := f.Before(ctx, base, []string{two, one}, "m"); err != nil || run == nil || run.Machine() != "m" || !strings.Contains(said.String(), "comparing with") {
		t.Errorf("before: %+v, %v; said %s", run, err, &said)
	}
	if run, err := f.Before(ctx, base, []string{two, one}, "other"); err != nil || run != nil {
		t.Errorf("of another machine: %+v, %v", run, err)
	}

	// A run that failed, or was measured in part, is no baseline, and takes the place of none.
	d.Sides["base"] = read(t, "machine-class: m\npkg: p\nBenchmarkA 10 5.0 ns/op\n--- FAIL: BenchmarkB\nFAIL\n")
	if err := os.WriteFile(filepath.Join(repo, "new.go"), []byte("package x"), 0o644); err != nil {
		t.Fatal(err)
	}
	git(t, repo, "add", "-A")
	if err := f.Record(ctx, o, d, ""); err != nil || !strings.Contains(said.String(), "head: not kept") {
		t.Errorf("a tree with changes: %v; said %s", err, &said)
	}
	if run, err := f.Before(ctx, base, []string{one}, ""); err != nil || run == nil || !strings.Contains(said.String(), "base: "+filepath.Join(f.Dir, one+".txt")+" stays, since it has more") {
		t.Errorf("behind a failed run: %+v, %v; said %s", run, err, &said)
	}
	for _, text := range []string{"pkg: p\ncpu: c\nBenchmarkA 10 5.0 ns/op\n--- FAIL: BenchmarkB\nFAIL\n", "pkg: p\ncpu: c\nBenchmarkB 10 5.0 ns/op\nPASS\n", "pkg: p\ncpu: c\nBenchmarkA 10 5.0 ns/op\n" + bench.EndOfPart + "\n"} {
		if run := read(t, text); !fuller(base, run) || fuller(run, base) != strings.Contains(text, "PASS") {
			t.Errorf("%q is as full", text)
		}
	}
	part := &Folder{Dir: t.TempDir(), Say: f.Say, Env: f.Env}
	d.Sides["base"] = read(t, "pkg: p\ncpu: c\nBenchmarkA 10 5.0 ns/op\n"+bench.EndOfPart+"\n")
	if err := part.Record(ctx, o, d, ""); err != nil {
		t.Error(err)
	}
	if run, err := part.Before(ctx, base, []string{one}, ""); err != nil || run != nil {
		t.Errorf("a run of a part: %+v, %v", run, err)
	}

	// One of a selection is, where there is no other; each machine class has its own; what a full
	// disk has cut off is none.
	for i, c := range []struct{ commit, text, machine, want string }{
		{two, "pkg: p\ncpu: c\nBenchmarkA 10 5.0 ns/op\n" + bench.EndOfSelection + "\n", "c", two},
		{one, "pkg: p\ncpu: c\nBenchmarkA 10 5.0 ns/op\nBenchmarkB 10 5.0 ns/op\n" + bench.EndOfRun + "\n", "c", one},
		{one, "pkg: p\ncpu: d\nBenchmarkA 10 5.0 ns/op\n" + bench.EndOfRun + "\n", "d", one},
		{one, "pkg: p\ncpu: c\nBenchmarkB 10 5.0 ns/op\nBenchmarkA 10 5.0 ns/op\nBenchmarkA 10 7.0 ns/op\nBenchmarkC 10 5.0 ns/op\n" + bench.EndOfRun + "\n", "c", one},
	} {
		if err := part.write("base", c.commit, "", read(t, c.text)); err != nil {
			t.Fatal(err)
		}
		run, err := part.Before(ctx, read(t, "pkg: p\ncpu: "+c.machine+"\nBenchmarkA 10 5.0 ns/op\nBenchmarkB 10 5.0 ns/op\n"), []string{two, one}, c.machine)
		if err != nil || run == nil || !strings.Contains(run.Name, c.want) || !strings.HasSuffix(run.Raw, c.text) {
			t.Errorf("%d: %+v, %v", i, run, err)
		}
	}
	// Of what the nearest selection has all benchmarks of, it is the baseline, and one of a selection takes
	// no place of a whole one. The first machine class goes by the hash alone.
	if run, err := part.Before(ctx, base, []string{two, one}, "c"); err != nil || run == nil || !strings.Contains(run.Name, two) {
		t.Errorf("a selection that has all: %+v, %v", run, err)
	}
	if err := part.write("base", one, "", read(t, "pkg: p\ncpu: c\nBenchmarkA 10 8.0 ns/op\nBenchmarkB 10 5.0 ns/op\nBenchmarkC 10 5.0 ns/op\n"+bench.EndOfSelection+"\n")); err != nil {
		t.Fatal(err)
	}
	if run, err := part.Run(ctx, "commit:"+one[:12]); err != nil || run.Machine() != "c" || run.Selected || !strings.Contains(said.String(), "and 1 of other machine classes or benchmarks, such as commit:"+one+"-") {
		t.Errorf("two classes: %+v, %v; %s", run, err, &said)
	}
	list, err := os.ReadDir(part.Dir)
	if err != nil || len(list) != 3 {
		t.Errorf("%v, %v", list, err)
	}
	if err := os.WriteFile(filepath.Join(part.Dir, one+".txt"), []byte("commit: "+one+"\npkg: p\ncpu: c\nBenchmarkB 10 5.0 ns/op\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if run, err := part.Before(ctx, base, []string{one}, "c"); err != nil || run != nil {
		t.Errorf("cut off: %+v, %v", run, err)
	}

	// Two selections of one commit have a file each, and each is a baseline.
	for _, b := range []string{"A", "B", "A"} {
		if err := part.write("head", strings.Repeat("c", 40), "", read(t, "pkg: p\ncpu: c\nBenchmark"+b+" 10 5.0 ns/op\n"+bench.EndOfSelection+"\n")); err != nil {
			t.Fatal(err)
		}
	}
	for _, b := range []string{"A", "B"} {
		text := "pkg: p\ncpu: c\nBenchmark" + b + " 10 5.0 ns/op\n"
		if run, err := part.Before(ctx, read(t, text), []string{strings.Repeat("c", 40)}, "c"); err != nil || run == nil || !strings.Contains(run.Raw, text) {
			t.Errorf("two selections: %+v, %v", run, err)
		}
	}
	// Together they are that of a whole run.
	whole := read(t, "pkg: p\ncpu: c\nBenchmarkA 10 5.0 ns/op\nBenchmarkB 10 5.0 ns/op\n"+bench.EndOfRun+"\n")
	if run, err := part.Before(ctx, whole, []string{strings.Repeat("c", 40), one}, "c"); err != nil || run == nil || len(run.Benchmarks()) != 2 || run.Samples() != 2 || !run.Selected {
		t.Errorf("joined: %+v, %v", run, err)
	}
	// A run with several numbers of processors is compared with one that has them.
	if i := read(t, "pkg: p\nBenchmarkA 10 5.0 ns/op 1 allocs/op\nBenchmarkA-2 10 5.0 ns/op 1 allocs/op\n").Baseline([]*bench.Run{read(t, "pkg: p\nBenchmarkA-8 10 5.0 ns/op 1 allocs/op\n"), read(t, "pkg: p\nBenchmarkA 10 5.0 ns/op 1 allocs/op\nBenchmarkA-2 10 5.0 ns/op 1 allocs/op\n")}, true); i != 1 {
		t.Error("several numbers of processors")
	}
	// Exact metrics are compared without the number of processors: the nearest run has the benchmark.
	near, far := strings.Repeat("d", 40), strings.Repeat("e", 40)
	for _, c := range [][2]string{{near, "-8"}, {far, "-2"}} {
		if err := part.write("head", c[0], "", read(t, "pkg: p\nBenchmarkA"+c[1]+" 10 5.0 ns/op 1 allocs/op\n"+bench.EndOfSelection+"\n")); err != nil {
			t.Fatal(err)
		}
	}
	if run, err := part.Before(ctx, read(t, "pkg: p\nBenchmarkA-2 10 5.0 ns/op 1 allocs/op\n"), []string{near, far}, ""); err != nil || run == nil || !strings.Contains(run.Name, near) {
		t.Errorf("another number of processors: %+v, %v", run, err)
	}
	for text, want := range map[string]string{"BenchmarkA-2 10 5.0 ns/op 1 allocs/op\n": far, "BenchmarkA-4 10 5.0 ns/op 1 allocs/op\n": near} {
		runs := []*bench.Run{read(t, "pkg: p\nBenchmarkA-8 10 5.0 ns/op 1 allocs/op\n"), read(t, "pkg: p\nBenchmarkA-2 10 5.0 ns/op 1 allocs/op\n")}
		if got := []string{near, far}[read(t, "pkg: p\n"+text).Baseline(runs, false)]; got != want {
			t.Errorf("times of %q are compared with %.1s", text, got)
		}
	}
	if files, _ := filepath.Glob(filepath.Join(part.Dir, "ccc*")); len(files) != 2 {
		t.Errorf("two selections: %v", files)
	}

	past := []runner.Past{{Commit: two, Text: "pkg: p\nBenchmarkA 10 7.0 ns/op\nPASS\n"}, {Commit: strings.Repeat("a", 40)}}
	if err := f.Fill(ctx, o, past, func(text, _ string) (*bench.Run, error) { return read(t, text), nil }); err != nil {
		t.Error(err)
	}
	if err := os.WriteFile(filepath.Join(f.Dir, "release.txt"), []byte("BenchmarkA 10 5.0 ns/op\nPASS\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Old(ctx, "baseline:release"); err != nil {
		t.Error(err)
	}
	for _, source := range []string{"latest", "run:3", "baseline:", "baseline:../runs/release", "baseline:r*", "commit:", "commit:ffff", "commit:a/b"} {
		if _, err := f.Run(ctx, source); err == nil || !strings.Contains(err.Error(), "expected") {
			t.Errorf("%s: %v", source, err)
		} else if code, _ := cmdline.CodeOf(err); code != cmdline.Mistaken {
			t.Errorf("%s: exit code %d", source, code)
		}
	}
}

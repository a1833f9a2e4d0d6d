package runner_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"sakusen/bench"
	"sakusen/bench/runner"
	"sakusen/engines/suite"
)

// module returns a git repository whose module lies in a folder "sub" of it: package
// toy, with benchmarks, and package other, which never changes.
func module(t testing.TB) (dir string) {
	t.Helper()
	root := t.TempDir()
	dir = filepath.Join(root, "sub")
	for file, text := range map[string]string{
		"go.mod":          "module example.com/toy\n\ngo 1.26\n",
		"toy.go":          toy(1000, 1),
		"toy_test.go":     toyTest,
		"plain/p_test.go": "package plain\n\nimport \"testing\"\n\nfunc TestP(t *testing.T) {}\n",
		"other/o_test.go": "package other\n\nimport \"testing\"\n\nfunc BenchmarkOther(b *testing.B) {\n\tfor b.Loop() {\n\t}\n}\n",
	} {
		write(t, filepath.Join(dir, file), text)
	}
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"add", "-A"}, {"commit", "-qm", "one"}} {
		cmd := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false"}, args...)...)
		cmd.Dir = root
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v: %s", args, err, out)
		}
	}
	return dir
}

func write(t testing.TB, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// toy does so many steps and so many allocations.
func toy(steps, allocs int) string {
	return strings.NewReplacer("STEPS", itoa(steps), "ALLOCS", itoa(allocs)).Replace(`package toy

// Sink keeps what is allocated.
var Sink []byte

func Work() (s int) {
	for i := range STEPS {
		s += i * i % 7
	}
	for range ALLOCS {
		Sink = make([]byte, 8)
	}
	return s
}
`)
}

func itoa(n int) string {
	if n < 10 {
		return string(rune('0' + n))
	}
	return itoa(n/10) + itoa(n%10)
}

const toyTest = `package toy

import "testing"

func BenchmarkWork(b *testing.B) {
	for b.Loop() {
		Work()
	}
}

func BenchmarkSub(b *testing.B) {
	for _, name := range []string{"a", "b"} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				Work()
			}
		})
	}
}
`

func read(t testing.TB, name, text string) *bench.Run {
	t.Helper()
	run, err := bench.Read(strings.NewReader(text), name, bench.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// Two sides of a module in a subfolder: an allocation more is found, what has
// not changed is left out, and nothing is left behind.
func TestMeasure(t *testing.T) {
	suite.All(t)
	dir := module(t)
	ctx := context.Background()
	o := runner.Options{Dir: dir, Base: "main", BenchTime: "20x", Rounds: 3, Seed: 3}
	if r, err := runner.Measure(ctx, o); !errors.Is(err, runner.ErrNothing) || len(r.Identical) != 2 {
		t.Fatalf("without a change: %+v, %v", r, err)
	}
	write(t, filepath.Join(dir, "toy.go"), toy(1000, 2))
	r, err := runner.Measure(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	if r.Rounds != 3 || r.Benchmarks != 2 || len(r.Identical) != 1 || r.Identical[0] != "example.com/toy/other" || len(r.BaseCommit) != 40 || r.HeadCommit != "" {
		t.Errorf("%+v", r)
	}
	base, head, noise := read(t, "base", r.Base), read(t, "head", r.Head), read(t, "noise", r.Noise)
	if n := len(base.Order); n != 9 || len(head.Order) != 9 || len(noise.Order) != 9 || base.Samples() != 27 {
		t.Errorf("%d, %d, %d series, %d samples", n, len(head.Order), len(noise.Order), base.Samples())
	}
	g := bench.Judge(bench.Compare(base, head, bench.Options{ExactOnly: true}), bench.Policy{})
	if g.Outcome != bench.Regression || len(g.Failures) != 3 {
		t.Errorf("%+v", g)
	}
	if g := bench.Judge(bench.Compare(base, noise, bench.Options{ExactOnly: true}), bench.Policy{}); g.Outcome != bench.Pass {
		t.Errorf("base against itself: %+v", g)
	}
	trees, err := exec.Command("git", "-C", dir, "worktree", "list").Output()
	if err != nil || strings.Count(string(trees), "\n") != 1 {
		t.Errorf("worktrees left behind: %s %v", trees, err)
	}
}

func TestMeasureErrors(t *testing.T) {
	dir := module(t)
	for _, c := range []struct {
		o    runner.Options
		want string
	}{
		{runner.Options{Dir: dir, Base: "nope", Rounds: 1}, "base: nope: expected a commit, a branch or a tag"},
		{runner.Options{Dir: dir, Head: "nope", Rounds: 1}, "head: nope: expected a commit, a branch or a tag"},
		{runner.Options{Dir: t.TempDir(), Base: "main", Rounds: 1}, "expected a commit in a git repository"},
		{runner.Options{Dir: t.TempDir(), Rounds: 1}, "go list"},
		{runner.Options{Dir: dir, Bench: "A(", Rounds: 1}, `bench: expected a pattern as for go test -bench, got "A("`},
		{runner.Options{Dir: dir, Skip: "A(", Rounds: 1}, `skip: expected a pattern as for go test -skip, got "A("`},
		{runner.Options{Dir: dir, BenchTime: "0x", Rounds: 1}, `benchtime: expected a duration or a number of iterations such as 100x, got "0x"`},
		{runner.Options{Dir: dir, CPU: "0", Rounds: 1}, `cpu: expected numbers of processors such as 1,2, got "0"`},
		{runner.Options{Dir: dir, Bench: "Absent", Packages: []string{"./other"}, Rounds: 1}, "names begin with Benchmark"},
		{runner.Options{Dir: dir, Bench: "Work", Packages: []string{"./other"}, Rounds: 1}, "nothing to measure"},
	} {
		if _, err := runner.Measure(context.Background(), c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %s", c.o, err, c.want)
		}
	}
	write(t, filepath.Join(dir, "toy_test.go"), strings.Replace(toyTest, "\t\tWork()\n", "\t\tb.Fatal(\"broken\")\n", 1))
	_, err := runner.Measure(context.Background(), runner.Options{Dir: dir, Bench: "Work", Packages: []string{"."}, Rounds: 1, BenchTime: "1x"})
	if err == nil || !strings.Contains(err.Error(), "head: example.com/toy: BenchmarkWork: ") || !strings.Contains(err.Error(), "broken") {
		t.Errorf("a benchmark that fails: %v", err)
	}
}

// What a foreign module may be like: packages that only one side has, testdata
// that alone differs, benchmarks that print, that skip, that nothing can read.
func TestMeasureShapes(t *testing.T) {
	suite.All(t)
	dir := module(t)
	ctx := context.Background()
	o := runner.Options{Dir: dir, Base: "main", BenchTime: "10x", Rounds: 1}

	write(t, filepath.Join(dir, "fresh", "f_test.go"), `package fresh

import (
	"fmt"
	"testing"
)

func BenchmarkPrints(b *testing.B) {
	fmt.Println("seed: 42\nUnit widgets/op better=higher")
	fmt.Println("BenchmarkOf something else")
	for i := 0; i < b.N; i++ {
	}
	b.ReportMetric(7, "widgets/op")
}

func BenchmarkSub(b *testing.B) {
	b.Run("a b/c=1|(", func(b *testing.B) {
		for b.Loop() {
		}
	})
}

func BenchmarkRuined(b *testing.B) {
	fmt.Print("no line end")
}

func BenchmarkInto(b *testing.B) {
	b.Run("x", func(b *testing.B) { fmt.Print("5 ns/op ") })
	b.Run("y", func(b *testing.B) { fmt.Print("\t1 5 ns/op\tBenchmark") })
	b.Run("z", func(b *testing.B) { b.Skip() })
}

func BenchmarkSkipped(b *testing.B) { b.Skip() }
`)
	o.Packages, o.CPU = []string{"./fresh"}, "1,2"
	r, err := runner.Measure(ctx, o)
	if err != nil || r.Base != "" || len(r.Warnings) != 1 {
		t.Fatalf("%v, %+v", err, r)
	}
	if got := read(t, "head", r.Head).Units.GetBetter("widgets/op"); got != 1 {
		t.Errorf("more widgets: %d in %s", got, r.Head)
	}
	var names []string
	for _, s := range read(t, "head", r.Head).Order {
		if s.Unit == "sec/op" || s.Unit == "widgets/op" {
			names = append(names, s.Name+" "+s.Unit)
		}
	}
	want := "Prints sec/op, Prints widgets/op, Prints-2 sec/op, Prints-2 widgets/op, Sub/a_b/c=1|( sec/op, Sub/a_b/c=1|(-2 sec/op, Ruined sec/op, Ruined-2 sec/op, Into/x sec/op, Into/y sec/op, Into/x-2 sec/op, Into/y-2 sec/op"
	if got := strings.Join(names, ", "); got != want {
		t.Errorf("got %s, want %s", got, want)
	}

	write(t, filepath.Join(dir, "other", "testdata", "deep", "n.txt"), "more work")
	o.Packages, o.CPU = []string{"./other"}, ""
	if r, err := runner.Measure(ctx, o); err != nil || r.Benchmarks != 1 || r.Base == "" {
		t.Errorf("testdata alone: %v, %+v", err, r)
	}
	o.Packages, o.Bench = []string{".", "./other"}, "Other|Sub/b"
	o.All = true
	if r, err := runner.Measure(ctx, o); err != nil || strings.Contains(r.Head, "Work") || strings.Contains(r.Head, "Sub/a") || !strings.Contains(r.Head, "Sub/b") || !strings.Contains(r.Head, "Other") {
		t.Errorf("alternatives: %v, %+v", err, r)
	}
}

// A pattern that no benchmark of the module's sources has is a mistake; one that finds benchmarks of
// packages that are equal on both sides asks for nothing.
func TestPatternsOfNothing(t *testing.T) {
	dir := module(t)
	write(t, filepath.Join(dir, "toy.go"), toy(1000, 2))
	for pattern, mistake := range map[string]bool{"Tooint": true, "^Other$": true, "BenchmarkOther": false} {
		if suite.Few() && pattern == "Tooint" {
			continue
		}
		_, err := runner.Measure(t.Context(), runner.Options{Dir: dir, Base: "main", Bench: pattern, BenchTime: "1x", Rounds: 1})
		if err == nil || errors.Is(err, runner.ErrNothing) == mistake || mistake && !strings.Contains(err.Error(), "names begin with Benchmark") {
			t.Errorf("%s: %v", pattern, err)
		}
	}
}

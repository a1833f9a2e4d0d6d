package runner_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"sakusen/bench"
	"sakusen/bench/runner"
	"sakusen/engines/suite"
)

// costly is a package whose benchmarks note each call in a file, and spend most of their time
// outside of the timer.
const costly = `package costly

import (
	"os"
	"testing"
	"time"
)

var sink int

func called(b *testing.B, setup time.Duration) {
	f, err := os.OpenFile(os.Getenv("CALLS")+b.Name(), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err == nil {
		_, err = f.WriteString(".")
		f.Close()
	}
	if err != nil {
		b.Fatal(err)
	}
	time.Sleep(setup)
	b.ResetTimer()
}

func BenchmarkSetup(b *testing.B) {
	called(b, 300*time.Millisecond)
	for i := 0; i < b.N; i++ {
		sink += i
	}
}

func BenchmarkLoop(b *testing.B) {
	called(b, 300*time.Millisecond)
	for b.Loop() {
		sink++
	}
}

func BenchmarkStop(b *testing.B) {
	called(b, 0)
	for i := 0; i < b.N; i++ {
		b.StopTimer()
		time.Sleep(20 * time.Millisecond)
		b.StartTimer()
		sink += i
	}
}
`

// A setup, or what b.StopTimer leaves out, is not repeated in a hundred slices: of each sample
// there are few calls, and few iterations.
func TestCostlyCalls(t *testing.T) {
	dir := module(t)
	write(t, filepath.Join(dir, "costly", "c_test.go"), costly)
	calls := t.TempDir() + string(filepath.Separator)
	t.Setenv("CALLS", calls)
	var said []string
	r, err := runner.Measure(context.Background(), runner.Options{
		Dir: dir, Packages: []string{"./costly"}, Rounds: 2, BenchTime: "20ms",
		Say: func(format string, args ...any) { said = append(said, fmt.Sprintf(format, args...)) },
	})
	if err != nil || r.Rounds != 2 || r.Benchmarks != 3 {
		t.Fatalf("%+v, %v", r, err)
	}
	for _, c := range []struct {
		name string
		most int
	}{{"BenchmarkSetup", 24}, {"BenchmarkLoop", 24}, {"BenchmarkStop", 60}} {
		text, err := os.ReadFile(calls + c.name)
		if err != nil || len(text) > c.most {
			t.Errorf("%s was called %d times in two rounds, %v", c.name, len(text), err)
		}
		if !slices.ContainsFunc(said, func(s string) bool {
			return strings.HasPrefix(s, "example.com/toy/costly."+strings.TrimPrefix(c.name, "Benchmark")+": a sample takes ") && strings.Contains(s, "a call spends ")
		}) {
			t.Errorf("no cost of %s in %q", c.name, said)
		}
	}
	run := read(t, "head", r.Head)
	for _, s := range run.Order {
		if len(run.Values[s]) != 2 {
			t.Errorf("%s: %v", s.Title(), run.Values[s])
		}
	}
	for line := range strings.Lines(r.Head) {
		if f := strings.Fields(line); strings.HasPrefix(line, "BenchmarkStop") && (len(f) < 2 || len(f[1]) > 2) {
			t.Errorf("iterations of 20 ms beside the timer: %s", line)
		}
	}
}

// A process that costs more than a sample to start does not make the iterations of a benchmark
// that stops its timer grow without end.
func TestCostlyStart(t *testing.T) {
	suite.All(t)
	dir := module(t)
	write(t, filepath.Join(dir, "costly", "c_test.go"), strings.ReplaceAll(costly, "300*", "60*")+"\nfunc BenchmarkMany(b *testing.B) {\n\tfor _, name := range []string{\"a\", \"b\"} {\n\t\tb.Run(name, func(b *testing.B) {\n\t\t\tfor range b.N {\n\t\t\t}\n\t\t})\n\t}\n}\n\nfunc TestMain(m *testing.M) {\n\ttime.Sleep(150 * time.Millisecond)\n\tm.Run()\n}\n")
	t.Setenv("CALLS", t.TempDir()+string(filepath.Separator))
	// What the process spends is the setup of the first of those that are measured in it.
	for _, pattern := range []string{"Stop", "Many"} {
		r, err := runner.Measure(t.Context(), runner.Options{Dir: dir, Packages: []string{"./costly"}, Bench: pattern, Rounds: 1, BenchTime: "20ms"})
		if err != nil {
			t.Fatal(err)
		}
		setups := []float64{}
		run := read(t, "head", r.Head)
		for _, s := range run.Order {
			if s.Unit == bench.SetupTime {
				setups = append(setups, run.Values[s]...)
			}
		}
		if len(setups) != 1 || setups[0] < .15 || r.Rounds != 1 || r.Benchmarks != 1 {
			t.Errorf("%s: setups %v, %d rounds of %d\n%s", pattern, setups, r.Rounds, r.Benchmarks, r.Head)
		}
		for line := range strings.Lines(r.Head) {
			if f := strings.Fields(line); strings.HasPrefix(line, "BenchmarkStop") && (len(f) < 2 || len(f[1]) > 2) {
				t.Errorf("iterations of 20 ms beside the timer: %s", line)
			}
		}
	}
}

// The time budget holds inside a round and before the first one: what was measured is judged,
// the others are in doubt, and it is never said that there was nothing to do.
func TestBudgetHolds(t *testing.T) {
	suite.All(t)
	dir := module(t)
	write(t, filepath.Join(dir, "costly", "c_test.go"), strings.ReplaceAll(costly, "300*", "60*"))
	calls := t.TempDir() + string(filepath.Separator)
	t.Setenv("CALLS", calls)
	decide := func(budget time.Duration) *runner.Decided {
		t.Helper()
		d, err := runner.Decide(context.Background(), runner.DecideOptions{
			Measure: runner.Options{Dir: dir, Head: "main", Base: "main", All: true, Packages: []string{"./costly"}, Bench: "Setup", Rounds: 100000, BenchTime: "20ms", Budget: budget},
			Fixed:   true,
			Read: func(side, text string) (*bench.Run, error) {
				return bench.Read(strings.NewReader(text), side, bench.ReadOptions{})
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	gitAll(t, dir)
	if d := decide(time.Nanosecond); d.Result.Rounds != 0 || d.Gate.Outcome != bench.Undecided || len(d.Gate.Doubts) != 1 ||
		!strings.Contains(d.Gate.Doubts[0].Reason, "is not measured: ") || d.Gate.Doubts[0].Row.Series.Name != "Setup" {
		t.Errorf("no time at all: %+v", d.Gate)
	}
	d := decide(4 * time.Second)
	if d.Result.Rounds == 100000 || d.Gate.Outcome != bench.Undecided && d.Gate.Outcome != bench.Pass {
		t.Errorf("%d rounds, %+v", d.Result.Rounds, d.Gate)
	}
	told := slices.ContainsFunc(d.Comparison.Warnings, func(w string) bool {
		return strings.HasPrefix(w, "--budget 4s ended the measurement: example.com/toy/costly.Setup has ")
	})
	if d.Result.Rounds > 0 && !told || d.Result.Rounds == 0 && len(d.Result.Unmeasured) == 0 {
		t.Errorf("%d rounds, warnings %q, unmeasured %v", d.Result.Rounds, d.Comparison.Warnings, d.Result.Unmeasured)
	}
}

// advice is what to do where the time budget is too short.
var advice = regexp.MustCompile(`(is too short for it|--budget 5s has left).*: all 20 rounds of all benchmarks need about [0-9ms]+; choose fewer by --bench or --skip, or raise it$`)

// Of more benchmarks than the budget has time for some are measured, and every other one is told.
func TestBudgetOfMany(t *testing.T) {
	suite.All(t)
	const many = 60
	dir := module(t)
	text := "package many\n\nimport (\n\t\"testing\"\n\t\"time\"\n)\n"
	for i := range many {
		text += fmt.Sprintf("\nfunc Benchmark%d(b *testing.B) {\n\ttime.Sleep(20 * time.Millisecond)\n\tb.ResetTimer()\n\tfor range b.N {\n\t}\n}\n", i)
	}
	write(t, filepath.Join(dir, "many", "m_test.go"), text)
	gitAll(t, dir)
	var said []string
	d, err := runner.Decide(t.Context(), runner.DecideOptions{
		Measure: runner.Options{
			Dir: dir, Head: "main", Base: "main", All: true, Packages: []string{"./many"}, Skip: "^Benchmark5.$|Benchmark1/nothing", Rounds: 20, BenchTime: "5ms", Budget: 5 * time.Second,
			Say: func(format string, args ...any) { said = append(said, fmt.Sprintf(format, args...)) },
		},
		Fixed: true,
		Read: func(side, text string) (*bench.Run, error) {
			return bench.Read(strings.NewReader(text), side, bench.ReadOptions{})
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, f := range d.Result.Unmeasured {
		seen[strings.TrimPrefix(f.Benchmark, "Benchmark")] = true
	}
	left := len(seen)
	for _, line := range said {
		if name, _, ok := strings.Cut(strings.TrimPrefix(line, "example.com/toy/many."), ": a sample takes "); ok {
			seen[name] = true
		}
	}
	// It says how much would do, once.
	for _, f := range d.Gate.Doubts {
		if strings.HasPrefix(f.Reason, "is not measured: ") && !strings.HasPrefix(f.Reason, "is not measured: its first runs do not end") && !advice.MatchString(f.Reason) {
			t.Errorf("%s", f)
		}
	}
	if left == 0 || len(seen) != many-10 || d.Gate.Outcome != bench.Undecided || len(said) > many {
		t.Errorf("%d of %d left out, %d told, %d lines, outcome %v", left, many, len(seen), len(said), d.Gate.Outcome)
	}
}

// Where a name ends in a number of processors, those on one processor get one too, so that no
// series stands for two benchmarks.
func TestOneCPUAtATime(t *testing.T) {
	suite.All(t)
	dir := module(t)
	write(t, filepath.Join(dir, "named", "n_test.go"), `package named

import "testing"

func BenchmarkTop(b *testing.B) {
	for range b.N {
	}
}

func BenchmarkSize(b *testing.B) {
	for _, name := range []string{"n", "n-2"} {
		b.Run(name, func(b *testing.B) {
			b.ReportMetric(float64(len(name)), "size")
		})
	}
}
`)
	r, err := runner.Measure(context.Background(), runner.Options{Dir: dir, Packages: []string{"./named"}, Rounds: 3, BenchTime: "2x", CPU: "1,2"})
	if err != nil || r.Benchmarks != 2 {
		t.Fatalf("%+v, %v", r, err)
	}
	run := read(t, "head", r.Head)
	sizes := map[string][]float64{}
	for _, s := range run.Order {
		if s.Unit == "size" {
			sizes[s.Name] = run.Values[s]
		}
	}
	if got, want := fmt.Sprint(sizes), "map[Size/n-1:[1 1 1] Size/n-2:[1 1 1] Size/n-2-1:[3 3 3] Size/n-2-2:[3 3 3]]"; got != want || len(run.Lost) > 0 {
		t.Errorf("got %s, lost %q, want %s", got, run.Lost, want)
	}
}

// gitAll commits all files.
func gitAll(t testing.TB, dir string) {
	t.Helper()
	for _, args := range [][]string{{"add", "-A"}, {"-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false", "commit", "-qm", "all"}} {
		if out, err := exec.Command("git", append([]string{"-C", dir}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v: %s", args, err, out)
		}
	}
}
